// fondue gallery: which scenes of the gallery have been run, and runs and draws them, going on where it was stopped.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/commands.h"
#include "core/error.h"
#include "scene/suggest.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct GalleryArguments {
  std::vector<std::string> names;
  std::string out = "out/gallery";
  double coarser = 1;
  bool all = false, video = false, no_pictures = false;
};

struct GalleryScene {
  fs::path file;
  Scene scene;
  RunLayout layout;
  /// Frames that are there, without frame 0.
  int frames = 0;
  bool begun = false;
  /// Of the run, if it was begun [m].
  float spacing = 0;
  bool finished() const { return frames >= scene.frames(); }
};

std::vector<GalleryScene> entries(const GalleryArguments& arguments) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(scenes_folder()))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<GalleryScene> result;
  for (const fs::path& file : files) {
    GalleryScene entry{.file = file, .scene = load_scene(file.string()), .layout = {}};
    entry.layout = {fs::path(arguments.out) / entry.scene.name, entry.scene.name};
    entry.begun = fs::exists(entry.layout.effective_scene());
    if (entry.begun) entry.spacing = load_scene(entry.layout.effective_scene().string()).world.spacing;
    if (const std::vector<int> frames = list_frames(entry.layout); !frames.empty()) entry.frames = frames.back();
    result.push_back(std::move(entry));
  }
  return result;
}

void list(const std::vector<GalleryScene>& entries) {
  for (const GalleryScene& entry : entries) {
    std::string state = entry.finished() ? "run"
                        : entry.begun    ? fmt::format("stopped at frame {} of {}", entry.frames, entry.scene.frames())
                                         : "not run";
    if (entry.begun && entry.spacing != entry.scene.world.spacing)
      state += fmt::format(", {:.3g} times coarser", entry.spacing / entry.scene.world.spacing);
    fmt::print("{:<18} {:<42} {}\n", entry.scene.name, state, entry.scene.help);
  }
  fmt::print("\nfondue gallery NAME... or --all runs and draws them; what was interrupted goes on.\n");
}

/// A run goes on as it was begun: another spacing would have no effect.
void refuse_another_spacing(const GalleryScene& entry, const GalleryArguments& arguments) {
  const double asked = arguments.coarser * static_cast<double>(entry.scene.world.spacing);
  if (!entry.begun || std::abs(asked - static_cast<double>(entry.spacing)) < 1e-4 * asked) return;
  throw InputError(fmt::format(
      "the run of '{}' in {} has a spacing of {:.4g} m, and {:.4g} m is asked for; go on with it by --coarser {:.6g}, "
      "or run it anew in another folder (--out), or remove that one",
      entry.scene.name, entry.layout.folder.string(), entry.spacing, asked, entry.spacing / entry.scene.world.spacing));
}

/// Another command of this program.
void call(std::vector<std::string> words) {
  words.insert(words.begin(), "fondue");
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  const int code = run_program(static_cast<int>(argv.size()), argv.data());
  if (code == 130) throw Interrupted{};
  if (code != 0) throw InputError(fmt::format("'fondue {}' failed", fmt::join(words.begin() + 1, words.end(), " ")));
}

void make(const GalleryScene& entry, const GalleryArguments& arguments) {
  const std::string out = entry.layout.folder.string();
  fmt::print(stderr, "{}: {}\n", entry.scene.name, entry.scene.help);
  if (!entry.finished()) {
    std::vector<std::string> words = {"run", "--out", out, "--no-pictures"};
    if (entry.begun) {
      words.push_back("--resume");
    } else {
      words.push_back(entry.file.string());
      if (arguments.coarser != 1) {
        words.push_back("--set");
        words.push_back(fmt::format("scene.spacing={}", arguments.coarser * entry.scene.world.spacing));
      }
    }
    call(words);
  }
  if (arguments.no_pictures) return;
  // Pictures that are up to date are not drawn again.
  std::vector<std::string> words = {"render", out};
  if (!arguments.video) words.insert(words.end(), {"--frames", std::to_string(entry.scene.frames())});
  call(words);
}

}  // namespace

void add_gallery(CLI::App& app) {
  CLI::App* command = app.add_subcommand("gallery", "List, run and draw the scenes of the gallery");
  auto arguments = std::make_shared<GalleryArguments>();
  command->add_option("scenes", arguments->names, "names of scenes to run and draw (none: list all, with their state)");
  command->add_flag("--all", arguments->all, "every scene; this takes hours");
  command->add_option("--out", arguments->out, "folder of the runs, one in it for each scene (default: out/gallery)");
  command->add_option("--coarser", arguments->coarser, "times the spacing of the scenes, e.g. 2 for a first look")
      ->check(CLI::PositiveNumber);
  CLI::Option* video =
      command->add_flag("--video", arguments->video, "draw all frames and the video, not the last only");
  command->add_flag("--no-pictures", arguments->no_pictures, "only simulate")->excludes(video);
  command->callback([arguments] {
    const std::vector<GalleryScene> all = entries(*arguments);
    if (arguments->names.empty() && !arguments->all) return list(all);
    std::vector<std::string> known;
    for (const GalleryScene& entry : all) known.push_back(entry.scene.name);
    for (const std::string& name : arguments->names)
      if (std::ranges::find(known, name) == known.end())
        throw InputError(fmt::format("the gallery has no scene '{}'{}", name, suggestion(name, known)));
    std::vector<const GalleryScene*> chosen;
    for (const GalleryScene& entry : all)
      if (arguments->all || std::ranges::find(arguments->names, entry.scene.name) != arguments->names.end())
        chosen.push_back(&entry);
    for (const GalleryScene* entry : chosen) refuse_another_spacing(*entry, *arguments);
    for (const GalleryScene* entry : chosen) {
      try {
        make(*entry, *arguments);
      } catch (const Interrupted&) {
        fmt::print(stderr, "The same command (fondue gallery) goes on from here\n");
        throw;
      }
    }
  });
}

}  // namespace fondue
