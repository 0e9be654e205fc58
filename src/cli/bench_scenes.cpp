// fondue bench --scenes: whole runs as a user waits for them, from the scene file to the last frame on the disk, beside
// the times that the sources print; and how the cost of a melting step grows with the number of particles (linearly
// according to P09).

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "cache/output_file.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "core/progress.h"
#include "shapes/primitives.h"
#include "simulation/recorder.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

/// What a time of a source is the time of.
enum class Per { none, simulated_second, step };

struct Row {
  const char* scene;
  const char* source;
  /// As many as the source has.
  double particles;
  double source_seconds;
  Per per;
};

/// P06 table 2 (Pentium 4, 2.4 GHz), which prints no steps; P09 table 1 (Centrino, 1.86 GHz), time per step over mean
/// step; one core each. L09 7.5 on four cores.
constexpr Row rows[] = {
    {"benchmarks/dam-break-205k", "", 205379, 0, Per::none},
    {"dam-break", "", 8320, 0, Per::none},
    {"bunny-melt", "P06", 9727, 0.94, Per::step},
    {"chair-melt", "P06", 10000, 0.75, Per::step},
    {"gargoyle-melt", "P06", 6976, 1.06, Per::step},
    {"logo-melt", "P06", 12900, 0.92, Per::step},
    {"hand-press", "P09", 6000, 853, Per::simulated_second},
    {"candle", "P09", 7000, 187, Per::simulated_second},
    {"sugar-loaf", "P09", 10000, 1398, Per::simulated_second},
    {"face-drop", "P09", 5000, 757, Per::simulated_second},
    {"lava", "P09", 4900, 638, Per::simulated_second},
    {"chair-hand", "P09", 7100, 1040, Per::simulated_second},
    {"wall-impact", "P09", 5000, 79, Per::simulated_second},
    {"densities", "L09", 260000, 0.70, Per::step},
};

/// Quick measurements: how long a scene may develop, and how long it is measured then [s].
constexpr double longest_wait = 20, stretch = 6;

std::string path_of(const Row& row) { return (scenes_folder() / fmt::format("{}.toml", row.scene)).string(); }

/// Changes to the scene that give it about as many particles as the source has; none if they come from emitters.
std::vector<Override> at_the_source_count(const Row& row) {
  std::vector<Override> changes;
  Scene scene = load_scene(path_of(row));
  for (int k = 0; k != 2 && scene.world.emitters.empty(); ++k) {
    const double count = particles_at_start(scene.world);
    if (std::abs(count / row.particles - 1) < 0.01) break;
    const double spacing = scene.world.spacing * std::cbrt(count / row.particles);
    changes = {{"scene.spacing", fmt::format("{}", spacing)}};
    scene = load_scene(path_of(row), changes);
  }
  return changes;
}

struct RunTimes {
  double start_up = 0, wall_per_simulated_second = 0, wall_per_step = 0;
  double particles = 0, steps = 0, particle_steps_per_second = 0, mean_step = 0, iterations = 0;
  /// The highest mean of a moment, and the highest of a particle; negative if nothing measures it.
  double mean_compression = -1, largest_compression = -1;
  std::string limited_by;
};

/// The value of a statistic if some behaviour of the scene measures it.
std::optional<double> find_value(const Statistics& statistics, std::string_view name) {
  for (std::size_t k = 0; k != statistics.names.size(); ++k)
    if (statistics.names[k].name == name) return statistics.values[k];
  return std::nullopt;
}

