// fondue scenes: the scenes that come with Fondue.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "scene/scene.h"

namespace fondue {

void add_scenes(CLI::App& app) {
  CLI::App* command = app.add_subcommand("scenes", "List the scenes that come with Fondue");
  command->callback([] {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(scenes_folder()))
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
      const Scene scene = load_scene(file);
      fmt::print("{:<16} {}\n{:<16} {}\n", scene.name, scene.help, "", file);
    }
  });
}

}  // namespace fondue
