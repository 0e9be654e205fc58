#include "bodies/boundary_particles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "particles/neighbours.h"
#include "shapes/mesh_queries.h"
#include "shapes/surface_sampling.h"

namespace fondue {

BoundaryParticles::BoundaryParticles(const std::vector<Body>& bodies, const Lattice& lattice, const Box& region,
                                     const ProgressReport& report)
    : bodies_(bodies), centre_(region.centre().cast<double>()) {
  for (std::size_t c = 0; c != bodies_.size(); ++c)
    sample(c, region, lattice.dimension, report.task("boundary particles of '" + bodies_[c].setup().name + "'"));
  const std::size_t count = local_position_.size();
  walls_.position.resize(count);
  walls_.normal.resize(count);
  walls_.velocity.resize(count, Vec3::Zero());
  walls_.temperature.resize(bodies_.size());
  const auto sticky = [](const Body& body) {
    return std::ranges::any_of(body.setup().stickiness.values(), [](float pull) { return pull > 0; });
  };
  if (std::ranges::any_of(bodies_, sticky)) walls_.stickiness.resize(bodies_.size());
  bind_to_triangles();
  follow_bodies(0);
  find_volumes(lattice);
}

void BoundaryParticles::sample(std::size_t c, const Box& region, int dimension, const ProgressReport& report) {
  const Body& body = bodies_[c];
  const ColliderSetup& setup = body.setup();
  start_.push_back(body.state().pose);
  endless_.push_back(setup.motion.still() ? std::nullopt : EndlessShape::of(*setup.shape, dimension));
  Box needed = region;
  if (setup.rigid) needed = setup.shape->bounds().grown(body.spacing());
  if (endless_[c]) {
    needed = endless_[c]->sampling_region(start_[c], region, 2 * body.spacing(), !setup.motion.rotation.constant());
    if (dimension == 2) needed.min.z() = needed.max.z() = 0;
  }
  for (const SurfaceSample& s :
       sample_surface(*setup.shape, body.spacing(), 0.5f * body.spacing(), needed, dimension, report)) {
    local_position_.push_back(s.position);
    local_normal_.push_back(s.normal);
    walls_.collider.push_back(static_cast<Index>(c));
    walls_.slip.push_back(setup.slip.at(0));
  }
}

/// Volumes, from the arrangement at the start; what moves keeps the volume it has among its own.
void BoundaryParticles::find_volumes(const Lattice& lattice) {
  const Kernel kernel(lattice.kernel, lattice.dimension);
  std::vector<float> gamma;
  for (const Body& body : bodies_) {
    Lattice own = lattice;
    own.spacing = body.spacing();
    const WallScales scales = wall_scales(own);
    gamma.push_back(scales.volume);
    walls_.layers.push_back(boundary_layer(own, scales));
  }
  const std::size_t count = walls_.size();
  std::vector<float> supports(count);
  for (std::size_t b = 0; b != count; ++b) supports[b] = walls_.layers[walls_.collider[b]].support;
  std::vector<Index> ids(count);
  std::iota(ids.begin(), ids.end(), Index{0});
  NeighbourList list;
  find_neighbours({walls_.position, supports, ids, {}}, list);
  walls_.volume.resize(count);
  parallel_for(count, [&](std::size_t b) {
    const Body& body = bodies_[walls_.collider[b]];
    const float support = supports[b];
    float sum = kernel.W(0, support);
    for (const Index k : list.of(b)) {
      const Body& other = bodies_[walls_.collider[k]];
      const bool together = &other == &body || (other.still() && body.still());
      if (!together) continue;
      // Each counts as much as the area it stands for.
      const float relative = other.spacing() / body.spacing();
      const float area = lattice.dimension == 3 ? relative * relative : relative;
      sum += area * kernel.W((walls_.position[b] - walls_.position[k]).norm(), support);
    }
    walls_.volume[b] = (body.setup().shape->one_sided() ? -1.0f : 1.0f) * gamma[walls_.collider[b]] / sum;
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

void BoundaryParticles::follow_surfaces(double time) {
  bool slips = false;
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    const ColliderSetup& setup = bodies_[c].setup();
    if (setup.temperature) walls_.temperature[c] = setup.temperature->at(time);
    if (!walls_.stickiness.empty()) walls_.stickiness[c] = setup.stickiness.at(time);
    slips |= !setup.slip.constant();
  }
  if (slips)
    for (std::size_t b = 0; b != walls_.size(); ++b) walls_.slip[b] = bodies_[walls_.collider[b]].setup().slip.at(time);
}

bool BoundaryParticles::follow_bodies(double time) {
  follow_surfaces(time);
  if (placed_ && std::ranges::all_of(bodies_, &Body::steady)) return false;
  // Velocities of triangles by central differences over a time much shorter than any step.
  constexpr double short_time = 1e-5;
  struct Geometry {
    /// Of the boundary particles; the body's own unless it has no end. The rotation as a matrix takes half the time.
    Vec3d position;
    Eigen::Matrix3d rotation;
    TriangleMesh now, before, after;
  };
  std::vector<Geometry> geometries;
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    const Body& body = bodies_[c];
    const Pose& pose = body.state().pose;
    const Pose placement = endless_[c] ? endless_[c]->placement(start_[c], pose, centre_) : pose;
    Geometry& geometry =
        geometries.emplace_back(Geometry{placement.position, placement.rotation.toRotationMatrix(), {}, {}, {}});
    if (!body.sequence()) continue;
    geometry.now = body.sequence()->mesh(time);
    geometry.before = body.sequence()->mesh(time - short_time);
    geometry.after = body.sequence()->mesh(time + short_time);
  }
  parallel_for(placed_ ? unsteady_.size() : local_position_.size(), [&](std::size_t at) {
    const std::size_t b = placed_ ? unsteady_[at] : at;
    const Index c = walls_.collider[b];
    const Body& body = bodies_[c];
    const Geometry& geometry = geometries[c];
    Vec3d deformation = Vec3d::Zero();
    if (body.sequence()) {
      const AnchoredPoint point = at_anchor(geometry.now, anchors_[b]);
      local_position_[b] = point.position;
      if (point.normal.dot(local_normal_[b]) != 0)
        local_normal_[b] = std::copysign(1.0f, point.normal.dot(local_normal_[b])) * point.normal;
      const Vec3d travelled = at_anchor(geometry.after, anchors_[b]).position.cast<double>() -
                              at_anchor(geometry.before, anchors_[b]).position.cast<double>();
      deformation = travelled / (2 * short_time);
    }
    const Vec3d x = geometry.rotation * local_position_[b].cast<double>() + geometry.position;
    const Vec3d normal = geometry.rotation * local_normal_[b].cast<double>();
    Vec3d velocity = body.state().velocity_at(x);
    if (body.sequence()) velocity += geometry.rotation * deformation;
    if (body.has_surface_velocity()) velocity += body.surface_velocity(body.state().pose, normal, time);
    walls_.position[b] = x.cast<float>();
    walls_.normal[b] = normal.cast<float>();
    walls_.velocity[b] = velocity.cast<float>();
  });
  if (!placed_)
    for (Index b = 0; b != local_position_.size(); ++b)
      if (!bodies_[walls_.collider[b]].steady()) unsteady_.push_back(b);
  placed_ = true;
  return true;
}

}  // namespace fondue
