#pragma once
// Rigid bodies for tests.

#include "support/setups.h"

namespace fondue::testing_support {

/// A rigid body of this density, where its shape is.
inline ColliderSetup rigid(const std::string& name, ShapePtr shape, float density,
                           const Vec3& gravity = Vec3(0, 0, -9.81f)) {
  ColliderSetup result = solid(name, std::move(shape));
  result.rigid = RigidSetup{};
  result.rigid->density = density;
  result.rigid->gravity = gravity;
  return result;
}

/// A box with its middle here.
inline ShapePtr box_at(const Vec3& centre, const Vec3& size) {
  return make_box(Vec3(centre - 0.5f * size), Vec3(centre + 0.5f * size));
}

inline JointSetup joint(const std::string& name, JointKind kind, Index body, std::optional<Index> to,
                        const Vec3& anchor, const Vec3& axis = Vec3(0, 1, 0)) {
  JointSetup result;
  result.name = name;
  result.kind = kind;
  result.body = body;
  result.to = to;
  result.anchor = anchor;
  result.axis = axis;
  return result;
}

/// The centre of mass of a body and how it moves.
inline RigidState rigid_state(const World& world, Index body) {
  return {world.bodies()[body].state(), world.bodies().rigid().properties(body)};
}

inline Vec3d angular_momentum(const World& world, Index body) {
  return rigid_state(world, body).angular_momentum(world.bodies().rigid().properties(body));
}

inline double kinetic_energy_of(const World& world, Index body) {
  const RigidState state = rigid_state(world, body);
  const MassProperties& properties = world.bodies().rigid().properties(body);
  return 0.5 * properties.mass * state.velocity.squaredNorm() +
         0.5 * state.angular_velocity.dot(state.angular_momentum(properties));
}

}  // namespace fondue::testing_support