/// Runs a scene as `fondue run --no-pictures` does, in a folder that is removed afterwards.
class WholeRun {
 public:
  WholeRun(const Row& row, bool quick) : row_(row), quick_(quick) {}
  ~WholeRun() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  RunTimes measure() {
    const std::vector<Override> changes = at_the_source_count(row_);
    Progress progress(row_.scene, "particle-steps");
    const InterruptGuard interrupt;
    const auto begin = Clock::now();
    const Scene scene = load_scene(path_of(row_), changes);
    const RunFolder folder({folder_, scene.name}, OldRun::overwrite);
    Simulation simulation(scene, preparation_shown(interrupt));
    Recorder recorder(simulation, folder, Recorder::Start::anew);
    const double start_up = since(begin);
    Moment from{begin, 0, 0}, now = from;
    double particle_steps = 0, iterations = 0, particle_steps_before = 0, iterations_before = 0;
    RunTimes result;
    const auto after_step = [&] {
      recorder.record();
      const Statistics& last = recorder.last();
      particle_steps += last.particles;
      iterations += simulation.world().solve_result().iterations;
      result.particles = std::max(result.particles, last.particles);
      for (const auto& [name, highest] : {std::pair{"mean compression", &result.mean_compression},
                                          std::pair{"largest compression", &result.largest_compression}})
        if (const auto value = find_value(last, name)) *highest = std::max(*highest, *value);
      now = {Clock::now(), simulation.time(), static_cast<double>(simulation.steps())};
      progress.update(simulation.time() / scene.duration, particle_steps,
                      fmt::format("{:.0f} particles", last.particles));
      if (interrupt.asked()) throw Interrupted{};
      if (!quick_) return true;
      if (from.steps == 0 && (now.time > 0.4 * scene.duration || since(begin) > longest_wait)) {
        from = now;
        particle_steps_before = particle_steps;
        iterations_before = iterations;
      }
      return from.steps == 0 || since(from.at) < stretch;
    };
    simulation.run_to(scene.frames(), after_step);
    recorder.finish();
    const double wall = quick_ ? std::chrono::duration<double>(now.at - from.at).count() : since(begin);
    const double simulated = now.time - from.time;
    result.steps = now.steps - from.steps;
    result.start_up = start_up;
    result.wall_per_simulated_second = wall / simulated + (quick_ ? start_up / scene.duration : 0);
    result.wall_per_step = (wall - (quick_ ? 0 : start_up)) / result.steps;
    result.particle_steps_per_second = (particle_steps - particle_steps_before) / wall;
    result.mean_step = simulated / result.steps;
    result.iterations = (iterations - iterations_before) / result.steps;
    result.limited_by = recorder.what_limited_the_step();
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    Clock::time_point at;
    double time, steps;
  };
  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

  Row row_;
  bool quick_;
  fs::path folder_ = fs::temp_directory_path() / fmt::format("fondue-bench-{}", getpid());
};

std::optional<double> ratio_to_source(const Row& row, const RunTimes& m) {
  if (row.per == Per::step) return row.source_seconds / m.wall_per_step;
  if (row.per == Per::simulated_second) return row.source_seconds / m.wall_per_simulated_second;
  return std::nullopt;
}

/// A block of wax standing on the floor.
WorldSetup standing_block(double particles, ViscosityScheme scheme) {
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

struct Steps {
  double particles = 0, seconds = 0, step = 0, iterations = 0;
};

/// Mean time of the steps of a block, once it has begun to settle.
Steps measure_block(double particles, ViscosityScheme scheme, double seconds) {
  World world(standing_block(particles, scheme));
  for (int k = 0; k != 20; ++k) world.step(1e9);
  Steps result;
  result.particles = world.particles().size();
  const double begin = world.time();
  int count = 0;
  for (double spent = 0; spent < seconds || count < 10; ++count) {
    const double took = seconds_of([&] { world.step(1e9); });
    spent += took;
    result.seconds += took;
    result.iterations += world.solve_result().iterations;
  }
  result.seconds /= count;
  result.iterations /= count;
  result.step = (world.time() - begin) / count;
  return result;
}

}  // namespace

