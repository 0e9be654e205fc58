// fondue bench: how fast the step is on this machine, by phase, beside the plain twin and one thread in the same run.

#include "cli/bench.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "cache/output_file.h"
#include "cache/statistics.h"
#include "cli/commands.h"
#include "scene/scene.h"
#include "shapes/combine.h"
#include "shapes/primitives.h"
#include "world/sleep.h"
#include "world/world.h"

namespace fondue {

namespace {

struct Result {
  std::string name;
  double particles = 0, walls = 0, particle_steps_per_second = 0, bytes_per_particle = 0;
  /// Entries of the neighbour lists, each for a group of particles, per second.
  double pairs_per_second = 0;
  PhaseTimes milliseconds;
  /// Over the plain twin and over one thread, measured in turn with this case.
  std::optional<double> plain_twin_ratio, threads_ratio;
};

/// A box full of fluid: density, pressure and artificial viscosity, new neighbours every step. It falls so slowly that
/// it is still there at the end.
WorldSetup filled_box(double particles, double small_share = 0) {
  const int side = static_cast<int>(std::lround(std::cbrt(particles)));
  WorldSetup setup;
  setup.spacing = 1.0f / static_cast<float>(side);
  const auto add = [&](const char* name, const Vec3& low, const Vec3& high, float spacing) {
    ObjectSetup fluid;
    fluid.name = name;
    fluid.shape = make_box(low, high);
    fluid.spacing = spacing;
    for (const char* behaviour : {"gravity", "fluid", "artificial_viscosity"})
      fluid.tracks.push_back({behaviour, 1.0f, {}});
    fluid.tracks[0].values.set(Gravity::acceleration, Vec3(0, 0, -0.01f));
    fluid.tracks[1].values.set(Fluid::speed_of_sound, 10.0f);
    setup.objects.push_back(fluid);
  };
  // Small particles of half the spacing are eight times as many in the same volume.
  const float cut = static_cast<float>(small_share / (small_share + 8 * (1 - small_share)));
  add("fluid", Vec3(0, 0, cut), Vec3::Ones(), setup.spacing);
  if (cut > 0) add("small", Vec3::Zero(), Vec3(1, 1, cut), 0.5f * setup.spacing);
  return setup;
}

/// The box of fluid, particles beside it that are none (a tenth as many, touching it), or both.
WorldSetup box_and_others(double particles, bool fluid, bool others) {
  WorldSetup setup = filled_box(particles);
  ObjectSetup other = setup.objects.front();
  other.name = "others";
  other.shape = make_box(Vec3(0, 0, 1), Vec3(1, 1, 1.1f));
  other.tracks = {other.tracks.front(), {"drag", 1.0f, {}}};
  // The same steps with and without the fluid.
  setup.largest_step = 0.1f * setup.spacing;
  if (!fluid) setup.objects.clear();
  if (others) setup.objects.push_back(other);
  return setup;
}

/// The same box in a container, full of fluid or of sand that just fills it.
WorldSetup box_in_container(double particles, bool sand) {
  WorldSetup setup = filled_box(particles);
  ColliderSetup box;
  box.name = "box";
  box.shape = make_complement(make_box(Vec3::Zero(), Vec3(1, 1, 2)));
  setup.colliders.push_back(box);
  if (sand) setup.objects[0].tracks.back() = {"sand", 1.0f, {}};
  return setup;
}

/// The scene's dam break with its walls at a spacing that gives about this many particles.
WorldSetup dam_break(double particles) {
  const std::string scene = scenes_folder() / "dam-break.toml";
  const double coarse = 8320, spacing = load_scene(scene).world.spacing;
  const double wanted = spacing * std::cbrt(coarse / particles);
  return load_scene(scene, {{"scene.spacing", fmt::format("{}", wanted)}}).world;
}

/// Water that has run along its tank: what a run spends most of its steps with. It is soft, so that it gets there soon.
WorldSetup developed_flow() {
  const std::string scene = scenes_folder() / "benchmarks" / "dam-break-205k.toml";
  return load_scene(scene, {{"materials.water.fluid.speed_of_sound", "8"}}).world;
}
constexpr double developed_after = 0.6;

/// Best time of a step: the machine's other work only ever adds to it.
class Measurement {
 public:
  explicit Measurement(World& world) : world_(world) { world_.step(1e9); }

