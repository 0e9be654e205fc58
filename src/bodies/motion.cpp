#include "bodies/motion.h"

namespace fondue {

namespace {

Eigen::Quaterniond rotation_of(const Vec3& vector) {
  const Vec3d v = vector.cast<double>();
  const double angle = v.norm();
  return angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, v / angle)) : Eigen::Quaterniond::Identity();
}

}  // namespace

Pose pose_at(const Motion& motion, double time) {
  return {rotation_of(motion.rotation.at(time)), motion.position.at(time).cast<double>()};
}

}  // namespace fondue
