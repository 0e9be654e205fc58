#include "world/colliders.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "particles/neighbours.h"
#include "shapes/mesh_queries.h"
#include "shapes/surface_sampling.h"

namespace fondue {

namespace {

Eigen::Quaterniond rotation_of(const Vec3& vector) {
  const Vec3d v = vector.cast<double>();
  const double angle = v.norm();
  return angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, v / angle)) : Eigen::Quaterniond::Identity();
}

/// Sums over one flat layer of a lattice, `depth` spacings from a point beside it: of term(r, t), t the distance along
/// x.
template <class Term>
float layer_sum(const WorldSetup& setup, int depth, const Term& term) {
  const int reach = static_cast<int>(std::ceil(setup.support_ratio));
  const int reach_z = setup.dimension == 3 ? reach : 0;
  float sum = 0;
  for (int a = -reach; a <= reach; ++a)
    for (int b = -reach_z; b <= reach_z; ++b)
      sum += term(setup.spacing * std::sqrt(static_cast<float>(a * a + b * b + depth * depth)),
                  setup.spacing * static_cast<float>(a));
  return sum;
}

struct WallScales {
  /// gamma of the header: what the missing half space would add to the density of the lattice row at the wall, over
  /// what one layer of boundary particles adds there, times the layer's own sum.
  float volume;
  /// Shear force of the missing half space on all rows within reach, over that of one layer with its volumes, in a
  /// linear shear flow: the velocity between layers k spacings apart is proportional to k, and a half space has k such
  /// pairs of layers.
  float shear;
  /// The same for the heat that flows at a constant gradient of temperature.
  float heat;
  /// k of the pull of a wall of stickiness 1 Pa (fluid.h): the pull of one boundary particle on all rows within reach
  /// is that of the area it stands for.
  float pull;
};

WallScales wall_scales(const WorldSetup& setup) {
  const Kernel kernel(setup.kernel, setup.dimension);
  const float R = setup.support_ratio * setup.spacing;
  const int reach = static_cast<int>(std::ceil(setup.support_ratio));
  const auto density = [&](float r, float) { return kernel.W(r, R); };
  const auto drag = [&](float r, float t) { return -kernel.dW(r, R) / r * t * t / (r * r); };
  const auto flow = [&](float r, float) { return -kernel.dW(r, R) * r / (r * r + 0.01f * R * R); };
  // Half space over one layer, of a force in proportion to the distance k.
  const auto scale = [&](const auto& force) {
    float one_layer = 0, half_space = 0;
    for (int k = 1; k <= reach; ++k) {
      const float of_layers = static_cast<float>(k) * layer_sum(setup, k, force);
      one_layer += of_layers;
      half_space += static_cast<float>(k) * of_layers;
    }
    return half_space / one_layer;
  };
  const auto profile = [&](float r, float) { return r / R * std::pow(std::max(1 - r / R, 0.0f), 2.0f); };
  float missing = 0, pull = 0;
  for (int k = 1; k <= reach; ++k) {
    missing += layer_sum(setup, k, density);
    pull += static_cast<float>(k) * setup.spacing / R * layer_sum(setup, k, profile);
  }
  const float V = lattice_volume(kernel, setup.spacing, R);
  const float volume_ratio = missing / layer_sum(setup, 1, density);
  const float area = setup.dimension == 3 ? setup.spacing * setup.spacing : setup.spacing;
  return {V * volume_ratio * layer_sum(setup, 0, density), scale(drag) / volume_ratio, scale(flow) / volume_ratio,
          area / (V * V * volume_ratio * pull)};
}

}  // namespace

bool Colliders::Clear::holds(const Vec3& start, const Vec3& end) const {
  if (inside)
    return (start.array() > box.min.array()).all() && (start.array() < box.max.array()).all() &&
           (end.array() > box.min.array()).all() && (end.array() < box.max.array()).all();
  return (start.array() < box.min.array() && end.array() < box.min.array()).any() ||
         (start.array() > box.max.array() && end.array() > box.max.array()).any();
}

Colliders::Clear Colliders::clear_of(const Shape& shape, float margin) {
  const std::optional<FlatSides> sides = shape.flat_sides();
  if (sides && sides->inverted && sides->rotation == Mat3::Identity()) {
    Box box = sides->local;
    box.min += sides->translation + Vec3::Constant(margin);
    box.max += sides->translation - Vec3::Constant(margin);
    return {box, true};
  }
  return {shape.bounds().grown(margin), false};
}

Pose pose_at(const Motion& motion, double time) {
  return {rotation_of(motion.rotation.at(time)), motion.position.at(time).cast<double>()};
}

