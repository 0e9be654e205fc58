// fondue run: simulate a scene, resume a run, or branch off a frame of one.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/global_control.h>

#include <filesystem>

#include "cli/commands.h"
#include "core/progress.h"
#include "scene/differences.h"
#include "simulation/branching.h"
#include "simulation/recorder.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::string scene, out;
  std::vector<std::string> set;
  int frames = -1, threads = 0, from_frame = -1;
  bool resume = false, overwrite = false, no_pictures = false;
};

/// A folder beside the run for a branch of it, one that is not there yet.
fs::path branch_folder(const fs::path& run, int frame) {
  const std::string stem = run.string() + "-from-" + std::to_string(frame);
  fs::path folder = stem;
  for (int k = 2; fs::exists(folder); ++k) folder = stem + "-" + std::to_string(k);
  return folder;
}

Simulation make_simulation(const Scene& scene, std::optional<Frame> from, const ProgressReport& report) {
  return from ? Simulation(scene, std::move(*from), report) : Simulation(scene, report);
}

void tell_strays(const World& world) {
  if (world.strays() == 0) return;
  fmt::print(stderr,
             "note: {} left the scene: farther than {:.2g} m from everything in it, {} removed. A larger floor or a "
             "container catches such matter, [[sinks]] remove it sooner, and a [domain] says where the scene ends\n",
             world.strays() == 1 ? "1 particle has" : fmt::format("{} particles have", world.strays()),
             world.stray_distance(), world.strays() == 1 ? "it was" : "they were");
}

/// Runs to the last frame, recorded in the folder, with progress; false if it was interrupted and left a checkpoint.
bool run(Simulation& simulation, Recorder& recorder, int last_frame, const InterruptGuard& interrupt) {
  if (simulation.frame() >= last_frame) {
    recorder.finish();
    fmt::print(stderr, "The run is finished: frame {} of {} is there, nothing is left to simulate\n",
               simulation.frame(), last_frame);
    return true;
  }
  Progress progress("Simulating", "particle-steps");
  double particle_steps = 0;
  const double begun_at = simulation.time(), end = simulation.frame_time(last_frame);
  const auto after_step = [&] {
    recorder.record();
    const Index particles = simulation.particles().size();
    particle_steps += particles;
    progress.update(std::min(1.0, simulation.time() / end), particle_steps,
                    fmt::format("frame {}/{}  {} particles  dt {:.2g} s", simulation.frame(), last_frame, particles,
                                simulation.world().last_step()));
    return !interrupt.asked();
  };
  try {
    if (!simulation.run_to(last_frame, after_step)) {
      recorder.checkpoint();
      return false;
    }
  } catch (const SimulationError& error) {
    progress.finish();
    throw recorder.broken_down(error);
  }
  progress.finish();
  recorder.finish();
  std::string compression;
  for (const Statistic& statistic : recorder.last().names)
    if (std::string_view(statistic.name) == "mean compression")
      compression = fmt::format(", mean compression {:.2g} %", 100 * recorder.last()["mean compression"]);
  fmt::print(stderr, "{:.3g} s simulated, {} steps, {} particles{}; the step was limited by {}\n",
             simulation.time() - begun_at, simulation.world().steps(), simulation.particles().size(), compression,
             recorder.what_limited_the_step());
  for (const std::string& broken : recorder.broken_promises()) fmt::print(stderr, "note: {}\n", broken);
  tell_strays(simulation.world());
  return true;
}

void simulate(const RunArguments& arguments, const Scene& scene, const RunFolder& folder, std::optional<Frame> from) {
  const InterruptGuard interrupt;
  write_text_atomically(folder.layout().effective_scene(), scene.effective);
  const Recorder::Start start = from ? Recorder::Start::continued : Recorder::Start::anew;
  Simulation simulation = [&] {
    try {
      return make_simulation(scene, std::move(from), preparation_shown(interrupt));
    } catch (const Interrupted&) {
      fmt::print(stderr, "\nInterrupted before the first step. Start again with: fondue run --resume --out {}\n",
                 folder.layout().folder.string());
      throw;
    }
  }();
  Recorder recorder(simulation, folder, start);
  for (const auto& notes : {simulation.notes(), recorder.notes()})
    for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  if (!run(simulation, recorder, arguments.frames >= 0 ? arguments.frames : scene.frames(), interrupt)) {
    fmt::print(stderr, "Interrupted; nothing is lost. Go on with: fondue run --resume --out {}\n",
               folder.layout().folder.string());
    throw Interrupted{};
  }
  fmt::print("{}\n", folder.layout().index().string());
  if (!arguments.no_pictures) draw(scene, folder.layout(), interrupt);
}

void start(const RunArguments& arguments) {
  if (arguments.scene.empty()) throw InputError("run needs a scene file, e.g. fondue run scenes/dam-break.toml");
  const Scene scene = load_scene(arguments.scene, overrides_of(arguments.set));
  check_memory(scene.world);
  const fs::path out = arguments.out.empty() ? fs::path("out") / scene.name : fs::path(arguments.out);
  const RunFolder folder({out, scene.name}, arguments.overwrite ? OldRun::overwrite : OldRun::refuse);
  simulate(arguments, scene, folder, std::nullopt);
}

