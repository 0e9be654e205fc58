#pragma once
// A rigid body as mechanics sees it: mass, inertia, the motion of its centre of mass, and how it moves while it touches
// nothing.
//
// A free body takes
//
//   x <- x + v h + (F/m) h^2/2,   v <- v + (F/m) h,   L <- L + T h,   R <- exp(w h) R
//
// with w = R' I^-1 R'^T (L + T h/2) at the orientation R' in the middle of the step, R' = exp(w h/2) R, solved for by
// iteration (implicit midpoint rule). Momentum and angular momentum are exact; the energy of a spinning body stays
// within O(h^2) for ever, because the rule is symmetric in time.

#include <Eigen/Geometry>

#include "bodies/motion.h"
#include "bodies/rigid_setup.h"
#include "shapes/shape.h"

namespace fondue {

/// Force, and torque about a point.
struct Load {
  Vec3d force = Vec3d::Zero(), torque = Vec3d::Zero();
};

/// In the body's own frame; the inertia is about the centre of mass.
struct MassProperties {
  double mass = 0;
  Vec3d centre = Vec3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero(), inverse_inertia = Eigen::Matrix3d::Zero();
};

/// Of a body of uniform density; `density` [kg/m^d], or a given mass. A body in the plane turns about z only.
MassProperties mass_properties(const Shape& shape, const RigidSetup& setup, int dimension);

/// Motion of the centre of mass, and rotation of the body's frame.
struct RigidState {
  Vec3d centre = Vec3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3d velocity = Vec3d::Zero(), angular_velocity = Vec3d::Zero();

  RigidState() = default;
  RigidState(const BodyState& body, const MassProperties& properties);
  BodyState body_state(const MassProperties& properties) const;

  Eigen::Matrix3d turned(const Eigen::Matrix3d& local) const;
  Vec3d angular_momentum(const MassProperties& properties) const;
  /// Changes the velocities at once, by an impulse and its moment about the centre of mass.
  void push(const MassProperties& properties, const Vec3d& impulse, const Vec3d& moment);
};

/// Moves a body that touches nothing, under a load about its centre of mass.
void move_freely(RigidState& state, const MassProperties& properties, const Load& load, double seconds);

}  // namespace fondue
