#include "surface/reconstruction.h"

#include <cmath>

#include "surface/particle_blocks.h"
#include "surface/sharp_edges.h"
#include "surface/vertex_normals.h"

namespace fondue {

Geometry reconstruct(const SurfaceParticles& particles, const SurfaceSetup& setup,
                     std::span<const Geometry::Attribute> quantities) {
  Geometry surface;
  if (particles.size() != 0) {
    float smallest = particles.spacing(0);
    for (std::size_t j = 1; j != particles.size(); ++j) smallest = std::min(smallest, particles.spacing(j));
    const ParticleBlocks blocks(particles, ParticleField::reach(setup.field), setup.cell * smallest);
    const ParticleField field(setup.field, particles, blocks.near_surface());
    // The edges of a two-dimensional plate must stay sharp.
    const bool smoothed = setup.smoothing > 0 && particles.dimension == 3;
    // Normals of a smoothed surface differ from those of the field.
    const bool gradients = !smoothed;
    surface = extract_surface(blocks.grid(), [&](BlockKey block, BlockValues& values) {
      thread_local std::vector<Index> near;
      blocks.near(block, near);
      field.evaluate(blocks.grid(), block, near, gradients, values);
    });
    if (setup.smallest_piece > 0) {
      const double volume = double{setup.smallest_piece} * smallest * smallest * smallest;
      remove_small_pieces(surface, static_cast<float>(volume));
    }
    if (smoothed) {
      smooth(surface, setup.smoothing, smoothing_weights(surface, particles));
      surface.normals = vertex_normals(surface.mesh);
    }
  }
  attach(surface, particles, quantities);
  return surface;
}

Geometry tessellate(const Shape& shape, const Box& within, float cell) {
  const Box bounds = shape.bounds();
  if (within.contains(bounds.min) && within.contains(bounds.max))
    if (std::optional<TriangleMesh> own = shape.triangles()) {
      Geometry surface;
      surface.mesh = std::move(*own);
      surface.normals = vertex_normals(surface.mesh);
      return surface;
    }
  SparseGrid grid{cell, {}, {}};
  const float width = grid.width(), reach = 0.5f * std::sqrt(3.0f) * width + cell;
  const auto coordinate = [&](float x) { return static_cast<std::int32_t>(std::floor(x / width)); };
  const Box box = within.grown(cell);
  for (std::int32_t z = coordinate(box.min.z()); z <= coordinate(box.max.z()); ++z)
    for (std::int32_t y = coordinate(box.min.y()); y <= coordinate(box.max.y()); ++y)
      for (std::int32_t x = coordinate(box.min.x()); x <= coordinate(box.max.x()); ++x) {
        const Vec3 middle = grid.corner({x, y, z}, 0, 0, 0) + Vec3::Constant(0.5f * width);
        const Vec3 outside = (within.min - middle).cwiseMax(middle - within.max);
        // Blocks outside the shape or the box are skipped; blocks deep inside are not evaluated.
        const float distance = shape.distance(middle);
        if (distance > reach || outside.maxCoeff() > reach) continue;
        grid.blocks.emplace_back(x, y, z);
        grid.inside.push_back(distance < -reach && outside.maxCoeff() < -reach);
      }
  const auto nearest_within = [&](const Vec3& x) {
    Nearest nearest = shape.nearest(x);
    for (int a = 0; a != 3; ++a)
      for (const float side : {-1.0f, 1.0f}) {
        const float beyond = side > 0 ? x[a] - within.max[a] : within.min[a] - x[a];
        if (beyond > nearest.distance) nearest = {beyond, side * Vec3::Unit(a)};
      }
    return nearest;
  };
  Geometry surface = extract_surface(grid, [&](BlockKey block, BlockValues& values) {
    for (int k = 0; k != block_corners; ++k) {
      const Nearest nearest = nearest_within(
          grid.corner(block, k % block_side, k / block_side % block_side, k / (block_side * block_side)));
      values.f[k] = -nearest.distance;
      for (int a = 0; a != 3; ++a) values.gradient[a][k] = -nearest.normal[a];
    }
  });
  sharpen(surface.mesh, nearest_within, 2 * cell);
  return surface;
}

}  // namespace fondue
