#pragma once
// Momenta and energy of all particles, for tests of collisions.

#include "support/bodies.h"

namespace fondue::testing_support {

/// Linear momentum of an object, or of all.
inline Vec3d momentum(const World& world, int object = -1) {
  Vec3d sum = Vec3d::Zero();
  const Particles& p = world.particles();
  for (Index i = 0; i != p.size(); ++i)
    if (object < 0 || p[columns::object][i] == static_cast<Index>(object))
      sum += (p[columns::mass][i] * p[columns::velocity][i]).cast<double>();
  return sum;
}

inline Vec3d angular_momentum(const World& world) {
  Vec3d sum = Vec3d::Zero();
  const Particles& p = world.particles();
  for (Index i = 0; i != p.size(); ++i)
    sum += p[columns::position][i].cast<double>().cross((p[columns::mass][i] * p[columns::velocity][i]).cast<double>());
  return sum;
}

inline double mean_velocity_x(const World& world, Index object) {
  return mean_of(
      world, [&](Index i) { return world.particles()[columns::object][i] == object; },
      [&](Index i) { return world.particles()[columns::velocity][i].x(); });
}

inline double energy_of_solids(const World& world) {
  return kinetic_energy(world) + statistic(world, "elastic energy") + statistic(world, "contact energy");
}

}  // namespace fondue::testing_support
