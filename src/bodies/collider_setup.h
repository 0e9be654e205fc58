#pragma once
// The plain description of a collider: what a scene file says, with its shape made and its curves read.

#include <optional>
#include <string>

#include "bodies/motion.h"
#include "bodies/rigid_setup.h"
#include "shapes/shape.h"

namespace fondue {

struct ColliderSetup {
  std::string name;
  /// In its own frame; the motion places it. The inside is solid; a container comes as a complement.
  ShapePtr shape;
  /// The container's inside, for pictures; empty box for a solid.
  Box container;
  Motion motion;
  /// Distance between its boundary particles [m]; 0: the finest spacing of all matter.
  float spacing = 0;
  /// Its surface moves at this velocity [m/s] in its own frame, in addition to the motion, although the shape does not:
  /// a conveyor or a lid. Only the part along the surface counts.
  Keyable<Vec3> surface_velocity = Vec3(Vec3::Zero());
  /// 0: matter sticks to it, 1: slides freely.
  Keyable<float> slip = 0.0f;
  /// Fractions of the normal speed kept and of the tangential speed taken when the continuous collision catches a
  /// particle.
  float bounce = 0;
  Keyable<float> roughness = 0.0f;
  /// Coefficient of Coulomb friction between it and rigid bodies.
  float friction = 0.5f;
  /// Pull of a unit of its area on matter that touches it [Pa].
  Keyable<float> stickiness = 0.0f;
  /// Of its surface [K]; without one it is insulated.
  std::optional<Keyable<float>> temperature;
  bool visible = true;
  /// Its motion is solved for; without it, its keyframes say where it is.
  std::optional<RigidSetup> rigid;
  /// Neither moves nor changes its shape.
  bool still() const { return motion.still() && !shape->sequence() && !rigid; }
};

}  // namespace fondue
