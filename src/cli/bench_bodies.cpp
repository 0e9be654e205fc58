// fondue bench --bodies: steps of a large elastic body over its stiffness, and water with bodies beside the water
// alone.

#include <fmt/format.h>

#include <ctime>

#include "cache/output_file.h"
#include "cache/statistics.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "scene/scene.h"
#include "world/world.h"

namespace fondue {

namespace {

struct Turn {
  World world;
  double seconds = 0, best = infinity, substeps = 0, iterations = 0;
  int steps = 0, implicit = 0;

  double processor_begin = processor_now();

  explicit Turn(const WorldSetup& setup) : world(setup) {}
  static double processor_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  /// Of all threads.
  double processor_seconds() const { return processor_now() - processor_begin; }
  /// A step and what is measured after it.
  void step() {
    const double took = seconds_of([&] {
      world.step(1e9);
      measure(world);
    });
    best = std::min(best, took);
    seconds += took;
    substeps += world.most_substeps();
    iterations += world.most_iterations();
    implicit += world.most_iterations() != 0;
    ++steps;
  }
  void until(double time) {
    while (world.time() < time) step();
  }
};

/// A body that falls on the floor and comes back: all of it, so that no part of the motion counts more than another.
std::string stiffness_row(const std::string& modulus) {
  const std::string scene = scenes_folder() / "benchmarks" / "body-20k.toml";
  const Scene read = load_scene(scene, {{"materials.rubber.elastic.youngs_modulus", modulus}});
  Turn turn(read.world);
  turn.until(read.duration);
  const double mean = 1000 * turn.seconds / turn.steps, cpu = 1000 * turn.processor_seconds() / turn.steps;
  fmt::print("{:<10}{:>10}{:>8}{:>10.1f}{:>10.0f}%{:>12.1f}{:>12.2f}{:>12.2f}{:>12.2f}\n", modulus,
             turn.world.particles().size(), turn.steps, turn.substeps / turn.steps, 100.0 * turn.implicit / turn.steps,
             turn.iterations / std::max(turn.implicit, 1), mean, 1000 * turn.best, cpu);
  std::fflush(stdout);
  return fmt::format(
      "{{\"case\": \"body-20k\", \"youngs_modulus\": {}, \"steps\": {}, \"substeps\": {:.4g}, \"iterations\": {:.4g}, "
      "\"milliseconds\": {:.4g}, \"best_milliseconds\": {:.4g}, \"processor_milliseconds\": {:.4g}}}",
      modulus, turn.steps, turn.substeps / turn.steps, turn.iterations / turn.steps, mean, 1000 * turn.best, cpu);
}

/// Both for the same simulated time, in turns, so that both see the same machine.
std::string mixed_row(double seconds) {
  const WorldSetup all = load_scene(scenes_folder() / "benchmarks" / "water-and-bodies.toml").world;
  WorldSetup water = all;
  std::erase_if(water.objects, [](const ObjectSetup& object) { return object.name != "water"; });
  std::erase_if(water.colliders, [](const ColliderSetup& collider) { return collider.rigid.has_value(); });
  Turn with(all), alone(water);
  with.step();
  alone.step();
  for (double time = 0.01; with.seconds + alone.seconds < 8 * seconds && time < 0.6; time += 0.01) {
    with.until(time);
    alone.until(time);
  }
  const double per_step = with.seconds / with.steps * alone.steps / alone.seconds, whole = with.seconds / alone.seconds;
  fmt::print(
      "\n{} particles with 20 rigid bodies cost {:.2f} times their {} of water alone per step, {:.2f} times per "
      "simulated second\n({:.2f} s; {} and {} steps; {:.1f} and {:.1f} ms per step).\n",
      with.world.particles().size(), per_step, alone.world.particles().size(), whole, with.world.time(), with.steps,
      alone.steps, 1000 * with.seconds / with.steps, 1000 * alone.seconds / alone.steps);
  return fmt::format("{{\"case\": \"water-and-bodies\", \"per_step\": {:.4g}, \"per_second\": {:.4g}}}", per_step,
                     whole);
}

}  // namespace

void bench_bodies(const std::string& json_file, double seconds, double) {
  fmt::print("{:<10}{:>10}{:>8}{:>10}{:>11}{:>12}{:>12}{:>12}{:>12}\n", "Pa", "particles", "steps", "substeps",
             "implicit", "iterations", "ms per step", "best step", "CPU ms");
  std::string rows;
  for (const char* modulus : {"1e3", "1e5", "1e7", "1e9"}) rows += "  " + stiffness_row(modulus) + ",\n";
  rows += "  " + mixed_row(seconds) + "\n";
  if (!json_file.empty()) write_text_atomically(json_file, "[\n" + rows + "]\n");
}

}  // namespace fondue
