// fondue timeline: when every behaviour of a scene acts, and what is keyframed.

#include <fmt/format.h>

#include "cache/output_file.h"
#include "cli/commands.h"
#include "scene/timeline_rows.h"

namespace fondue {

void add_timeline(CLI::App& app) {
  CLI::App* command = app.add_subcommand("timeline", "Draw the tracks and keyframes of a scene");
  struct TimelineArguments {
    std::string scene, picture;
    std::vector<std::string> set;
  };
  auto arguments = std::make_shared<TimelineArguments>();
  command->add_option("scene", arguments->scene, "scene file")->required();
  command->add_option("--picture", arguments->picture, "draw to this SVG file instead of the terminal");
  command->add_option("--set", arguments->set, "key=value: a change to the scene; may be repeated")
      ->allow_extra_args(false);
  command->callback([arguments] {
    const Scene scene = load_scene(arguments->scene, overrides_of(arguments->set));
    if (arguments->picture.empty()) return fmt::print("{}", timeline_text(scene));
    if (!arguments->picture.ends_with(".svg"))
      throw InputError(fmt::format("'{}' must end with .svg: the timeline is drawn as SVG", arguments->picture));
    write_text_atomically(arguments->picture, timeline_svg(scene));
    fmt::print("{}\n", arguments->picture);
  });
}

}  // namespace fondue
