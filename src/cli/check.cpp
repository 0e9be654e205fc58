// fondue check: lists all mistakes in scene files, and the size of the simulation.

#include <fmt/format.h>

#include "cli/commands.h"
#include "scene/scene.h"
#include "shapes/filling.h"
#include "world/world.h"

namespace fondue {

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "List all mistakes in scene files, with line and suggestion");
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("scenes", *files, "scene files")->required();
  command->callback([files] {
    std::vector<SceneMistake> mistakes;
    for (const std::string& file : *files) {
      try {
        const Scene scene = load_scene(file);
        for (const std::string& note : scene.notes) fmt::print(stderr, "note: {}: {}\n", file, note);
        check_memory(scene.world);
        double particles = 0;
        for (const ObjectSetup& object : scene.world.objects)
          if (object.shape) particles += estimate_count(*object.shape, object.spacing, scene.world.dimension);
        fmt::print("{}: fine: about {:.0f} particles at the start, {} frames\n", file, particles, scene.frames());
      } catch (const SceneError& error) {
        mistakes.insert(mistakes.end(), error.mistakes.begin(), error.mistakes.end());
      }
    }
    if (!mistakes.empty()) throw SceneError(mistakes);
  });
}

}  // namespace fondue
