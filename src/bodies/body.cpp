#include "bodies/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"

namespace fondue {

namespace {

std::string saved_name(const ColliderSetup& setup) { return "body." + setup.name; }

std::optional<BodyState> saved_state(const NamedNumbers& numbers, const ColliderSetup& setup) {
  const auto found = numbers.find(saved_name(setup));
  if (found == numbers.end()) return std::nullopt;
  const std::vector<double>& n = found->second;
  if (n.size() != 13)
    throw InputError(
        fmt::format("the saved state '{}' has {} numbers instead of 13: position, quaternion, velocity, "
                    "angular velocity",
                    found->first, n.size()));
  return BodyState{{Eigen::Quaterniond(n[3], n[4], n[5], n[6]), Vec3d(n[0], n[1], n[2])},
                   Vec3d(n[7], n[8], n[9]),
                   Vec3d(n[10], n[11], n[12])};
}

}  // namespace

Body::Body(ColliderSetup setup, float finest_spacing)
    : setup_(std::move(setup)),
      spacing_(setup_.spacing > 0 ? setup_.spacing : finest_spacing),
      sequence_(setup_.shape->sequence()),
      still_(setup_.still()),
      has_surface_velocity_(
          std::ranges::any_of(setup_.surface_velocity.values(), [](const Vec3& v) { return !v.isZero(0); })) {
  follow_keyframes(0);
}

float Body::distance(const Vec3& x, double time) const {
  const ShapePtr shape = sequence_ ? sequence_->shape(time) : setup_.shape;
  return shape->distance(pose_at(time).to_local(x));
}

Vec3d Body::surface_velocity(const Pose& pose, const Vec3d& normal, double time) const {
  const Vec3d v = pose.rotation * setup_.surface_velocity.at(time).cast<double>();
  return v - v.dot(normal) * normal;
}

void Body::save(NamedNumbers& numbers) const {
  const Vec3d &x = state_.pose.position, &v = state_.velocity, &w = state_.angular_velocity;
  const Eigen::Quaterniond& q = state_.pose.rotation;
  numbers[saved_name(setup_)] = {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z(),
                                 v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
}

void Body::restore(const NamedNumbers& numbers) {
  if (const auto saved = saved_state(numbers, setup_)) state_ = *saved;
}

Pose saved_pose(const NamedNumbers& numbers, const ColliderSetup& collider, double time) {
  const auto saved = saved_state(numbers, collider);
  return saved ? saved->pose : pose_at(collider.motion, time);
}

}  // namespace fondue
