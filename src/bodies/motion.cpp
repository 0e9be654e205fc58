#include "bodies/motion.h"

#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

struct ValueAndRate {
  Vec3d value, rate = Vec3d::Zero();
};

/// A curve over time and its derivative. Values are those of Curve, without its rounding to single precision: that
/// would be visible in the velocities.
ValueAndRate follow(const Curve<Vec3>& curve, double time) {
  const std::vector<double>& keys = curve.keys();
  const auto value = [&](std::size_t k) -> Vec3d { return curve.values()[k].cast<double>(); };
  time = curve.between_keys(time);
  if (time < keys.front() || keys.size() == 1) return {value(0)};
  if (time >= keys.back()) return {value(keys.size() - 1)};
  const std::size_t k = std::upper_bound(keys.begin(), keys.end(), time) - keys.begin();
  const double seconds = keys[k] - keys[k - 1], u = (time - keys[k - 1]) / seconds;
  const double w = eased(curve.interpolation(), u), w_rate = eased_rate(curve.interpolation(), u) / seconds;
  const Vec3d from = value(k - 1), to = value(k);
  return {(1 - w) * from + w * to, w_rate * (to - from)};
}

Eigen::Quaterniond rotation_of(const Vec3d& vector) {
  const double angle = vector.norm();
  return angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, vector / angle)) : Eigen::Quaterniond::Identity();
}

/// Angular velocity of the rotation exp([w]x) whose rotation vector w changes at a rate (left Jacobian of SO(3)):
///
///   omega = w' + (1 - cos a)/a^2 w x w' + (a - sin a)/a^3 w x (w x w'),   a = |w|
Vec3d angular_velocity_of(const Vec3d& w, const Vec3d& rate) {
  const double a = w.norm();
  // The leading terms of their series where the quotients lose their digits.
  const double first = a > 1e-3 ? (1 - std::cos(a)) / (a * a) : 0.5 - a * a / 24;
  const double second = a > 1e-3 ? (a - std::sin(a)) / (a * a * a) : 1.0 / 6 - a * a / 120;
  const Vec3d across = w.cross(rate);
  return rate + first * across + second * w.cross(across);
}

}  // namespace

BodyState state_at(const Motion& motion, double time) {
  const ValueAndRate position = follow(motion.position.curve(), time), rotation = follow(motion.rotation.curve(), time);
  const Eigen::Quaterniond R = rotation_of(rotation.value);
  const Vec3d omega = angular_velocity_of(rotation.value, rotation.rate), pivot = motion.pivot.cast<double>();
  const Vec3d turned = R * pivot;
  return {{R, position.value + (pivot - turned)}, position.rate - omega.cross(turned), omega};
}

Pose pose_at(const Motion& motion, double time) { return state_at(motion, time).pose; }

}  // namespace fondue
