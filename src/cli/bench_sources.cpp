// fondue bench --sources: the animations of the papers with the published numbers of particles, compared with the
// published times per step; how the cost of a viscoplastic step scales with the number of particles (linearly according
// to P09); and the speed-up by implicit viscosity for a standing block.

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "cache/output_file.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "scene/scene.h"
#include "shapes/primitives.h"
#include "world/world.h"

namespace fondue {

namespace {

struct SourceRow {
  const char* scene;
  const char* source;
  double particles, seconds_per_step;
};

/// P06 table 2 (Pentium 4, 2.4 GHz) and P09 table 1 (Centrino, 1.86 GHz), one core each; L09 7.5 on four cores.
constexpr SourceRow rows[] = {
    {"bunny-melt", "P06", 9727, 0.94},  {"chair-melt", "P06", 10000, 0.75}, {"gargoyle-melt", "P06", 6976, 1.06},
    {"logo-melt", "P06", 12900, 0.92},  {"hand-press", "P09", 6000, 0.55},  {"candle", "P09", 7000, 0.14},
    {"sugar-loaf", "P09", 10000, 0.73}, {"face-drop", "P09", 5000, 0.46},   {"lava", "P09", 4900, 0.42},
    {"chair-hand", "P09", 7100, 0.65},  {"wall-impact", "P09", 5000, 0.24}, {"densities", "L09", 260000, 0.70},
};

/// The scene at the spacing that gives about this many particles; unchanged if particles come from emitters.
Scene scene_of(const SourceRow& row) {
  const std::string path = scenes_folder() / fmt::format("{}.toml", row.scene);
  Scene scene = load_scene(path);
  if (!scene.world.emitters.empty()) return scene;
  for (int k = 0; k != 2; ++k) {
    const double count = World(scene.world).particles().size();
    if (std::abs(count / row.particles - 1) < 0.01) break;
    const double spacing = scene.world.spacing * std::cbrt(count / row.particles);
    scene = load_scene(path, {{"scene.spacing", fmt::format("{}", spacing)}});
  }
  return scene;
}

/// Maximum wall-clock time to wait until a scene has developed [s].
constexpr double longest_wait = 40;

struct Steps {
  double particles = 0, mean = 0, step = 0, iterations = 0;
};

/// Mean time per step once the scene has developed: after some simulated time, and with emitters once most particles
/// exist.
Steps measure_steps(World& world, double seconds, double begin_at, double particles) {
  double waited = 0;
  const auto developed = [&] {
    return world.time() > begin_at && static_cast<double>(world.particles().size()) > 0.9 * particles;
  };
  while (!developed() && waited < longest_wait) waited += seconds_of([&] { world.step(1e9); });
  Steps result;
  double spent = 0;
  std::uint64_t count = 0;
  const double begin = world.time();
  for (; spent < seconds || count < 10; ++count) {
    spent += seconds_of([&] { world.step(1e9); });
    result.iterations += world.solve_result().iterations;
  }
  const double steps = static_cast<double>(count);
  result.particles = world.particles().size();
  result.mean = spent / steps;
  result.step = (world.time() - begin) / steps;
  result.iterations /= steps;
  return result;
}

/// A block of wax standing on the floor.
WorldSetup standing_block(double particles, int scheme) {
  const int side = static_cast<int>(std::lround(std::cbrt(particles)));
  WorldSetup setup;
  setup.spacing = 0.3f / static_cast<float>(side);
  ObjectSetup wax;
  wax.name = "wax";
  wax.shape = make_box(Vec3::Zero(), Vec3::Constant(0.3f));
  wax.spacing = setup.spacing;
  wax.tracks = {{"gravity", 1.0f, {}}, {"fluid", 1.0f, {}}, {"viscosity", 1.0f, {}}};
  wax.tracks[1].values.set(Fluid::rest_density, Keyable<float>(900.0f));
  Values& viscosity = wax.tracks[2].values;
  viscosity.set(Viscosity::law, Keyable<float>(static_cast<float>(ViscosityLaw::jump)));
  viscosity.set(Viscosity::dynamic_viscosity, Keyable<float>(4000.0f));
  viscosity.set(Viscosity::jump_number, Keyable<float>(1000.0f));
  viscosity.set(Viscosity::scheme, Keyable<float>(static_cast<float>(scheme)));
  setup.objects.push_back(wax);
  ColliderSetup floor;
  floor.name = "floor";
  floor.shape = make_plane(Vec3::Zero(), Vec3::UnitZ());
  setup.colliders.push_back(floor);
  return setup;
}

}  // namespace

void bench_sources(const std::string& json_file, double seconds, double largest) {
  std::string json = "[\n";
  fmt::print("{:<15}{:>5}{:>11}{:>12}{:>12}{:>9}{:>12}{:>12}\n", "scene", "", "particles", "source s", "here ms",
             "faster", "step ms", "iterations");
  for (const SourceRow& row : rows) {
    if (row.particles > largest) continue;
    const Scene scene = scene_of(row);
    World world(scene.world);
    const Steps steps = measure_steps(world, seconds, 0.4 * scene.duration, row.particles);
    // Scaled to the number of particles of the paper.
    const double here = steps.mean * row.particles / steps.particles, ratio = row.seconds_per_step / here;
    fmt::print("{:<15}{:>5}{:>11.0f}{:>12.2f}{:>12.3f}{:>9.0f}{:>12.3f}{:>12.1f}\n", row.scene, row.source,
               steps.particles, row.seconds_per_step, 1000 * here, ratio, 1000 * steps.step, steps.iterations);
    std::fflush(stdout);
    json += fmt::format(
        "  {{\"scene\": \"{}\", \"source\": \"{}\", \"particles\": {:.0f}, \"source_seconds\": {}, \"seconds\": "
        "{:.6g}, "
        "\"ratio\": {:.4g}}},\n",
        row.scene, row.source, steps.particles, row.seconds_per_step, here, ratio);
  }

  fmt::print("\nA standing block of wax, cost per step by number of particles:\n{:>11}{:>12}{:>16}{:>12}\n",
             "particles", "ms per step", "M p-steps/s", "iterations");
  double fastest = 0, slowest = infinity;
  for (const double particles : {1e3, 1e4, 1e5, 1e6}) {
    if (particles > largest) continue;
    World world(standing_block(particles, static_cast<int>(ViscosityScheme::implicit_)));
    const Steps steps = measure_steps(world, seconds, 0.01, 0);
    const double rate = steps.particles / steps.mean;
    fastest = std::max(fastest, rate);
    slowest = std::min(slowest, rate);
    fmt::print("{:>11.0f}{:>12.3f}{:>16.3f}{:>12.1f}\n", steps.particles, 1000 * steps.mean, rate / 1e6,
               steps.iterations);
    std::fflush(stdout);
    json += fmt::format("  {{\"case\": \"standing-block\", \"particles\": {:.0f}, \"seconds\": {:.6g}}},\n",
                        steps.particles, steps.mean);
  }
  fmt::print("Time per particle-step: constant within a factor of {:.2f}.\n", fastest / slowest);

  const auto wall_per_simulated = [&](ViscosityScheme scheme) {
    World world(standing_block(4096, static_cast<int>(scheme)));
    const Steps steps = measure_steps(world, seconds, 0, 0);
    return steps.mean / steps.step;
  };
  const double implicit = wall_per_simulated(ViscosityScheme::implicit_),
               explicit_ = wall_per_simulated(ViscosityScheme::explicit_);
  fmt::print(
      "\nOne simulated second of 4,096 such particles: implicit {:.2f} s, explicit {:.0f} s: {:.0f} times faster.\n",
      implicit, explicit_, explicit_ / implicit);
  json += fmt::format("  {{\"case\": \"implicit-over-explicit\", \"ratio\": {:.4g}}}\n]\n", explicit_ / implicit);
  if (!json_file.empty()) write_text_atomically(json_file, json);
}

}  // namespace fondue
