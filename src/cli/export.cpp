// fondue export: writes the particles of a run as files for other programs. Only missing and outdated files are
// written.

#include <fmt/format.h>

#include <algorithm>

#include "cache/column_choice.h"
#include "cache/geometry_file.h"
#include "cache/output_file.h"
#include "cache/particle_geometry.h"
#include "cache/recomputed.h"
#include "cache/vdb_file.h"
#include "cli/commands.h"
#include "cli/make_files.h"
#include "core/error.h"
#include "picture/gltf.h"
#include "scene/reading.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string run, format, frames, out;
  std::vector<std::string> columns;
  float voxel = 0;
  bool overwrite = false;
};

/// Options that would have no effect are refused.
void check(const ExportArguments& arguments) {
  const bool vdb = arguments.format == "vdb";
  if (arguments.format == "obj" && !arguments.columns.empty())
    throw InputError("--columns: OBJ files contain only positions; use --format ply or vtp");
  if (arguments.format == "glb" && (!arguments.columns.empty() || !arguments.frames.empty()))
    throw InputError("--format glb writes solids and camera of the whole run: without --columns and --frames");
  if (!vdb && arguments.voxel > 0) throw InputError("--voxel is only valid with --format vdb");
  if (vdb) require_openvdb();
}

/// Whether the mass of the particles follows from these columns.
bool tell_mass(const std::vector<std::string>& columns) {
  const auto has = [&](const char* name) { return std::ranges::count(columns, name) != 0; };
  return has("mass") || (has("density") && has("density_ratio"));
}

std::string settings_text(const ExportArguments& arguments) {
  std::string text = "particles of frames\n";
  for (const std::string& column : arguments.columns) text += fmt::format("column {}\n", column);
  if (arguments.voxel > 0) text += fmt::format("voxel {}\n", arguments.voxel);
  return text;
}

FrameWriter writer_of(const ExportArguments& arguments) {
  if (arguments.format != "vdb") {
    return [columns = arguments.columns](const fs::path& file, const Frame& frame) {
      write_geometry(file, particle_geometry(frame, columns));
    };
  }
  // The kernel is only in the scene.
  const Scene scene = scene_of_run(arguments.run);
  return [options = FogOptions{scene.world.kernel, arguments.voxel, arguments.columns}](
             const fs::path& file, const Frame& frame) { write_vdb(file, frame, options); };
}

/// Solids and camera of the whole run: one file.
void export_scene(const ExportArguments& arguments) {
  const Scene scene = scene_of_run(arguments.run);
  const RunLayout layout{arguments.run, scene.name};
  const std::vector<int> frames = frames_of_run(layout);
  std::vector<FrameHeader> headers;
  for (const int frame : frames) {
    try {
      headers.push_back(read_frame_header(layout.frame(frame)));
    } catch (const InputError& error) {
      fmt::print(stderr, "frame {} is skipped: {}\n", frame, error.what());
    }
  }
  if (headers.empty()) throw InputError(fmt::format("{} has no frame that can be read", layout.folder.string()));
  for (const ColliderSetup& collider : scene.world.colliders)
    if (collider.visible && collider.shape->sequence())
      fmt::print(stderr, "note: '{}' changes its shape; the file has that of the start\n", collider.name);
  const fs::path out = arguments.out.empty() ? layout.folder / "export" : fs::path(arguments.out);
  fs::create_directories(out);
  const fs::path file = out / "scene.glb";
  const RunView view(scene, layout, frames, false, RunView::Damaged::pass_over);
  write_file_atomically(file, gltf_image(scene, RunSurfaces(scene, layout), view, headers));
  fmt::print("{}\n", file.string());
}

void export_run(ExportArguments arguments) {
  check(arguments);
  if (arguments.format == "glb") return export_scene(arguments);
  const RunLayout layout{arguments.run, ""};
  const std::vector<int> frames = frames_of_run(layout);
  const std::pair<int, int> range = chosen_range(arguments.frames, layout, frames);
  // Needed only for columns that are not stored.
  std::optional<Scene> scene;
  if (const std::vector<std::string> known = columns_of_run(layout, frames); !known.empty()) {
    if (!std::ranges::all_of(arguments.columns,
                             [&](const std::string& name) { return std::ranges::count(known, name); })) {
      scene = scene_of_run(arguments.run);
      check_columns(arguments.columns, columns_to_show(known, *scene));
    }
    // By default what a user may ask for, not what only a resumed run needs.
    if (arguments.columns.empty() && arguments.format != "vdb" && arguments.format != "obj")
      arguments.columns = shown_columns(known);
    if (arguments.format == "vdb" && !tell_mass(known))
      fmt::print(stderr,
                 "note: the frames contain no mass, so density is the filled fraction of space; output.columns = "
                 "[\"mass\"] in the scene adds it\n");
  }
  const fs::path out = arguments.out.empty() ? layout.folder / "export" / arguments.format : fs::path(arguments.out);
  const FrameWriter write = writer_of(arguments);
  const FrameFiles files(out, arguments.format, settings_text(arguments));
  const auto read = [&](const fs::path& file) {
    return scene ? read_frame_with(file, *scene, arguments.columns) : read_frame(file);
  };
  make_files("Exporting ", layout, files, range, arguments.overwrite, write, read);
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write the particles of a run as files for other programs");
  auto arguments = std::make_shared<ExportArguments>();
  command->add_option("run", arguments->run, "folder of the run")->required();
  command
      ->add_option("--format", arguments->format,
                   "ply, obj, vtp or vdb: particles of every frame; glb: solids and camera of the run")
      ->required()
      ->check(CLI::IsMember({"ply", "obj", "vtp", "vdb", "glb"}));
  command->add_option("--frames", arguments->frames, "a frame or a range, e.g. 10 or 10-20 (default: all)");
  command
      ->add_option("--columns", arguments->columns,
                   "columns in addition to position, velocity and id, e.g. density,pressure (default: all but internal "
                   "ones; in vdb: temperature)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "folder for the files (default: export/<format> in the run)");
  command->add_option("--voxel", arguments->voxel, "voxel size in metres (default: half the spacing)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--overwrite", arguments->overwrite, "also rewrite files that are up to date");
  command->callback([arguments] { export_run(*arguments); });
}

}  // namespace fondue
