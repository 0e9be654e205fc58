#include "cache/statistics.h"

#include <algorithm>
#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/heat.h"
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
          {"largest compression", "1"},
          {"viscosity iterations", "1"},
          {"viscosity error", "1"},
          {"heat", "J"}};
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
          largest_compression,
          viscosity_iterations,
          viscosity_error,
          heat};
}

Statistics measure(const World& world) {
  const Particles& particles = world.particles();
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto m = particles[columns::mass];
  const auto object = particles[columns::object];
  const bool compresses = particles.has(columns::compression.name);
  const auto s = compresses ? particles[columns::compression] : std::span<const float>{};
  const bool warms = particles.has(columns::heat_remainder.name);
  const auto T = warms ? particles[columns::temperature] : std::span<const float>{};
  const auto melted = warms ? particles[columns::melted] : std::span<const float>{};
  const auto remainder = warms ? particles[columns::heat_remainder] : std::span<const float>{};
  std::vector<std::optional<ThermalMaterial>> thermal;
  for (const ObjectSetup& setup : world.setup().objects) thermal.push_back(thermal_material(setup.tracks));
  std::vector<Vec3d> gravity;
  for (const ObjectSetup& setup : world.setup().objects)
    gravity.push_back(gravity_of(setup.tracks, world.time(), world.setup().dimension).cast<double>());

  constexpr std::size_t block = 4096;
  std::vector<Statistics> parts((particles.size() + block - 1) / block);
  parallel_blocks(particles.size(), block, [&](std::size_t begin, std::size_t end) {
    Statistics part;
    // Number by number: vectors would go through memory.
    double px = 0, py = 0, pz = 0;
    for (std::size_t i = begin; i != end; ++i) {
      const double vx = v[i].x(), vy = v[i].y(), vz = v[i].z(), mass = m[i];
      const Vec3d& g = gravity[object[i]];
      const double speed2 = vx * vx + vy * vy + vz * vz;
      part.mass += mass;
      px += mass * vx;
      py += mass * vy;
      pz += mass * vz;
      part.kinetic_energy += 0.5 * mass * speed2;
      part.potential_energy -= mass * (g.x() * x[i].x() + g.y() * x[i].y() + g.z() * x[i].z());
      part.largest_speed = std::max(part.largest_speed, speed2);
      if (warms && thermal[object[i]])
        part.heat += mass * heat_content({T[i], melted[i], remainder[i]}, *thermal[object[i]]);
      if (!compresses) continue;
      const double compression = std::max(0.0f, s[i] - 1);
      part.mean_compression += compression;
      part.largest_compression = std::max(part.largest_compression, compression);
    }
    part.momentum = {px, py, pz};
    parts[begin / block] = part;
  });
  Statistics sum;
  for (const Statistics& part : parts) {
    sum.mass += part.mass;
    sum.momentum += part.momentum;
    sum.kinetic_energy += part.kinetic_energy;
    sum.potential_energy += part.potential_energy;
    sum.heat += part.heat;
    sum.largest_speed = std::max(sum.largest_speed, part.largest_speed);
    sum.mean_compression += part.mean_compression;
    sum.largest_compression = std::max(sum.largest_compression, part.largest_compression);
  }
  sum.largest_speed = std::sqrt(sum.largest_speed);
  sum.time = world.time();
  sum.step = static_cast<double>(world.steps());
  sum.step_size = world.last_step();
  sum.particles = particles.size();
  sum.viscosity_iterations = world.viscous_solve().iterations;
  sum.viscosity_error = world.viscous_solve().error;
  if (particles.size() != 0) sum.mean_compression /= particles.size();
  return sum;
}

}  // namespace fondue
