#pragma once
// Elastic bodies for tests.

#include "behaviours/elastic.h"
#include "support/setups.h"

namespace fondue::testing_support {

inline Track elastic(double E, double nu = 0.3, double damping = 0) {
  return track("elastic", {{Elastic::youngs_modulus, E}, {Elastic::poissons_ratio, nu}, {Elastic::damping, damping}});
}

/// A box of n particles with a corner at the origin.
inline ShapePtr block(int dimension, float spacing, int nx, int ny, int nz = 1) {
  const Vec3 size = spacing * Vec3(static_cast<float>(nx), static_cast<float>(ny), static_cast<float>(nz));
  return dimension == 2 ? rectangle(0, 0, size.x(), size.y()) : make_box(Vec3::Zero(), size);
}

inline PinSetup pin(const std::string& name, ShapePtr shape, Keyable<float> on = 1.0f) {
  PinSetup result;
  result.name = name;
  result.shape = std::move(shape);
  result.on = std::move(on);
  return result;
}

/// A statistic of all behaviours by its name.
inline double statistic(const World& world, const std::string& name) {
  const std::vector<Statistic> all = world.behaviour_statistics();
  const std::vector<double> values = world.measure_behaviours();
  for (std::size_t k = 0; k != all.size(); ++k)
    if (all[k].name == name) return values[k];
  throw std::runtime_error("no statistic " + name);
}

inline double kinetic_energy(const World& world) {
  double sum = 0;
  const Particles& particles = world.particles();
  for (Index i = 0; i != particles.size(); ++i)
    sum += 0.5 * particles[columns::mass][i] * particles[columns::velocity][i].cast<double>().squaredNorm();
  return sum;
}

/// Calls change(x, v) for every particle.
template <class Change>
void change_particles(World& world, Change&& change) {
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  for (Index i = 0; i != world.particles().size(); ++i) change(x[i], v[i]);
}

/// Mean of value(i) over particles for which chosen(i) is true.
template <class Chosen, class Value>
double mean_of(const World& world, Chosen&& chosen, Value&& value) {
  double sum = 0;
  Index count = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    if (chosen(i)) {
      sum += static_cast<double>(value(i));
      ++count;
    }
  return sum / count;
}

/// Positions by id.
inline std::vector<Vec3> positions(const World& world) {
  std::vector<Vec3> result(world.particles().next_id(), Vec3::Zero());
  for (Index i = 0; i != world.particles().size(); ++i)
    result[world.particles()[columns::id][i]] = world.particles()[columns::position][i];
  return result;
}

}  // namespace fondue::testing_support