fs::path existing_run(const RunArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  if (arguments.scene.empty()) throw InputError("say which run: its folder with --out, or its scene file");
  return fs::path("out") / load_scene(arguments.scene).name;
}

/// The scene file given beside --resume must be that of the run: it would have no effect.
void refuse_another_scene(const RunArguments& arguments, const Scene& of_run, const RunLayout& layout) {
  if (arguments.scene.empty()) return;
  const Scene given = load_scene(arguments.scene);
  const std::vector<SceneDifference> changes = differences(of_run.effective, given.effective);
  if (changes.empty()) return;
  const std::string run = layout.folder.string();
  const std::vector<int> frames = list_frames(layout);
  const bool branches = !frames.empty() && impossible_changes(of_run, given).empty();
  throw InputError(fmt::format(
      "{} is not the scene that {} was run with:{}\n--resume goes on with the run as it is, without a scene file: "
      "fondue "
      "run --resume --out {}\n{}",
      arguments.scene, run, listed(changes, "in the run", "in the file"), run,
      branches ? fmt::format("To go on with the file as it is now, branch: fondue run {} --out {} --from-frame {}",
                             arguments.scene, run, frames.back())
               : fmt::format("To run the file as it is now, start anew: fondue run {} --out FOLDER", arguments.scene)));
}

void resume(const RunArguments& arguments) {
  const fs::path out = existing_run(arguments);
  if (!arguments.set.empty())
    throw InputError(
        "--resume goes on with the run as it is; to change it, branch off with --from-frame N --set key=value");
  const Scene scene = load_scene((RunLayout{out, ""}.effective_scene()).string());
  refuse_another_scene(arguments, scene, {out, scene.name});
  const RunFolder folder({out, scene.name}, OldRun::resume);
  std::vector<std::string> messages;
  std::optional<ResumePoint> point = newest_state(folder.layout(), messages);
  for (const std::string& message : messages) fmt::print(stderr, "note: {}\n", message);
  if (!point) {
    fmt::print(stderr, "Nothing was finished yet; starting from the beginning\n");
    return simulate(arguments, scene, folder, std::nullopt);
  }
  fmt::print(stderr, "Resuming from {} (t = {:.4g} s)\n", point->path.string(), point->state.header.time);
  folder.remove_frames_after(point->state.header.frame);
  simulate(arguments, scene, folder, std::move(point->state));
}

void branch(const RunArguments& arguments) {
  const fs::path source = existing_run(arguments);
  const std::string file = arguments.scene.empty() ? RunLayout{source, ""}.effective_scene().string() : arguments.scene;
  const Scene scene = load_scene(file, overrides_of(arguments.set));
  const RunLayout from{source, scene.name};
  if (!fs::exists(from.frame(arguments.from_frame))) {
    const std::vector<int> frames = list_frames(from);
    throw InputError(frames.empty() ? fmt::format("{} has no frames to branch from", source.string())
                                    : fmt::format("{} has no frame {}; it has {} to {}", source.string(),
                                                  arguments.from_frame, frames.front(), frames.back()));
  }
  if (fs::exists(from.effective_scene()))
    if (const auto sentences = impossible_changes(load_scene(from.effective_scene().string()), scene);
        !sentences.empty())
      throw InputError(
          fmt::format("a branch goes on with the particles of {}:\n  {}\nStart a new run with this change: "
                      "fondue run {} --out FOLDER --set ...",
                      source.string(), fmt::join(sentences, "\n  "), file));
  Frame state = read_frame(from.frame(arguments.from_frame));
  const RunFolder folder({branch_folder(source, arguments.from_frame), scene.name}, OldRun::refuse);
  copy_past(from, folder.layout(), arguments.from_frame);
  fmt::print(stderr, "Branching from frame {} of {} into {}\n", arguments.from_frame, source.string(),
             folder.layout().folder.string());
  simulate(arguments, scene, folder, std::move(state));
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scene to frames, statistics, a picture and a video");
  auto arguments = std::make_shared<RunArguments>();
  command->add_option("scene", arguments->scene, "scene file");
  command->add_option("--out", arguments->out, "folder of the run (default: out/<scene>)");
  command->add_option("--frames", arguments->frames, "last frame (default: the scene's duration)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", arguments->threads, "threads (default: all cores); results do not depend on it")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--set", arguments->set,
                   "key=value: a change to the scene, e.g. scene.spacing=0.01; may be repeated")
      ->allow_extra_args(false);
  CLI::Option* resume_flag = command->add_flag("--resume", arguments->resume, "go on with an interrupted run");
  command
      ->add_option("--from-frame", arguments->from_frame,
                   "branch: go on from this frame of a run, in a folder of its own")
      ->check(CLI::NonNegativeNumber)
      ->excludes(resume_flag);
  command->add_flag("--overwrite", arguments->overwrite, "replace the run that is in the folder");
  command->add_flag("--no-pictures", arguments->no_pictures, "only simulate");
  command->callback([arguments] {
    std::optional<tbb::global_control> threads;
    if (arguments->threads > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, arguments->threads);
    if (arguments->resume) return resume(*arguments);
    if (arguments->from_frame >= 0) return branch(*arguments);
    start(*arguments);
  });
}

}  // namespace fondue
