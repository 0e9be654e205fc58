#pragma once
// Checks of meshes, and particle sets to reconstruct them from.

#include <map>
#include <set>
#include <string>

#include "core/kernel.h"
#include "core/random.h"
#include "surface/reconstruction.h"

namespace fondue {

/// "" if the mesh is a closed, consistently oriented manifold: each directed edge occurs once and so does its opposite,
/// and the triangles around each vertex form one ring; otherwise the defect.
inline std::string manifold_fault(const TriangleMesh& mesh) {
  std::map<std::pair<Index, Index>, Index> next;
  std::vector<Index> triangles_at(mesh.vertices.size(), 0);
  for (Index t = 0; t != mesh.triangles.size(); ++t)
    for (int k = 0; k != 3; ++k) {
      const Index a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3], c = mesh.triangles[t][(k + 2) % 3];
      if (a == b) return "a triangle has a corner twice";
      if (a >= mesh.vertices.size()) return "a corner is no vertex";
      // Around vertex a the edge to b is followed by that to c.
      if (!next.emplace(std::pair(a, b), c).second) return "an edge is there twice in one direction";
      ++triangles_at[a];
    }
  for (const auto& [edge, other] : next)
    if (!next.contains({edge.second, edge.first})) return "an edge has no opposite: the mesh is open";
  std::map<Index, Index> start;
  for (const auto& [edge, other] : next) start[edge.first] = edge.second;
  for (const auto& [vertex, first] : start) {
    Index count = 0, at = first;
    do {
      at = next.at({vertex, at});
      ++count;
    } while (at != first && count <= triangles_at[vertex]);
    if (count != triangles_at[vertex]) return "two sheets meet in one vertex";
  }
  if (start.size() != mesh.vertices.size()) return "a vertex has no triangle";
  return "";
}

inline void add_particle(SurfaceParticles& particles, const Vec3& x, float spacing) {
  const float R = 2 * spacing;
  particles.position.push_back(x);
  particles.support.push_back(R);
  particles.volume.push_back(lattice_volume(Kernel(KernelShape::cubic_spline, particles.dimension), spacing, R));
}

/// A lattice within a shape, each particle moved by up to `disorder` spacings.
template <class Inside>
SurfaceParticles filled(const Box& box, float spacing, Inside&& inside, float disorder = 0, int dimension = 3) {
  SurfaceParticles particles;
  particles.dimension = dimension;
  Index number = 0;
  const Eigen::Array3i count = (box.size() / spacing).array().round().cast<int>().max(1);
  for (int z = 0; z != count.z(); ++z)
    for (int y = 0; y != count.y(); ++y)
      for (int x = 0; x != count.x(); ++x) {
        Vec3 at = box.min + spacing * Vec3(float(x) + 0.5f, float(y) + 0.5f, float(z) + 0.5f);
        at += disorder * spacing * (2 * random_point(7, number++) - Vec3::Ones());
        if (dimension == 2) at.z() = 0;
        if (inside(at)) add_particle(particles, at, spacing);
      }
  return particles;
}

inline SurfaceParticles filled_box(const Vec3& size, float spacing, float disorder = 0) {
  return filled(
      {Vec3::Zero(), size}, spacing, [](const Vec3&) { return true; }, disorder);
}

inline SurfaceParticles filled_sphere(float radius, float spacing, float disorder = 0) {
  return filled(
      {Vec3::Constant(-radius), Vec3::Constant(radius)}, spacing, [&](const Vec3& x) { return x.norm() < radius; },
      disorder);
}

inline constexpr SurfaceField all_fields[] = {SurfaceField::colour, SurfaceField::characteristic, SurfaceField::density,
                                              SurfaceField::distance, SurfaceField::anisotropic};

}  // namespace fondue