Colliders::Colliders(const WorldSetup& setup, const Box& region)
    : setups_(setup.colliders), dimension_(setup.dimension), margin_(0.1f * setup.spacing) {
  walls_.depth = 0.5f * setup.spacing;
  for (const ColliderSetup& collider : setups_) {
    clear_.push_back(clear_of(*collider.shape, 1.01f * margin_));
    sequences_.push_back(collider.shape->sequence());
    still_.push_back(collider.still());
    all_still_ &= collider.still();
    worth_remembering_ |= !collider.shape->flat_sides();
  }
  for (std::size_t c = 0; c != setups_.size(); ++c) {
    const ColliderSetup& collider = setups_[c];
    for (const SurfaceSample& sample :
         sample_surface(*collider.shape, setup.spacing, walls_.depth, region, dimension_)) {
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
  walls_.temperature.resize(setups_.size());
  bind_to_triangles();
  move_to(0);

  // Volumes, from the arrangement at the start; what moves keeps the volume it has among its own.
  const Kernel kernel(setup.kernel, dimension_);
  const float support = setup.support_ratio * setup.spacing;
  const WallScales scales = wall_scales(setup);
  walls_.shear_scale = scales.shear;
  walls_.heat_scale = scales.heat;
  if (std::ranges::any_of(setups_, [](const ColliderSetup& collider) { return collider.stickiness > 0; }))
    for (const ColliderSetup& collider : setups_) walls_.stickiness.push_back(collider.stickiness);
  walls_.pull_scale = scales.pull;
  const std::vector<float> supports(count, support);
  std::vector<Index> ids(count);
  for (std::size_t b = 0; b != count; ++b) ids[b] = static_cast<Index>(b);
  NeighbourList list;
  find_neighbours({walls_.position, supports, ids, {}}, list);
  walls_.volume.resize(count);
  parallel_for(count, [&](std::size_t b) {
    float sum = kernel.W(0, support);
    for (const Index k : list.of(b)) {
      const bool together =
          walls_.collider[k] == walls_.collider[b] || (still_[walls_.collider[k]] && still_[walls_.collider[b]]);
      if (together) sum += kernel.W((walls_.position[b] - walls_.position[k]).norm(), support);
    }
    walls_.volume[b] = (setups_[walls_.collider[b]].shape->one_sided() ? -1.0f : 1.0f) * scales.volume / sum;
  });
}

/// Boundary particles of sequences go with the triangle they are nearest to.
void Colliders::bind_to_triangles() {
  if (std::ranges::all_of(sequences_, [](const auto& sequence) { return !sequence; })) return;
  anchors_.resize(local_position_.size());
  for (std::size_t c = 0; c != setups_.size(); ++c) {
    if (!sequences_[c]) continue;
    const TriangleMesh mesh = sequences_[c]->mesh(-infinity);
    const MeshQueries queries(mesh);
    parallel_for(local_position_.size(), [&](std::size_t b) {
      if (walls_.collider[b] == c)
        anchors_[b] = anchor_at(mesh, queries.closest(local_position_[b]).triangle, local_position_[b]);
    });
  }
}

bool Colliders::move_to(double time) {
  for (std::size_t c = 0; c != setups_.size(); ++c)
    if (setups_[c].temperature) walls_.temperature[c] = setups_[c].temperature->at(time);
  if (moved_ && all_still_) return false;
  // Velocities by central differences over a moment much shorter than any step.
  constexpr double moment = 1e-5;
  struct Place {
    Pose pose;
    TriangleMesh mesh;
  };
  std::vector<Place> now, before, after;
  for (std::size_t c = 0; c != setups_.size(); ++c) {
    const auto place = [&](double when) {
      return Place{pose_at(setups_[c].motion, when), sequences_[c] ? sequences_[c]->mesh(when) : TriangleMesh{}};
    };
    now.push_back(place(time));
    before.push_back(place(time - moment));
    after.push_back(place(time + moment));
  }
  parallel_for(local_position_.size(), [&](std::size_t b) {
    const Index c = walls_.collider[b];
    if (moved_ && still_[c]) return;
    Vec3 local_before = local_position_[b], local_after = local_position_[b];
    if (sequences_[c]) {
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

Colliders::Interval Colliders::interval(double from, double to) const {
  Interval result{{}, {}, to - from, {}, {}};
  for (std::size_t c = 0; c != setups_.size(); ++c) {
    const ColliderSetup& collider = setups_[c];
    result.from.push_back(pose_at(collider.motion, from));
    result.to.push_back(pose_at(collider.motion, to));
    const Pose& pose = result.to.back();
    result.in_place.push_back(collider.motion.still() && pose.position.isZero(0) &&
                              pose.rotation.coeffs() == Eigen::Quaterniond::Identity().coeffs());
    result.swept.push_back(sequences_[c]
                               ? std::make_unique<SweptMesh>(sequences_[c]->mesh(from), sequences_[c]->mesh(to),
                                                             sequences_[c]->one_sided())
                               : nullptr);
  }
  return result;
}

void Colliders::guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v) const {
  // A particle in a corner is passed from wall to wall.
  for (int round = 0; round != 4; ++round) {
    bool deflected = false;
    for (std::size_t c = 0; c != setups_.size(); ++c) deflected |= deflect(c, interval, start, x, v);
    if (!deflected) return;
  }
  // After a few rounds it stays where it was, or with a collider that moves: the first such place that none objects to,
  // and between two that close on it the last.
  const auto is_free = [&](const Vec3& place) {
    Vec3 end = place, velocity = v;
    for (std::size_t c = 0; c != setups_.size(); ++c)
      if (deflect(c, interval, start, end, velocity)) return false;
    return true;
  };
  x = start;
  for (std::size_t c = 0; c != setups_.size() && !is_free(x); ++c) {
    if (still_[c]) continue;
    x = interval.to[c].to_world(interval.from[c].to_local(start));
    Vec3 velocity = v;
    if (sequences_[c]) deflect(c, interval, start, x, velocity);
  }
}

void Colliders::guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float& free_way) const {
  float way = 0;
  bool sequences = false;
  for (std::size_t c = 0; c != setups_.size(); ++c) {
    sequences |= interval.swept[c] != nullptr;
    const Vec3 path = still_[c] ? x - start : Vec3(interval.to[c].to_local(x) - interval.from[c].to_local(start));
    way = std::max(way, path.norm());
  }
  const auto nearest = [&](const std::vector<Pose>& poses, const Vec3& at) {
    float distance = infinity;
    for (std::size_t c = 0; c != setups_.size(); ++c)
      if (!interval.swept[c])
        distance = std::min(distance, setups_[c].shape->distance(interval.in_place[c] ? at : poses[c].to_local(at)));
    return distance - 1.02f * margin_;
  };
  if (!sequences) {
    if (!(way < free_way)) free_way = nearest(interval.from, start);
    if (way < free_way) {
      free_way -= 1.001f * way;
      return;
    }
  }
  guard(interval, start, x, v);
  free_way = 0;
}

/// One collider, in its own frame; the velocity into the surface is taken out, and part of that along a rough one.
bool Colliders::deflect(std::size_t c, const Interval& interval, const Vec3& start, Vec3& x, Vec3& v) const {
  const Pose& from = interval.from[c];
  const Pose& to = interval.to[c];
  const bool in_place = interval.in_place[c];
  const Vec3 local_start = in_place ? start : from.to_local(start), local_end = in_place ? x : to.to_local(x);
  std::optional<Contact> contact;
  if (const SweptMesh* swept = interval.swept[c].get()) {
    if (const auto deflected = swept->deflect(local_start, local_end, margin_, 1 - setups_[c].roughness))
      contact = Contact{deflected->end, deflected->normal, deflected->end - deflected->carried, deflected->end};
  } else if (!clear_[c].holds(local_start, local_end)) {
    contact = meet(c, local_start, local_end);
  }
  if (!contact) return false;
  x = to.to_world(contact->end);

  const Vec3 normal = (to.rotation * contact->normal.cast<double>()).cast<float>();
  const Vec3 travelled = to.to_world(contact->surface_to) - from.to_world(contact->surface_from);
  const Vec3 wall_velocity = (travelled.cast<double>() / std::max(interval.seconds, 1e-12)).cast<float>();
  const float approach = (v - wall_velocity).dot(normal);
  if (approach < 0) {
    const Vec3 along = v - wall_velocity - approach * normal;
    v -= (1 + setups_[c].bounce) * approach * normal + setups_[c].roughness * along;
  }
  if (dimension_ == 2) {
    x.z() = 0;
    v.z() = 0;
  }
  return true;
}

/// On contact the motion goes on along the surface, in an edge along the edge, in a corner it ends.
std::optional<Colliders::Contact> Colliders::meet(std::size_t c, const Vec3& start, const Vec3& end) const {
  const Shape& shape = *setups_[c].shape;
  Vec3 way = end - start;
  std::optional<Hit> hit = shape.sweep(start, end, margin_);
  if (!hit) return std::nullopt;
  const Vec3 surface = start + hit->fraction * way;
  const Vec3 normal = hit->normal;
  Vec3 slid = start, first = Vec3::Zero();
  for (int surfaces = 0; hit; ++surfaces) {
    slid += hit->fraction * way;
    way *= 1 - hit->fraction;
    if (surfaces == 0) way *= 1 - setups_[c].roughness;
    const Vec3 edge = first.cross(hit->normal);
    if (surfaces == 0 || edge.norm() < 0.01f)
      way -= way.dot(hit->normal) * hit->normal;
    else
      way = way.dot(edge) / edge.squaredNorm() * edge;
    // A hair off the surface, so that rounding does not make it a contact again.
    way += 0.01f * margin_ * (hit->normal + first);
    first = hit->normal;
    if (surfaces == 3) way.setZero();
    hit = surfaces == 3 ? std::nullopt : shape.sweep(slid, slid + way, margin_);
  }
  slid += way;
  // What starts too deep is lifted towards the margin, slower than sound, so that others can make room.
  const float depth = margin_ - shape.distance(slid);
  if (depth > 0) slid += std::min(depth, margin_) * normal;
  return Contact{slid, normal, surface, surface};
}

float Colliders::distance(const Vec3& x, double time) const {
  float nearest = infinity;
  for (std::size_t c = 0; c != setups_.size(); ++c) {
    const ShapePtr shape = sequences_[c] ? sequences_[c]->shape(time) : setups_[c].shape;
    nearest = std::min(nearest, shape->distance(pose_at(setups_[c].motion, time).to_local(x)));
  }
  return nearest;
}

}  // namespace fondue
