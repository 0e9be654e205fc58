#pragma once
// Thin shells for tests.

#include "behaviours/shell.h"
#include "support/cloth.h"

namespace fondue::testing_support {

struct ShellWall {
  double E = 1e6, nu = 0.3, damping = 0, thickness = 0.02, friction = 0.3;
  float density = 1000;

  /// Stiffness against bending [N m].
  double D() const { return E * thickness * thickness * thickness / (12 * (1 - nu * nu)); }
};

inline Track shell(const ShellWall& wall = {}) {
  return track("shell", {{Shell::youngs_modulus, wall.E},
                         {Shell::poissons_ratio, wall.nu},
                         {Shell::damping, wall.damping},
                         {Shell::friction, wall.friction}});
}

/// A shell and nothing else.
inline WorldSetup lone_shell(ShapePtr shape, float spacing, const ShellWall& wall = {}) {
  WorldSetup setup = world_setup(3, spacing);
  setup.objects.push_back(object("shell", std::move(shape), spacing, {shell(wall)}));
  setup.objects[0].thickness = static_cast<float>(wall.thickness);
  setup.objects[0].density = wall.density;
  return setup;
}

inline WorldSetup flat_shell(float width, float length, float spacing, const ShellWall& wall = {}) {
  return lone_shell(make_rectangle(Vec3::Zero(), width, length), spacing, wall);
}

}  // namespace fondue::testing_support
