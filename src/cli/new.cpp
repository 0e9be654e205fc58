// fondue new: begins a scene as a commented copy of one that comes with Fondue.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cache/output_file.h"
#include "cli/commands.h"
#include "core/error.h"
#include "scene/suggest.h"
#include "scene/toml_text.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string name, like = "dam-break";
};

/// Scenes that need no other file, by name.
std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(scenes_folder())) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const bool needs_files = text.str().find("file = \"") != std::string::npos ||
                             text.str().find("files = \"") != std::string::npos ||
                             text.str().find("image = \"") != std::string::npos;
    if (!needs_files) names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

/// The text of a scene with another name, and instead of its introduction how to go on.
std::string renamed(const std::string& text, const std::string& name, const std::string& file,
                    const std::string& like) {
  std::string result = fmt::format(
      "# {0}: begun as a copy of the scene {2}. All numbers are in SI units; \"8 cm\", \"20 C\", \"5 deg\", \"2 ms\" "
      "work "
      "too.\n"
      "#   fondue check {1}      mistakes, doubts, and how long a run will take\n"
      "#   fondue run {1}        simulate: frames, a picture and a video in out/{0}\n"
      "#   fondue render out/{0}      finished pictures\n"
      "#   fondue reference      every section and every key\n",
      name, file, like);
  std::istringstream lines(text);
  bool introduction = true, named = false;
  for (std::string line; std::getline(lines, line);) {
    introduction &= line.starts_with('#');
    if (introduction) continue;
    if (!named && line.starts_with("name = ")) {
      line = "name = " + toml_string(name);
      named = true;
    }
    result += line + '\n';
  }
  return result;
}

void make_scene(const Arguments& arguments) {
  const std::vector<std::string> known = models();
  if (std::ranges::find(known, arguments.like) == known.end())
    throw InputError(fmt::format("--like {0}: there is no scene '{0}' that can be copied{1}", arguments.like,
                                 suggestion(arguments.like, known)));
  fs::path file = arguments.name;
  if (file.extension() != ".toml") file += ".toml";
  const std::string name = file.stem().string();
  if (name.empty() || name.front() == '.') throw InputError(fmt::format("'{}' is no name for a scene", arguments.name));
  if (fs::exists(file)) throw InputError(fmt::format("'{}' is there already; choose another name", file.string()));
  std::ifstream model(scenes_folder() / (arguments.like + ".toml"));
  std::stringstream text;
  text << model.rdbuf();
  write_text_atomically(file, renamed(text.str(), name, file.string(), arguments.like));
  fmt::print("{}\n", file.string());
  fmt::print(stderr, "Run it with: fondue run {}\n", file.string());
}

}  // namespace

void add_new(CLI::App& app) {
  CLI::App* command = app.add_subcommand("new", "Begin a scene: a commented file that runs");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("name", arguments->name, "name of the scene; the file is NAME.toml")->required();
  command->add_option("--like", arguments->like, "scene to begin with, see 'fondue scenes' (default: dam-break)");
  command->callback([arguments] { make_scene(*arguments); });
}

}  // namespace fondue
