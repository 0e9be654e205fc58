// fondue new: begins a scene as a commented copy of one that comes with Fondue.

#include <fmt/format.h>

#include <filesystem>

#include "cache/output_file.h"
#include "cli/commands.h"
#include "core/error.h"
#include "scene/template.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct NewArguments {
  std::string name, like = "dam-break";
};

std::string template_text(const NewArguments& arguments, const std::string& name, const fs::path& file) {
  try {
    return text_from_template(scenes_folder(), arguments.like, name, file.string());
  } catch (const InputError& error) {
    throw InputError(fmt::format("--like {}: {}", arguments.like, error.what()));
  }
}

void make_scene(const NewArguments& arguments) {
  fs::path file = arguments.name;
  if (file.extension() != ".toml") file += ".toml";
  const std::string name = file.stem().string();
  const std::string text = template_text(arguments, name, file);
  if (name.empty() || name.front() == '.') throw InputError(fmt::format("'{}' is no name for a scene", arguments.name));
  if (fs::exists(file)) throw InputError(fmt::format("'{}' is there already; choose another name", file.string()));
  write_text_atomically(file, text);
  fmt::print("{}\n", file.string());
  fmt::print(stderr, "Run it with: fondue run {}\n", file.string());
}

}  // namespace

void add_new(CLI::App& app) {
  CLI::App* command = app.add_subcommand("new", "Begin a scene: a commented file that runs");
  auto arguments = std::make_shared<NewArguments>();
  command->add_option("name", arguments->name, "name of the scene; the file is NAME.toml")->required();
  command->add_option("--like", arguments->like, "scene to begin with, see 'fondue scenes' (default: dam-break)");
  command->callback([arguments] { make_scene(*arguments); });
}

}  // namespace fondue