  void run(double seconds) {
    for (double spent = 0; spent < seconds;) {
      const PhaseTimes before = world_.phases();
      constexpr int steps = 4;
      const double took = seconds_of([&] {
                            for (int k = 0; k != steps; ++k) world_.step(1e9);
                          }) /
                          steps;
      spent += steps * took;
      if (took >= best_) continue;
      best_ = took;
      const PhaseTimes after = world_.phases();
      const double scale = 1000.0 / steps;
      phases_ = {scale * (after.sort - before.sort),       scale * (after.lists - before.lists),
                 scale * (after.density - before.density), scale * (after.forces - before.forces),
                 scale * (after.solve - before.solve),     scale * (after.integration - before.integration),
                 scale * (after.rest - before.rest)};
    }
  }
  double best() const { return best_; }
  const PhaseTimes& phases() const { return phases_; }

 private:
  World& world_;
  double best_ = infinity;
  PhaseTimes phases_;
};

struct Comparisons {
  bool plain_twin = false, one_thread = false;
};

/// After some simulated time.
Result measure(const std::string& name, const WorldSetup& setup, double seconds, Comparisons with, double after = 0) {
  World world(setup);
  while (world.time() < after) world.step(after);
  Measurement fast(world);
  std::optional<World> twin;
  std::optional<Measurement> plain, alone;
  if (with.plain_twin) plain.emplace(twin.emplace(setup, plain_twin()));
  if (with.one_thread) alone.emplace(world);
  // In turns, so that all see the same machine.
  constexpr int turns = 12;
  for (int turn = 0; turn != turns; ++turn) {
    fast.run(seconds / turns);
    if (plain) plain->run(seconds / turns);
    if (alone) {
      const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
      alone->run(seconds / turns);
    }
  }
  Result result;
  result.name = name;
  result.particles = world.particles().size();
  result.walls = static_cast<double>(world.bodies().walls().size());
  result.particle_steps_per_second = result.particles / fast.best();
  result.bytes_per_particle = static_cast<double>(world.bytes()) / result.particles;
  result.milliseconds = fast.phases();
  double entries = 0;
  for (const Block& block : world.neighbourhood().blocks())
    for (Index g = 0; g != block.group_count; ++g)
      entries += (block.groups[g].pairs_end - block.groups[g].pairs_begin) * block.groups[g].count;
  result.pairs_per_second = entries / fast.best();
  if (plain) result.plain_twin_ratio = plain->best() / fast.best();
  if (alone) result.threads_ratio = alone->best() / fast.best();
  return result;
}

/// Time of a step of fluid beside particles that are none, without that of those alone, over that of the fluid alone.
double cost_beside_others(double particles, double seconds) {
  World both(box_and_others(particles, true, true)), fluid(box_and_others(particles, true, false)),
      others(box_and_others(particles, false, true));
  Measurement of_both(both), of_fluid(fluid), of_others(others);
  // In turns, so that all see the same machine.
  constexpr int turns = 12;
  for (int turn = 0; turn != turns; ++turn)
    for (Measurement* one : {&of_both, &of_fluid, &of_others}) one->run(seconds / turns);
  return (of_both.best() - of_others.best()) / of_fluid.best();
}

/// Times of a step of fluid, of sand that moves, and of sand that sleeps.
struct SandTimes {
  double fluid, awake, asleep;
};
SandTimes sand_times(double particles, double seconds) {
  World fluid(box_in_container(particles, false)), awake(box_in_container(particles, true)),
      asleep(box_in_container(particles, true));
  Measurement of_fluid(fluid), of_awake(awake), of_asleep(asleep);
  // As it would be in the end.
  std::ranges::fill(asleep.particles()[columns::sleep], Sleep::asleep);
  constexpr int turns = 12;
  for (int turn = 0; turn != turns; ++turn)
    for (Measurement* one : {&of_fluid, &of_awake, &of_asleep}) one->run(seconds / turns);
  return {of_fluid.best(), of_awake.best(), of_asleep.best()};
}

/// Time of everything that is not the step itself, over that of a step: statistics are measured after each.
double overhead(double particles) {
  World world(filled_box(particles));
  Measurement fast(world);
  fast.run(1);
  double statistics = infinity;
  for (int k = 0; k != 20; ++k) statistics = std::min(statistics, seconds_of([&] { fondue::measure(world); }));
  return (fast.phases().rest / 1000 + statistics) / fast.best();
}

/// Clock of the processor, by a chain of additions that takes one cycle each.
double clock_hertz() {
  double best = infinity;
  for (int k = 0; k != 50; ++k)
    best = std::min(best, seconds_of([] {
                      std::uint64_t chain = 1;
                      for (int n = 0; n != 250'000; ++n) {
                        for (int a = 0; a != 4; ++a) {
                          chain += 1;
                          asm volatile("" : "+r"(chain));
                        }
                      }
                    }));
  return 1e6 / best;
}

std::string number_or_null(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "null";
}

std::string json(const std::vector<Result>& results, double cycles) {
  std::string text = "[\n";
  for (std::size_t k = 0; k != results.size(); ++k) {
    const Result& r = results[k];
    const PhaseTimes& ms = r.milliseconds;
    text += fmt::format(
        "  {{\"case\": \"{}\", \"particles\": {:.0f}, \"boundary_particles\": {:.0f}, \"particle_steps_per_second\": "
        "{:.6g}, \"bytes_per_particle\": {:.1f}, \"cycles_per_particle_step\": {:.0f}, \"pairs_per_second\": {:.4g}, "
        "\"plain_twin_ratio\": {}, \"threads_ratio\": {}, \"milliseconds\": {{\"sort\": {:.4g}, \"lists\": {:.4g}, "
        "\"density\": {:.4g}, \"forces\": {:.4g}, \"solve\": {:.4g}, \"integration\": {:.4g}, \"rest\": {:.4g}}}}}{}\n",
        r.name, r.particles, r.walls, r.particle_steps_per_second, r.bytes_per_particle,
        cycles / r.particle_steps_per_second, r.pairs_per_second, number_or_null(r.plain_twin_ratio),
        number_or_null(r.threads_ratio), ms.sort, ms.lists, ms.density, ms.forces, ms.solve, ms.integration, ms.rest,
        k + 1 == results.size() ? "" : ",");
  }
  return text + "]\n";
}

void run_bench(const std::string& file, double seconds, double largest) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  // Cycles of all threads together.
  const double cycles = clock_hertz() * threads;
  fmt::print("Loops: {}; {} threads; best of {} s per case; the clock runs at {:.2f} GHz now.\n\n",
             chosen_pair_loops().name, threads, seconds, cycles / threads / 1e9);
  fmt::print("{:<17}{:>9}{:>9}{:>8}{:>7}{:>9}{:>9}   {}\n", "case", "particles", "M p-s/s", "cycles", "bytes",
             "x plain", "x 1 thr.", "ms: sort   lists density  forces  integ.    rest");
  std::vector<Result> results;
  const auto report = [&](const Result& r) {
    const PhaseTimes& ms = r.milliseconds;
    const auto ratio = [](const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "-"; };
    fmt::print("{:<17}{:>9.0f}{:>9.2f}{:>8.0f}{:>7.0f}{:>9}{:>9}   {:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}\n",
               r.name, r.particles, r.particle_steps_per_second / 1e6, cycles / r.particle_steps_per_second,
               r.bytes_per_particle, ratio(r.plain_twin_ratio), ratio(r.threads_ratio), ms.sort, ms.lists, ms.density,
               ms.forces, ms.integration, ms.rest);
    std::fflush(stdout);
    results.push_back(r);
  };
  struct Case {
    const char* name;
    double particles;
  };
  for (const Case& c : {Case{"filled-box-10k", 1e4}, Case{"filled-box-50k", 5e4}, Case{"filled-box-200k", 2e5},
                        Case{"filled-box-1M", 1e6}, Case{"filled-box-10M", 1e7}}) {
    if (c.particles > largest) continue;
    const bool comparable = c.particles <= 1e6;
    report(measure(c.name, filled_box(c.particles), seconds, {comparable, comparable && threads > 1}));
  }
  if (largest >= 2e5) {
    report(measure("dam-break-200k", dam_break(2e5), seconds, {true, false}));
    report(measure("developed-200k", developed_flow(), seconds, {false, false}, developed_after));
    report(measure("mixed-sizes-200k", filled_box(2e5, 0.05), seconds, {true, false}));
    const double uniform = results[2].pairs_per_second, mixed = results.back().pairs_per_second;
    report(measure("water-beside-20k", box_and_others(2e5, true, true), seconds, {false, false}));
    fmt::print("\n200k particles of water beside 20k without fluid cost {:.2f} times water alone.\n",
               cost_beside_others(2e5, seconds));
    fmt::print("A pair among two sizes (5 % small) costs {:.2f} times one among equals.\n", uniform / mixed);
  }
  if (largest >= 1e5) {
    const SandTimes sand = sand_times(1e5, seconds);
    fmt::print(
        "\n100k particles in a box, ms per step: fluid {:.2f}, sand {:.2f} ({:.2f} times as long), sand asleep {:.2f} "
        "({:.2f} of sand).\n",
        1000 * sand.fluid, 1000 * sand.awake, sand.awake / sand.fluid, 1000 * sand.asleep, sand.asleep / sand.awake);
  }
  double fastest = 0, slowest = infinity;
  for (const Result& r : results)
    if (r.name.starts_with("filled-box")) {
      fastest = std::max(fastest, r.particle_steps_per_second);
      slowest = std::min(slowest, r.particle_steps_per_second);
    }
  fmt::print("Time per particle-step over all sizes of the filled box: flat within {:.2f}.\n", fastest / slowest);
  fmt::print("Driver, timeline, statistics and step control at 50k: {:.1f} % of a step.\n", 100 * overhead(5e4));
  if (!file.empty()) write_text_atomically(file, json(results, cycles));
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench",
                                         "Measure particle-steps per second, milliseconds per phase, cycles and bytes "
                                         "per particle, against the plain twin");
  auto file = std::make_shared<std::string>();
  auto seconds = std::make_shared<double>(5);
  auto largest = std::make_shared<double>(1e7);
  command->add_option("--json", *file, "also write the results to this file");
  command->add_option("--seconds", *seconds, "how long each case is measured")->check(CLI::PositiveNumber);
  command->add_option("--largest", *largest, "leave out cases with more particles")->check(CLI::Range(1e3, 1e7));
  auto pictures = std::make_shared<bool>(false);
  command->add_flag("--pictures", *pictures, "measure surfaces and previews instead of the step");
  auto bodies = std::make_shared<bool>(false);
  command->add_flag("--bodies", *bodies, "measure elastic and rigid bodies instead of the step")
      ->excludes("--pictures");
  auto studio = std::make_shared<bool>(false);
  command->add_flag("--studio", *studio, "measure the stream of frames to the studio's page instead of the step")
      ->excludes("--pictures")
      ->excludes("--bodies");
  auto scenes = std::make_shared<bool>(false), quick = std::make_shared<bool>(false);
  CLI::Option* scenes_flag =
      command->add_flag("--scenes", *scenes, "measure whole runs of scenes, beside the times that the sources print")
          ->excludes("--pictures")
          ->excludes("--studio");
  command->add_flag("--quick", *quick, "of each scene only a stretch in the middle; 8 minutes for all")
      ->needs(scenes_flag);
  command->callback([=] {
    if (*scenes) return bench_scenes(*file, *seconds, *largest, *quick);
    (*pictures ? bench_pictures
     : *bodies ? bench_bodies
     : *studio ? bench_studio
               : run_bench)(*file, *seconds, *largest);
  });
}

}  // namespace fondue
