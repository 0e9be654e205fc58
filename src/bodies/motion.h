#pragma once
// Rigid motion: where a body is and how fast it moves, in double precision, given by keyframes.

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

/// Keyframes: x(t) = position(t) + R(t) x_local, R from a rotation vector (axis times angle [rad]).
struct Motion {
  Keyable<Vec3> position = Vec3(Vec3::Zero());
  Keyable<Vec3> rotation = Vec3(Vec3::Zero());
  bool still() const { return position.constant() && rotation.constant(); }
};

Pose pose_at(const Motion& motion, double time);

}  // namespace fondue
