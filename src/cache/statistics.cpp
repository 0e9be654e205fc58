#include "cache/statistics.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {

namespace {

std::vector<Statistic> statistics_of(const World& world) {
  std::vector<Statistic> all = world.behaviour_statistics();
  if (world.solves()) all.insert(all.end(), {{"solve iterations", "1"}, {"solve error", "1"}});
  if (world.has_sheets()) all.push_back({"leaks through sheets", "1"});
  return all;
}

}  // namespace

std::vector<TableColumn> statistics_columns(const World& world) {
  std::vector<TableColumn> columns = {{"time", "s"},
                                      {"step", "1"},
                                      {"step size", "s"},
                                      {"particles", "1"},
                                      {"mass", "kg"},
                                      {"momentum x", "kg m/s"},
                                      {"momentum y", "kg m/s"},
                                      {"momentum z", "kg m/s"},
                                      {"kinetic energy", "J"},
                                      {"largest speed", "m/s"}};
  for (const Statistic& statistic : statistics_of(world)) columns.push_back({statistic.name, statistic.unit});
  columns.insert(columns.end(), {{"step limited by", ""}, {"limiting object", ""}});
  return columns;
}

double Statistics::operator[](std::string_view name) const {
  for (std::size_t k = 0; k != names.size(); ++k)
    if (name == names[k].name) return values[k];
  throw InputError("no behaviour of this scene measures '" + std::string(name) + "'");
}

std::vector<double> Statistics::row() const {
  std::vector<double> row = {time,         step,         step_size,    particles,      mass,
                             momentum.x(), momentum.y(), momentum.z(), kinetic_energy, largest_speed};
  row.insert(row.end(), values.begin(), values.end());
  return row;
}

Statistics measure(const World& world) {
  const Particles& particles = world.particles();
  const auto v = particles[columns::velocity];
  const auto m = particles[columns::mass];

  // Number by number: vectors would go through memory.
  struct Part {
    double mass = 0, px = 0, py = 0, pz = 0, kinetic_energy = 0, largest_speed2 = 0;
  };
  constexpr std::size_t block = 1024;
  std::vector<Part> parts((particles.size() + block - 1) / block);
  parallel_blocks(particles.size(), block, [&](std::size_t begin, std::size_t end) {
    Part part;
    for (std::size_t i = begin; i != end; ++i) {
      const double vx = v[i].x(), vy = v[i].y(), vz = v[i].z(), mass = m[i];
      const double speed2 = vx * vx + vy * vy + vz * vz;
      part.mass += mass;
      part.px += mass * vx;
      part.py += mass * vy;
      part.pz += mass * vz;
      part.kinetic_energy += 0.5 * mass * speed2;
      part.largest_speed2 = std::max(part.largest_speed2, speed2);
    }
    parts[begin / block] = part;
  });
  Statistics sum;
  for (const Part& part : parts) {
    sum.mass += part.mass;
    sum.momentum += Vec3d(part.px, part.py, part.pz);
    sum.kinetic_energy += part.kinetic_energy;
    sum.largest_speed = std::max(sum.largest_speed, part.largest_speed2);
  }
  sum.largest_speed = std::sqrt(sum.largest_speed);
  sum.time = world.time();
  sum.step = static_cast<double>(world.steps());
  sum.step_size = world.last_step();
  sum.particles = particles.size();
  sum.names = statistics_of(world);
  sum.values = world.measure_behaviours();
  if (world.solves()) {
    sum.values.push_back(world.solve_result().iterations);
    sum.values.push_back(world.solve_result().error);
  }
  if (world.has_sheets()) sum.values.push_back(world.leaks());
  const StepLimit& limit = world.step_limit();
  sum.limited_by = limit.cause;
  if (limit.object < world.setup().objects.size()) sum.limiting_object = world.setup().objects[limit.object].name;
  return sum;
}

}  // namespace fondue
