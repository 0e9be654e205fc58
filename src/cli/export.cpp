// fondue export: writes the particles of a run as files for other programs. Only missing and outdated files are
// written.

#include <fmt/format.h>

#include <algorithm>

#include "cache/column_choice.h"
#include "cache/geometry_file.h"
#include "cache/particle_geometry.h"
#include "cache/vdb_file.h"
#include "cli/commands.h"
#include "cli/make_files.h"
#include "core/error.h"
#include "scene/reading.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string run, format, frames, out;
  std::vector<std::string> columns;
  float voxel = 0;
  bool overwrite = false;
};

/// Options that would have no effect are refused.
void check(const Arguments& arguments) {
  const bool vdb = arguments.format == "vdb";
  if (arguments.format == "obj" && !arguments.columns.empty())
    throw InputError("--columns: OBJ files contain only positions; use --format ply or vtp");
  if (!vdb && arguments.voxel > 0) throw InputError("--voxel is only valid with --format vdb");
  if (vdb) require_openvdb();
}

/// Whether the mass of the particles follows from these columns.
bool tell_mass(const std::vector<std::string>& columns) {
  const auto has = [&](const char* name) { return std::ranges::count(columns, name) != 0; };
  return has("mass") || (has("density") && has("compression"));
}

std::string settings_text(const Arguments& arguments) {
  std::string text = "particles of frames\n";
  for (const std::string& column : arguments.columns) text += fmt::format("column {}\n", column);
  if (arguments.voxel > 0) text += fmt::format("voxel {}\n", arguments.voxel);
  return text;
}

FrameWriter writer_of(const Arguments& arguments) {
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

void export_run(Arguments arguments) {
  check(arguments);
  const RunLayout layout{arguments.run, ""};
  const std::vector<int> frames = frames_of_run(layout);
  const std::pair<int, int> range = chosen_range(arguments.frames, layout, frames);
  if (const std::vector<std::string> known = columns_of_run(layout, frames); !known.empty()) {
    check_columns(arguments.columns, known);
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
  make_files("Exporting ", layout, files, range, arguments.overwrite, write);
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write the particles of a run as files for other programs");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("run", arguments->run, "folder of the run")->required();
  command->add_option("--format", arguments->format, "ply, obj, vtp or vdb")
      ->required()
      ->check(CLI::IsMember({"ply", "obj", "vtp", "vdb"}));
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