void bench_scenes(const std::string& json_file, double seconds, double largest, bool quick) {
  std::string json;
  const auto add_json = [&](const std::string& object) { json += (json.empty() ? "[\n  " : ",\n  ") + object; };
  const auto or_null = [](const std::optional<double>& value) {
    return value && *value >= 0 ? fmt::format("{:.4g}", *value) : "null";
  };
  const auto or_dash = [](const std::optional<double>& value, double scale, int digits) {
    return value && *value >= 0 ? fmt::format("{:.{}f}", scale * *value, digits) : "-";
  };
  fmt::print("{}\n\n{:<16}{:>9}{:>8}{:>9}{:>8}{:>7}{:>9}{:>10}{:>8}{:>9}{:>9}  {}\n",
             quick ? "A stretch in the middle of each scene." : "Whole runs, from the scene file to the last frame.",
             "scene", "particles", "steps", "step ms", "M p-s/s", "iter.", "start s", "s per s", "source", "mean %",
             "most %", "limited by");
  for (const Row& row : rows) {
    if (row.particles > largest) continue;
    const RunTimes m = WholeRun(row, quick).measure();
    const std::string name = fs::path(row.scene).filename().string();
    const std::optional<double> ratio = ratio_to_source(row, m);
    fmt::print("{:<16}{:>9.0f}{:>8.0f}{:>9.3f}{:>8.2f}{:>7.1f}{:>9.1f}{:>10.2f}{:>8}{:>9}{:>9}  {}\n", name,
               m.particles, m.steps, 1000 * m.mean_step, m.particle_steps_per_second / 1e6, m.iterations, m.start_up,
               m.wall_per_simulated_second, or_dash(ratio, 1, 0), or_dash(m.mean_compression, 100, 3),
               or_dash(m.largest_compression, 100, 1), m.limited_by);
    std::fflush(stdout);
    add_json(fmt::format(
        "{{\"scene\": \"{}\", \"particles\": {:.0f}, \"steps\": {:.0f}, \"mean_step\": {:.6g}, \"start_up\": {:.4g}, "
        "\"particle_steps_per_second\": {:.6g}, \"iterations\": {:.4g}, \"wall_per_simulated_second\": {:.6g}, "
        "\"wall_per_step\": {:.6g}, \"source_ratio\": {}, \"mean_compression\": {}, \"largest_compression\": {}, "
        "\"limited_by\": \"{}\"}}",
        name, m.particles, m.steps, m.mean_step, m.start_up, m.particle_steps_per_second, m.iterations,
        m.wall_per_simulated_second, m.wall_per_step, or_null(ratio), or_null(m.mean_compression),
        or_null(m.largest_compression), m.limited_by));
  }
  fmt::print(
      "\nstart: before the first step; s per s: wall-clock seconds per simulated second; source: how many times "
      "faster\n"
      "than the paper (densities and P06 per step, which print no steps); mean, most: highest mean compression of a\n"
      "moment, highest compression of a particle.\n");

  fmt::print("\nA standing block of wax:\n{:>11}{:>12}{:>16}{:>12}\n", "particles", "ms per step", "M p-steps/s",
             "iterations");
  double fastest = 0, slowest = infinity;
  for (const double particles : {1e3, 1e4, 1e5, 1e6}) {
    if (particles > (quick ? std::min(largest, 1e5) : largest)) continue;
    const Steps steps = measure_block(particles, ViscosityScheme::implicit_, seconds);
    const double rate = steps.particles / steps.seconds;
    fastest = std::max(fastest, rate);
    slowest = std::min(slowest, rate);
    fmt::print("{:>11.0f}{:>12.3f}{:>16.3f}{:>12.1f}\n", steps.particles, 1000 * steps.seconds, rate / 1e6,
               steps.iterations);
    std::fflush(stdout);
    add_json(fmt::format("{{\"scene\": \"standing-block\", \"particles\": {:.0f}, \"wall_per_step\": {:.6g}}}",
                         steps.particles, steps.seconds));
  }
  fmt::print("Time per particle-step: constant within a factor of {:.2f}.\n", fastest / slowest);
  if (!json_file.empty()) write_text_atomically(json_file, json + "\n]\n");
}

}  // namespace fondue
