// What matter does to rigid bodies: the load that is held over a step, impulses, and what is pushed within substeps.

#include <algorithm>
#include <cmath>
#include <utility>

#include "bodies/rigid_bodies.h"

namespace fondue {

namespace {

/// In a substep a body oscillates by this many radians at most on the matter that it touches, if that does so by
/// 0.5 by itself.
constexpr double radians_per_substep = 0.35, radians_of_matter = 0.5;

}  // namespace

Load RigidBodies::load(Index body, double time) const {
  Load load = loads_[body];
  load.force += pushes_[body].force;
  load.torque += pushes_[body].torque;
  load.force += properties_[body].mass * bodies_[body].setup().rigid->gravity.at(time).cast<double>();
  return load;
}

void RigidBodies::push(Index body, const Vec3d& impulse, const Vec3d& moment, double touched, double step) {
  pushed_for_ = step;
  touched_[body] = touched;
  const Load before = std::exchange(pushes_[body], {});
  if (!bodies_[body].dynamic()) return;
  RigidState state(bodies_[body].state(), properties_[body]);
  Load& now = pushes_[body];
  now = {impulse / step, (moment - state.centre.cross(impulse)) / step};
  if (dimension_ == 2) {
    now.force.z() = 0;
    now.torque.x() = now.torque.y() = 0;
  }
  if (now.force == before.force && now.torque == before.torque) return;
  state.push(properties_[body], step * (now.force - before.force), step * (now.torque - before.torque));
  bodies_[body].change_velocity(state.body_state(properties_[body]));
}

void RigidBodies::strike(Index body, const Vec3d& impulse, const Vec3d& at) {
  if (!bodies_[body].dynamic()) return;
  RigidState state(bodies_[body].state(), properties_[body]);
  Vec3d moment = (at - state.centre).cross(impulse);
  if (dimension_ == 2) moment.x() = moment.y() = 0;
  state.push(properties_[body], impulse, moment);
  bodies_[body].change_velocity(state.body_state(properties_[body]));
}

void RigidBodies::set_loads(const std::vector<Load>& loads, double step) {
  for (std::size_t k = 0; k != indices_.size(); ++k) {
    const Index b = indices_[k];
    Load now = loads[k];
    if (dimension_ == 2) {
      now.force.z() = 0;
      now.torque.x() = now.torque.y() = 0;
    }
    const Load before = std::exchange(loads_[b], now);
    if (!(step > 0) || !bodies_[b].dynamic()) continue;
    RigidState state(bodies_[b].state(), properties_[b]);
    state.push(properties_[b], 0.5 * step * (now.force - before.force), 0.5 * step * (now.torque - before.torque));
    bodies_[b].change_velocity(state.body_state(properties_[b]));
  }
}

void RigidBodies::begin_substeps(double from) {
  const bool once_more = !pushed_.empty();
  pushed_.assign(bodies_.size(), {});
  for (const Index b : indices_) {
    pushed_[b].path.since = from;
    pushed_[b].path.centre = properties_[b].centre;
    if (once_more && bodies_[b].dynamic()) bodies_[b].deviate(pushed_[b].path);
  }
}

void RigidBodies::push_within(Index b, const Vec3d& impulse, const Vec3d& moment, double to, double kicked) {
  if (!bodies_[b].dynamic()) return;
  Pushed& pushed = pushed_[b];
  Body::Deviation& path = pushed.path;
  const Pose pose = bodies_[b].pose_at(to);
  RigidState state(BodyState{pose, Vec3d::Zero(), Vec3d::Zero()}, properties_[b]);
  // What was expected is in the path.
  Load more{impulse - kicked * pushes_[b].force, moment - state.centre.cross(impulse) - kicked * pushes_[b].torque};
  if (dimension_ == 2) {
    more.force.z() = 0;
    more.torque.x() = more.torque.y() = 0;
  }
  state.velocity = state.angular_velocity = Vec3d::Zero();
  state.push(properties_[b], more.force, more.torque);
  path.shift += (to - path.since) * path.velocity;
  path.turn += (to - path.since) * path.angular_velocity;
  path.since = to;
  pushed.velocity += state.velocity;
  pushed.angular_velocity += state.angular_velocity;
  // The next substep is expected to push as this one did.
  const double again = kicked > 0 ? 1 : 0;
  path.velocity = pushed.velocity + again * state.velocity;
  path.angular_velocity = pushed.angular_velocity + again * state.angular_velocity;
  if (!path.shift.isZero(0) || !path.turn.isZero(0) || !path.velocity.isZero(0) || !path.angular_velocity.isZero(0))
    bodies_[b].deviate(path);
}

void RigidBodies::end_substeps() {
  for (const Index b : indices_)
    if (bodies_[b].dynamic()) bodies_[b].end_deviation();
  pushed_.clear();
}

double RigidBodies::substep_factor() const {
  double factor = 1;
  for (const Index b : indices_)
    if (bodies_[b].dynamic() && touched_[b] > 0)
      factor = std::min(factor, radians_per_substep / radians_of_matter * std::sqrt(properties_[b].mass / touched_[b]));
  return factor;
}

}  // namespace fondue
