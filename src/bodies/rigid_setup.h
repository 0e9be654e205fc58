#pragma once
// The plain description of what makes a collider a rigid body, and of the joints that hold bodies.

#include <optional>
#include <string>

#include "timeline/curve.h"

namespace fondue {

struct RigidSetup {
  /// Of the two, the one that is given: mass over volume [kg/m^d], or the mass of the whole [kg].
  std::optional<float> density, mass;
  /// Acceleration by gravity [m/s^2].
  Keyable<Vec3> gravity = Vec3(Vec3::Zero());
  /// Of its centre of mass, and of the rotation about it, at the start.
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  /// Its motion is solved for while this is above 0.5; otherwise it is held, and follows its keyframes.
  Keyable<float> dynamic = 1.0f;
};

enum class JointKind { fixed, hinge, ball, slider };

struct JointSetup {
  std::string name;
  JointKind kind = JointKind::fixed;
  /// Indices of colliders: a rigid body, and what it is joined to, the world if there is none.
  Index body = 0;
  std::optional<Index> to;
  /// Where the joint is and its axis, with the bodies where they are at the start.
  Vec3 anchor = Vec3::Zero(), axis = Vec3(0, 0, 1);
  /// A motor: speed of the body relative to what it is joined to, about the axis of a hinge [rad/s] or along that of a
  /// slider [m/s], and the largest torque or force it can exert.
  std::optional<Keyable<float>> speed;
  float strength = infinity;
  /// It holds while this is above 0.5, and from then on what is joined as it is at that moment.
  Keyable<float> on = 1.0f;
};

}  // namespace fondue
