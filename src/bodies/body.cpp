#include "bodies/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"

namespace fondue {

namespace {

std::string saved_name(const ColliderSetup& setup) { return "body." + setup.name; }
std::string held_name(const ColliderSetup& setup) { return "held." + setup.name; }

/// The pose of a frame `inner` that is given in the frame `outer`, and the other way round.
Pose composed(const Pose& outer, const Pose& inner) {
  return {(outer.rotation * inner.rotation).normalized(), outer.rotation * inner.position + outer.position};
}
Pose relative(const Pose& outer, const Pose& pose) {
  const Eigen::Quaterniond back = outer.rotation.conjugate();
  return {(back * pose.rotation).normalized(), back * (pose.position - outer.position)};
}

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
  if (rigid() && setup_.rigid->dynamic.at(0) > 0.5f) release();
}

void Body::follow_keyframes(double time) {
  if (dynamic_) return;
  const BodyState keyed = state_at(setup_.motion, time);
  state_ = keyed;
  if (!rigid()) return;
  state_.pose = composed(keyed.pose, caught_);
  state_.velocity = keyed.velocity_at(state_.pose.position);
}

void Body::begin_step(double time) {
  before_ = state_.pose;
  step_begin_ = step_end_ = time;
}

void Body::set_state(const BodyState& state, double time) {
  state_ = state;
  step_end_ = time;
}

void Body::release() { dynamic_ = true; }

void Body::hold(double time) {
  caught_ = relative(fondue::pose_at(setup_.motion, time), state_.pose);
  dynamic_ = false;
}

Pose Body::pose_at(double time) const {
  if (!rigid()) return fondue::pose_at(setup_.motion, time);
  if (!dynamic_) return composed(fondue::pose_at(setup_.motion, time), caught_);
  Pose pose = state_.pose;
  if (time < step_end_) {
    const double part = std::clamp((time - step_begin_) / (step_end_ - step_begin_), 0.0, 1.0);
    pose = {before_.rotation.slerp(part, state_.pose.rotation),
            (1 - part) * before_.position + part * state_.pose.position};
  }
  if (!deviation_) return pose;
  const Deviation& d = *deviation_;
  const double seconds = std::max(time - d.since, 0.0);
  const Vec3d turn = d.turn + seconds * d.angular_velocity, shift = d.shift + seconds * d.velocity;
  const Vec3d centre = pose.position + pose.rotation * d.centre + shift;
  if (const double angle = turn.norm(); angle > 0)
    pose.rotation = (Eigen::AngleAxisd(angle, turn / angle) * pose.rotation).normalized();
  return {pose.rotation, centre - pose.rotation * d.centre};
}

void Body::end_deviation() {
  state_.pose = pose_at(step_end_);
  deviation_.reset();
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
  if (!rigid()) return;
  const Vec3d& at = caught_.position;
  const Eigen::Quaterniond& turned = caught_.rotation;
  numbers[held_name(setup_)] = {dynamic_ ? 0.0 : 1.0, at.x(),     at.y(),     at.z(),
                                turned.w(),           turned.x(), turned.y(), turned.z()};
}

void Body::restore(const NamedNumbers& numbers) {
  if (const auto saved = saved_state(numbers, setup_)) state_ = *saved;
  if (const auto held = numbers.find(held_name(setup_)); rigid() && held != numbers.end()) {
    const std::vector<double>& n = held->second;
    if (n.size() != 8)
      throw InputError(fmt::format("the saved state '{}' has {} numbers instead of 8: held, position, quaternion",
                                   held->first, n.size()));
    dynamic_ = n[0] == 0;
    caught_ = {Eigen::Quaterniond(n[4], n[5], n[6], n[7]), Vec3d(n[1], n[2], n[3])};
  }
  before_ = state_.pose;
}

BodyState saved_body(const NamedNumbers& numbers, const ColliderSetup& collider, double time) {
  const auto saved = saved_state(numbers, collider);
  return saved ? *saved : state_at(collider.motion, time);
}

}  // namespace fondue
