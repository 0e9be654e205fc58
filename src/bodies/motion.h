#pragma once
// Rigid motion, in double precision: where a body is, how fast it moves, and keyframes that say both.

#include <Eigen/Geometry>

#include "timeline/curve.h"

namespace fondue {

/// Position and orientation of a body's own frame.
struct Pose {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3d position = Vec3d::Zero();

  Vec3 to_world(const Vec3& local) const { return (rotation * local.cast<double>() + position).cast<float>(); }
  Vec3 to_local(const Vec3& x) const { return (rotation.conjugate() * (x.cast<double>() - position)).cast<float>(); }
};

struct BodyState {
  Pose pose;
  /// Of the origin of the body's frame [m/s], and of the rotation [rad/s]; both along the axes of the world.
  Vec3d velocity = Vec3d::Zero(), angular_velocity = Vec3d::Zero();

  /// Velocity of the point of the body that is at x.
  Vec3d velocity_at(const Vec3d& x) const { return velocity + angular_velocity.cross(x - pose.position); }
};

/// Keyframes: x(t) = position(t) + pivot + R(t) (x_local - pivot), R from a rotation vector (axis times angle [rad]).
struct Motion {
  Keyable<Vec3> position = Vec3(Vec3::Zero());
  Keyable<Vec3> rotation = Vec3(Vec3::Zero());
  Vec3 pivot = Vec3::Zero();
  bool still() const { return position.constant() && rotation.constant(); }
};

Pose pose_at(const Motion& motion, double time);
/// With the exact velocities of the keyframes' curves; at a key, those of the time that follows.
BodyState state_at(const Motion& motion, double time);

}  // namespace fondue
