// fondue surface: reconstructs the surface of every frame of a run as meshes for any renderer.

#include <fmt/format.h>

#include "cache/column_choice.h"
#include "cache/geometry_file.h"
#include "cache/recomputed.h"
#include "cli/commands.h"
#include "cli/make_files.h"
#include "surface/run_surfaces.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct SurfaceArguments {
  std::string run, format = "ply", frames, out;
  std::vector<std::string> columns, set;
  bool overwrite = false;
};

/// Settings that the files depend on, in addition to their frames.
std::string settings_text(const SurfaceArguments& arguments) {
  std::string text = "surfaces of frames\n";
  for (const std::string& column : arguments.columns) text += fmt::format("column {}\n", column);
  for (const std::string& change : arguments.set) text += fmt::format("set {}\n", change);
  return text;
}

void make_surfaces(const SurfaceArguments& arguments) {
  const Scene scene = scene_of_run(arguments.run, overrides_of(arguments.set));
  const RunLayout layout{arguments.run, scene.name};
  const std::vector<int> frames = frames_of_run(layout);
  const std::pair<int, int> range = chosen_range(arguments.frames, layout, frames);
  std::vector<std::string> columns = arguments.columns;
  columns.insert(columns.end(), scene.surface.attributes.begin(), scene.surface.attributes.end());
  if (const std::vector<std::string> stored = columns_of_run(layout, frames); !stored.empty())
    check_columns(columns, columns_to_show(stored, scene));
  const RunSurfaces surfaces(scene, layout, arguments.columns);
  const FrameFiles files(arguments.out.empty() ? layout.folder / "surface" : fs::path(arguments.out), arguments.format,
                         settings_text(arguments));
  make_files(
      "Surfaces  ", layout, files, range, arguments.overwrite,
      [&](const fs::path& file, const Frame& frame) { write_geometry(file, surfaces.whole(frame)); },
      [&](const fs::path& file) { return read_frame_with(file, scene, columns); });
}

}  // namespace

void add_surface(CLI::App& app) {
  CLI::App* command = app.add_subcommand("surface", "Reconstruct surface meshes of every frame of a run");
  auto arguments = std::make_shared<SurfaceArguments>();
  command->add_option("run", arguments->run, "folder of the run")->required();
  command->add_option("--format", arguments->format, "ply, obj or vtp (default: ply)")
      ->check(CLI::IsMember({"ply", "obj", "vtp"}));
  command->add_option("--frames", arguments->frames, "a frame or a range, e.g. 10 or 10-20 (default: all)");
  command
      ->add_option("--columns", arguments->columns,
                   "columns at the vertices in addition to velocity, e.g. density,pressure")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--set", arguments->set, "key=value: override a scene parameter, e.g. surface.field=distance")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "folder for the files (default: surface in the run)");
  command->add_flag("--overwrite", arguments->overwrite, "also rewrite files that are up to date");
  command->callback([arguments] { make_surfaces(*arguments); });
}

}  // namespace fondue
