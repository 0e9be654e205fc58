#include "bodies/boundary_particles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "particles/neighbours.h"
#include "shapes/mesh_queries.h"
#include "shapes/surface_sampling.h"

namespace fondue {

BoundaryParticles::BoundaryParticles(const std::vector<Body>& bodies, const Lattice& lattice, const Box& region)
    : bodies_(bodies) {
  walls_.depth = 0.5f * lattice.spacing;
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    const ColliderSetup& collider = bodies_[c].setup();
    all_still_ &= bodies_[c].still();
    for (const SurfaceSample& sample :
         sample_surface(*collider.shape, lattice.spacing, walls_.depth, region, lattice.dimension)) {
      local_position_.push_back(sample.position);
      local_normal_.push_back(sample.normal);
      walls_.collider.push_back(static_cast<Index>(c));
      walls_.slip.push_back(collider.slip);
    }
  }
  const std::size_t count = local_position_.size();
  walls_.position.resize(count);
  walls_.normal.resize(count);
  walls_.velocity.resize(count, Vec3::Zero());
  walls_.temperature.resize(bodies_.size());
  const auto sticky = [](const Body& body) { return body.setup().stickiness > 0; };
  if (std::ranges::any_of(bodies_, sticky))
    for (const Body& body : bodies_) walls_.stickiness.push_back(body.setup().stickiness);
  bind_to_triangles();
  move_to(0);
  find_volumes(lattice);
}

/// Volumes, from the arrangement at the start; what moves keeps the volume it has among its own.
void BoundaryParticles::find_volumes(const Lattice& lattice) {
  const Kernel kernel(lattice.kernel, lattice.dimension);
  const float support = lattice.support();
  const WallScales scales = wall_scales(lattice);
  walls_.shear_scale = scales.shear;
  walls_.heat_scale = scales.heat;
  walls_.pull_scale = scales.pull;
  const std::size_t count = walls_.size();
  const std::vector<float> supports(count, support);
  std::vector<Index> ids(count);
  std::iota(ids.begin(), ids.end(), Index{0});
  NeighbourList list;
  find_neighbours({walls_.position, supports, ids, {}}, list);
  walls_.volume.resize(count);
  parallel_for(count, [&](std::size_t b) {
    const Body& body = bodies_[walls_.collider[b]];
    float sum = kernel.W(0, support);
    for (const Index k : list.of(b)) {
      const Body& other = bodies_[walls_.collider[k]];
      const bool together = &other == &body || (other.still() && body.still());
      if (together) sum += kernel.W((walls_.position[b] - walls_.position[k]).norm(), support);
    }
    walls_.volume[b] = (body.setup().shape->one_sided() ? -1.0f : 1.0f) * scales.volume / sum;
  });
}

/// Boundary particles of mesh sequences go with the triangle they are nearest to.
void BoundaryParticles::bind_to_triangles() {
  if (std::ranges::all_of(bodies_, [](const Body& body) { return !body.sequence(); })) return;
  anchors_.resize(local_position_.size());
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    if (!bodies_[c].sequence()) continue;
    const TriangleMesh mesh = bodies_[c].sequence()->mesh(-infinity);
    const MeshQueries queries(mesh);
    parallel_for(local_position_.size(), [&](std::size_t b) {
      if (walls_.collider[b] == c)
        anchors_[b] = anchor_at(mesh, queries.closest(local_position_[b]).triangle, local_position_[b]);
    });
  }
}

bool BoundaryParticles::move_to(double time) {
  for (std::size_t c = 0; c != bodies_.size(); ++c)
    if (const auto& temperature = bodies_[c].setup().temperature) walls_.temperature[c] = temperature->at(time);
  if (moved_ && all_still_) return false;
  // Velocities by central differences over a moment much shorter than any step.
  constexpr double moment = 1e-5;
  struct Place {
    Pose pose;
    TriangleMesh mesh;
  };
  std::vector<Place> now, before, after;
  for (const Body& body : bodies_) {
    const auto place = [&](double when) {
      return Place{body.pose_at(when), body.sequence() ? body.sequence()->mesh(when) : TriangleMesh{}};
    };
    now.push_back(place(time));
    before.push_back(place(time - moment));
    after.push_back(place(time + moment));
  }
  parallel_for(local_position_.size(), [&](std::size_t b) {
    const Index c = walls_.collider[b];
    if (moved_ && bodies_[c].still()) return;
    Vec3 local_before = local_position_[b], local_after = local_position_[b];
    if (bodies_[c].sequence()) {
      const AnchoredPoint point = at_anchor(now[c].mesh, anchors_[b]);
      local_position_[b] = point.position;
      if (point.normal.dot(local_normal_[b]) != 0)
        local_normal_[b] = std::copysign(1.0f, point.normal.dot(local_normal_[b])) * point.normal;
      local_before = at_anchor(before[c].mesh, anchors_[b]).position;
      local_after = at_anchor(after[c].mesh, anchors_[b]).position;
    }
    const Pose& pose = now[c].pose;
    walls_.position[b] = pose.to_world(local_position_[b]);
    walls_.normal[b] = (pose.rotation * local_normal_[b].cast<double>()).cast<float>();
    const auto world = [](const Pose& at, const Vec3& x) -> Vec3d {
      return at.rotation * x.cast<double>() + at.position;
    };
    const Vec3d travelled = world(after[c].pose, local_after) - world(before[c].pose, local_before);
    walls_.velocity[b] = (travelled / (2 * moment)).cast<float>();
  });
  moved_ = true;
  return true;
}

}  // namespace fondue
