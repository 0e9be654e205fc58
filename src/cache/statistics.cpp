#include "cache/statistics.h"

#include <algorithm>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "core/parallel.h"

namespace fondue {

std::vector<TableColumn> Statistics::table_columns() {
  return {{"time", "s"},
          {"step", "1"},
          {"step size", "s"},
          {"particles", "1"},
          {"mass", "kg"},
          {"momentum x", "kg m/s"},
          {"momentum y", "kg m/s"},
          {"momentum z", "kg m/s"},
          {"kinetic energy", "J"},
          {"potential energy", "J"},
          {"largest speed", "m/s"},
          {"mean compression", "1"},
          {"largest compression", "1"}};
}

std::vector<double> Statistics::row() const {
  return {time,
          step,
          step_size,
          particles,
          mass,
          momentum.x(),
          momentum.y(),
          momentum.z(),
          kinetic_energy,
          potential_energy,
          largest_speed,
          mean_compression,
          largest_compression};
}

Statistics measure(const World& world) {
  const Particles& particles = world.particles();
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto m = particles[columns::mass];
  const auto object = particles[columns::object];
  const bool compresses = particles.has(columns::compression.name);
  const auto s = compresses ? particles[columns::compression] : std::span<const float>{};
  std::vector<Vec3d> gravity;
  for (const ObjectSetup& setup : world.setup().objects)
    gravity.push_back(gravity_of(setup.tracks, world.time(), world.setup().dimension).cast<double>());

  Statistics sum = parallel_reduce(
      particles.size(), Statistics{},
      [&](std::size_t i) {
        Statistics one;
        one.mass = m[i];
        one.momentum = m[i] * v[i].cast<double>();
        one.kinetic_energy = 0.5 * m[i] * v[i].cast<double>().squaredNorm();
        one.potential_energy = -m[i] * gravity[object[i]].dot(x[i].cast<double>());
        one.largest_speed = v[i].norm();
        one.mean_compression = one.largest_compression = compresses ? std::max(0.0f, s[i] - 1) : 0.0f;
        return one;
      },
      [](Statistics a, const Statistics& b) {
        a.mass += b.mass;
        a.momentum += b.momentum;
        a.kinetic_energy += b.kinetic_energy;
        a.potential_energy += b.potential_energy;
        a.largest_speed = std::max(a.largest_speed, b.largest_speed);
        a.mean_compression += b.mean_compression;
        a.largest_compression = std::max(a.largest_compression, b.largest_compression);
        return a;
      });
  sum.time = world.time();
  sum.step = static_cast<double>(world.steps());
  sum.step_size = world.last_step();
  sum.particles = particles.size();
  if (particles.size() != 0) sum.mean_compression /= particles.size();
  return sum;
}

}  // namespace fondue
