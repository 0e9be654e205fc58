// fondue bench: how fast the step is on this machine, by phase, for a box filled with fluid.

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "cache/output_file.h"
#include "cli/commands.h"
#include "core/error.h"
#include "shapes/combine.h"
#include "shapes/primitives.h"
#include "world/world.h"

namespace fondue {

namespace {

struct Result {
  std::string name;
  double particles, particle_steps_per_second, bytes_per_particle;
  PhaseTimes milliseconds;
};

/// A closed box full of fluid under gravity: density, pressure and artificial viscosity, new neighbours every step.
WorldSetup filled_box(int particles) {
  const int side = static_cast<int>(std::lround(std::cbrt(particles)));
  WorldSetup setup;
  setup.spacing = 1.0f / static_cast<float>(side);
  ObjectSetup fluid;
  fluid.name = "fluid";
  fluid.shape = make_box(Vec3::Zero(), Vec3::Ones());
  fluid.spacing = setup.spacing;
  for (const char* behaviour : {"gravity", "fluid", "artificial_viscosity"})
    fluid.tracks.push_back({behaviour, 1.0f, {}});
  setup.objects.push_back(fluid);
  return setup;
}

Result measure(const std::string& name, const WorldSetup& setup, double seconds) {
  World world(setup);
  world.step(1e9);
  const PhaseTimes before = world.phases();
  const auto begin = std::chrono::steady_clock::now();
  double elapsed = 0;
  int steps = 0;
  while (elapsed < seconds || steps < 3) {
    world.step(1e9);
    ++steps;
    elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const PhaseTimes after = world.phases();
  const double scale = 1000.0 / steps;
  const double particles = world.particles().size();
  return {name,
          particles,
          particles * steps / elapsed,
          static_cast<double>(world.bytes()) / particles,
          {scale * (after.sort - before.sort), scale * (after.lists - before.lists),
           scale * (after.density - before.density), scale * (after.forces - before.forces),
           scale * (after.integration - before.integration), scale * (after.rest - before.rest)}};
}

std::string json(const std::vector<Result>& results) {
  std::string text = "[\n";
  for (std::size_t k = 0; k != results.size(); ++k) {
    const Result& r = results[k];
    const PhaseTimes& ms = r.milliseconds;
    text += fmt::format(
        "  {{\"case\": \"{}\", \"particles\": {:.0f}, \"particle_steps_per_second\": {:.6g}, \"bytes_per_particle\": "
        "{:.1f}, \"milliseconds\": "
        "{{\"sort\": {:.4g}, \"lists\": {:.4g}, \"density\": {:.4g}, \"forces\": {:.4g}, \"integration\": {:.4g}, \"rest\": {:.4g}}}}}{}\n",
        r.name, r.particles, r.particle_steps_per_second, r.bytes_per_particle, ms.sort, ms.lists, ms.density, ms.forces,
        ms.integration, ms.rest, k + 1 == results.size() ? "" : ",");
  }
  return text + "]\n";
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("bench", "Measure particle-steps a second, milliseconds a phase and bytes a particle");
  auto file = std::make_shared<std::string>();
  auto seconds = std::make_shared<double>(5);
  command->add_option("--json", *file, "also write the results to this file");
  command->add_option("--seconds", *seconds, "how long each case is measured")->check(CLI::PositiveNumber);
  command->callback([file, seconds] {
    std::vector<Result> results;
    fmt::print("{:<22}{:>10}{:>18}{:>10}   milliseconds a step: neighbours  sums  rates  motion  rest\n", "case",
               "particles", "particle-steps/s", "bytes");
    for (const auto& [name, count] : {std::pair{"filled-box-50k", 50'000}, std::pair{"filled-box-200k", 200'000},
                                      std::pair{"filled-box-1M", 1'000'000}}) {
      const Result r = measure(name, filled_box(count), *seconds);
      const PhaseTimes& ms = r.milliseconds;
      fmt::print("{:<22}{:>10.0f}{:>18.3g}{:>10.0f}   {:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}\n", r.name, r.particles,
                 r.particle_steps_per_second, r.bytes_per_particle, ms.sort, ms.lists, ms.density, ms.forces,
                 ms.integration, ms.rest);
      std::fflush(stdout);
      results.push_back(r);
    }
    if (!file->empty()) write_text_atomically(*file, json(results));
  });
}

}  // namespace fondue
