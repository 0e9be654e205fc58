// fondue render: finished pictures and the video of a run, or a quick preview of them.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <thread>

#include "cli/commands.h"
#include "cli/make_files.h"
#include "core/progress.h"
#include "picture/frame_picture.h"
#include "picture/frame_render.h"

namespace fondue {

namespace {

struct RenderArguments {
  std::string run, column, frames;
  std::vector<std::string> set;
  int threads = 0;
  bool preview = false, particles = false, overwrite = false;
};

/// Shows progress until the work is done or the user interrupts it.
template <class Work>
void with_progress(const InterruptGuard& interrupt, Work&& work) {
  Progress progress("Drawing   ", "frames");
  int before = -1;
  try {
    work([&](int drawn, int all) {
      if (before < 0) before = drawn - 1;
      progress.update(static_cast<double>(drawn) / all, drawn - before, fmt::format("frame {}/{}", drawn, all));
      return !interrupt.asked();
    });
  } catch (const Interrupted&) {
    // While a picture was prepared; told below.
  }
  progress.finish();
  if (!interrupt.asked()) return;
  fmt::print(stderr, "Interrupted; the same command continues with the missing pictures\n");
  throw Interrupted{};
}

/// The picture of the last frame and the video.
void tell(const RunLayout& layout) { fmt::print("{}\n{}\n", layout.picture().string(), layout.video().string()); }

void render(const RenderArguments& arguments) {
  std::vector<Override> overrides = overrides_of(arguments.set);
  if (!arguments.column.empty()) overrides.emplace_back("picture.colour_by", fmt::format("\"{}\"", arguments.column));
  const Scene scene = scene_of_run(arguments.run, overrides);
  const RunLayout layout{arguments.run, scene.name};
  const std::vector<int> frames = frames_of_run(layout);
  std::optional<std::pair<int, int>> range;
  if (!arguments.frames.empty()) range = chosen_range(arguments.frames, layout, frames);

  // Surfaces are coloured by a column only if --colour-by is given; the scene's picture.colour_by applies to particles.
  const bool coloured = !arguments.column.empty(), by_column = coloured && arguments.column != "object";
  std::vector<std::string> columns;
  if (by_column) columns.push_back(arguments.column);
  const InterruptGuard interrupt;
  const RunSurfaces surfaces(scene, layout, columns, preparation_shown(interrupt));
  if (arguments.preview) {
    const PreviewSetup setup{arguments.particles, coloured, range};
    with_progress(interrupt,
                  [&](const PictureProgress& progress) { make_pictures(scene, layout, surfaces, setup, progress); });
    if (!range) return tell(layout);
    for (int frame = range->first; frame <= range->second; ++frame) fmt::print("{}\n", layout.preview(frame).string());
    return;
  }

  FinishedSetup setup;
  setup.surfaces = [&](const Scene&, const Frame& frame) {
    return arguments.particles ? surfaces.particles(frame) : surfaces.drawn(frame);
  };
  setup.solids = [&](const Scene&, const Frame& frame) { return surfaces.solids(frame.header); };
  setup.coloured = coloured;
  setup.overwrite = arguments.overwrite;
  setup.range = range;
  setup.settings = arguments.particles ? "particles\n" : "surfaces\n";
  for (const std::string& change : arguments.set) setup.settings += fmt::format("set {}\n", change);
  setup.threads = arguments.threads > 0 ? arguments.threads : static_cast<int>(std::thread::hardware_concurrency());
  FinishedPictures pictures(scene, layout, setup);
  with_progress(interrupt, [&](const PictureProgress& progress) { pictures.draw(progress); });
  if (!range) return tell(layout);
  for (int frame = range->first; frame <= range->second; ++frame) fmt::print("{}\n", pictures.picture(frame).string());
}

}  // namespace

void draw(const Scene& scene, const RunLayout& layout, const InterruptGuard& interrupt) {
  const RunSurfaces surfaces(scene, layout);
  with_progress(interrupt,
                [&](const PictureProgress& progress) { make_pictures(scene, layout, surfaces, {}, progress); });
  tell(layout);
}

void add_render(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Draw finished pictures and the video of a run");
  auto arguments = std::make_shared<RenderArguments>();
  command->add_option("run", arguments->run, "folder of the run")->required();
  CLI::Option* preview = command->add_flag("--preview", arguments->preview, "fast pictures with simple lighting");
  command->add_flag("--particles", arguments->particles, "particles instead of surfaces");
  command->add_option("--colour-by", arguments->column,
                      "colour by a column, with a legend, instead of the colours of the looks; or by \"object\"");
  command->add_option("--frames", arguments->frames,
                      "a frame or a range, e.g. 10 or 10-20 (default: all, with a video)");
  command->add_option("--set", arguments->set, "key=value: override a scene parameter, e.g. picture.width=1920")
      ->allow_extra_args(false);
  command->add_option("--threads", arguments->threads, "number of frames drawn in parallel (default: all cores)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--overwrite", arguments->overwrite, "also redraw pictures that are up to date")->excludes(preview);
  command->callback([arguments] {
    std::optional<tbb::global_control> threads;
    if (arguments->threads > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, arguments->threads);
    render(*arguments);
  });
}

}  // namespace fondue
