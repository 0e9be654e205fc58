#include "bodies/rigid_motion.h"

#include <Eigen/LU>

#include "shapes/moments.h"

namespace fondue {

MassProperties mass_properties(const Shape& shape, const RigidSetup& setup, int dimension) {
  const Moments moments = fondue::moments(shape, dimension);
  MassProperties result;
  const double density = setup.mass ? static_cast<double>(*setup.mass) / moments.volume
                                    : static_cast<double>(setup.density.value_or(0.0f));
  result.mass = density * moments.volume;
  result.centre = moments.centre;
  Eigen::Matrix3d second = density * moments.second;
  if (dimension == 2) {
    // Only the rotation about z matters; the others get the same inertia.
    const double about_z = second(0, 0) + second(1, 1);
    result.inertia = about_z * Eigen::Matrix3d::Identity();
  } else {
    result.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
  }
  result.inverse_inertia = result.inertia.inverse();
  return result;
}

RigidState::RigidState(const BodyState& body, const MassProperties& properties)
    : centre(body.pose.position + body.pose.rotation * properties.centre),
      rotation(body.pose.rotation),
      velocity(body.velocity_at(centre)),
      angular_velocity(body.angular_velocity) {}

BodyState RigidState::body_state(const MassProperties& properties) const {
  const Vec3d arm = rotation * properties.centre;
  return {{rotation, centre - arm}, velocity - angular_velocity.cross(arm), angular_velocity};
}

Eigen::Matrix3d RigidState::turned(const Eigen::Matrix3d& local) const {
  const Eigen::Matrix3d R = rotation.toRotationMatrix();
  return R * local * R.transpose();
}

Vec3d RigidState::angular_momentum(const MassProperties& properties) const {
  return turned(properties.inertia) * angular_velocity;
}

void RigidState::push(const MassProperties& properties, const Vec3d& impulse, const Vec3d& moment) {
  velocity += impulse / properties.mass;
  angular_velocity += turned(properties.inverse_inertia) * moment;
}

void move_freely(RigidState& state, const MassProperties& properties, const Load& load, double h) {
  const Vec3d a = load.force / properties.mass;
  state.centre += state.velocity * h + 0.5 * h * h * a;
  state.velocity += h * a;

  const Vec3d L = state.angular_momentum(properties), middle_L = L + 0.5 * h * load.torque;
  const auto turned_by = [&](const Vec3d& w, double seconds) -> Eigen::Quaterniond {
    const double angle = w.norm() * seconds;
    if (!(angle > 0)) return state.rotation;
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, w.normalized())) * state.rotation;
  };
  Vec3d w = state.angular_velocity;
  // Each iteration gains about a factor |w| h; twelve reach the last digit for steps of up to a tenth of a radian.
  for (int k = 0; k != 12; ++k) {
    const Eigen::Matrix3d R = turned_by(w, 0.5 * h).toRotationMatrix();
    w = R * (properties.inverse_inertia * (R.transpose() * middle_L));
  }
  state.rotation = turned_by(w, h).normalized();
  state.angular_velocity = state.turned(properties.inverse_inertia) * (L + h * load.torque);
}

}  // namespace fondue
