// fondue render: the picture and the video of a run, drawn again, perhaps in other colours.

#include <fmt/format.h>

#include "cli/commands.h"
#include "core/progress.h"
#include "picture/frame_picture.h"

namespace fondue {

void draw(const Scene& scene, const RunLayout& layout, const InterruptGuard& interrupt) {
  Progress progress("Drawing   ", "frames");
  make_pictures(scene, layout, [&](int drawn, int all) {
    progress.update(static_cast<double>(drawn) / all, drawn, fmt::format("frame {}/{}", drawn, all));
    return !interrupt.asked();
  });
  progress.finish();
  if (interrupt.asked()) throw Interrupted{};
  fmt::print("{}\n{}\n", layout.picture().string(), layout.video().string());
}

void add_render(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Draw the picture and the video of a run again");
  auto folder = std::make_shared<std::string>();
  auto column = std::make_shared<std::string>();
  command->add_option("run", *folder, "folder of the run")->required();
  command->add_option("--colour-by", *column, "column that colours the particles (default: the scene's)");
  command->callback([folder, column] {
    std::vector<Override> overrides;
    if (!column->empty()) overrides.emplace_back("picture.colour_by", '"' + *column + '"');
    const Scene scene = load_scene(RunLayout{*folder, ""}.effective_scene().string(), overrides);
    draw(scene, {*folder, scene.name}, InterruptGuard{});
  });
}

}  // namespace fondue
