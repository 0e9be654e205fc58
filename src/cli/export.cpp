// fondue export: the frames of a run as files that other programs open. Only what is missing or out of date is written.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "cache/column_choice.h"
#include "cache/geometry_file.h"
#include "cache/particle_geometry.h"
#include "cache/vdb_file.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/progress.h"

#if __has_include("surface/frame_surface.h")
#include "surface/frame_surface.h"
#define FONDUE_SURFACE 1
#else
#define FONDUE_SURFACE 0
#endif

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string run, format, frames, out;
  std::vector<std::string> columns;
  float voxel = 0;
  bool surface = false, overwrite = false;
};

/// The surface of the matter in a frame.
Geometry surface_of([[maybe_unused]] const Scene& scene, [[maybe_unused]] const Frame& frame) {
#if FONDUE_SURFACE
  return frame_surface(scene, frame);
#else
  return {};
#endif
}

/// Options that say something only together with others are not ignored in silence.
void check(const Arguments& arguments) {
  const bool vdb = arguments.format == "vdb";
  if (arguments.surface && !FONDUE_SURFACE)
    throw InputError("--surface: this build makes no surfaces; without it the particles are exported");
  if (vdb && arguments.surface)
    throw InputError("--surface: a VDB file holds volumes, not surfaces; use --format ply, obj or vtp");
  if (arguments.format == "obj" && !arguments.columns.empty())
    throw InputError("--columns: an OBJ file holds positions only; use --format ply or vtp");
  if (!vdb && arguments.voxel > 0) throw InputError("--voxel is the size of a voxel and belongs to --format vdb");
  if (vdb) require_openvdb();
}

/// "10" or "10-20", within what the run has.
std::pair<int, int> chosen_range(const std::string& text, const std::string& run, int first, int last) {
  if (text.empty()) return {first, last};
  int from = 0, to = 0;
  const char *at = text.data(), *end = at + text.size();
  auto result = std::from_chars(at, end, from);
  to = from;
  if (result.ec == std::errc{} && result.ptr != end && *result.ptr == '-')
    result = std::from_chars(result.ptr + 1, end, to);
  if (result.ec != std::errc{} || result.ptr != end || from < 0 || to < from)
    throw InputError(fmt::format("--frames {}: needs a number or a range, e.g. 10 or 10-20", text));
  if (from < first || to > last)
    throw InputError(fmt::format("--frames {}: {} has frames {} to {}", text, run, first, last));
  return {from, to};
}

/// Whether frames with these columns tell the mass of their particles.
bool tell_mass(const std::vector<std::string>& columns) {
  const auto has = [&](const char* name) { return std::ranges::count(columns, name) != 0; };
  return has("mass") || (has("density") && has("compression"));
}

/// The columns of the first frame that can be read; none if there is no such frame.
std::vector<std::string> known_columns(const RunLayout& layout, const std::vector<int>& frames) {
  std::vector<std::string> names;
  for (const int frame : frames) {
    try {
      const FrameOutline outline = read_frame_outline(layout.frame(frame));
      for (const FrameOutline::Column& column : outline.columns) names.push_back(column.name);
      return names;
    } catch (const InputError&) {
      // Its turn to be reported comes.
    }
  }
  return names;
}

/// The folder files go into, and which of them need not be made again.
class ExportFolder {
 public:
  /// Files that were made with other settings are out of date, so the folder remembers them.
  ExportFolder(fs::path folder, std::string extension, const std::string& settings)
      : folder_(std::move(folder)), extension_(std::move(extension)), settings_(folder_ / ".export") {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw OutputError(fmt::format("cannot make folder '{}': {}", folder_.string(), error.message()));
    std::ifstream file(settings_, std::ios::binary);
    if (std::string(std::istreambuf_iterator<char>(file), {}) != settings) write_text_atomically(settings_, settings);
  }

  const fs::path& path() const { return folder_; }
  fs::path file(int frame) const { return folder_ / fmt::format("frame_{:06}.{}", frame, extension_); }
  bool up_to_date(int frame, const fs::path& source) const {
    std::error_code error;
    const fs::file_time_type made = fs::last_write_time(file(frame), error);
    if (error) return false;
    const fs::file_time_type needed = std::max(fs::last_write_time(source, error), fs::last_write_time(settings_));
    return !error && made >= needed;
  }

 private:
  fs::path folder_;
  std::string extension_;
  fs::path settings_;
};

std::string settings_text(const Arguments& arguments) {
  std::string text = fmt::format("{} of frames\n", arguments.surface ? "surfaces" : "particles");
  for (const std::string& column : arguments.columns) text += fmt::format("column {}\n", column);
  if (arguments.voxel > 0) text += fmt::format("voxel {}\n", arguments.voxel);
  return text;
}

/// What makes one file of one frame.
using Writer = std::function<void(const fs::path& file, const Frame& frame)>;

Writer writer_of(const Arguments& arguments, const RunLayout& layout) {
  if (!arguments.surface && arguments.format != "vdb") {
    return [columns = arguments.columns](const fs::path& file, const Frame& frame) {
      write_geometry(file, particle_geometry(frame, columns));
    };
  }
  // Only the scene knows the kernel, and what its matter looks like.
  auto scene = std::make_shared<const Scene>(load_scene(layout.effective_scene().string()));
  if (arguments.surface) {
    return [scene](const fs::path& file, const Frame& frame) { write_geometry(file, surface_of(*scene, frame)); };
  }
  return [options = FogOptions{scene->world.kernel, arguments.voxel, arguments.columns}](
             const fs::path& file, const Frame& frame) { write_vdb(file, frame, options); };
}

struct Count {
  int written = 0, there = 0, failed = 0;
  int all() const { return written + there + failed; }
};

Count export_frames(const RunLayout& layout, const ExportFolder& folder, std::pair<int, int> range, bool overwrite,
                    const Writer& write) {
  const InterruptGuard interrupt;
  Progress progress("Exporting ", "frames");
  const auto [first, last] = range;
  Count count;
  for (int frame = first; frame <= last; ++frame) {
    const fs::path source = layout.frame(frame), file = folder.file(frame);
    if (!overwrite && folder.up_to_date(frame, source)) {
      ++count.there;
    } else {
      try {
        write(file, read_frame(source));
        ++count.written;
      } catch (const InputError& error) {
        progress.finish();
        fmt::print(stderr, "frame {} is left out: {}\n", frame, error.what());
        ++count.failed;
      }
    }
    progress.update(static_cast<double>(count.all()) / (last - first + 1), count.written,
                    fmt::format("frame {}/{}", frame, last));
    if (interrupt.asked() && frame != last) {
      progress.finish();
      fmt::print(stderr, "Interrupted; the same command goes on with what is missing\n");
      throw Interrupted{};
    }
  }
  progress.finish();
  return count;
}

/// The index of all VTP files in the folder, also those of earlier exports.
void write_series(const RunLayout& layout, const ExportFolder& folder, const std::vector<int>& frames) {
  std::vector<SeriesEntry> entries;
  for (const int frame : frames) {
    if (!fs::exists(folder.file(frame))) continue;
    try {
      entries.push_back({read_frame_header(layout.frame(frame)).time, folder.file(frame)});
    } catch (const InputError&) {
      // Reported when it was its turn.
    }
  }
  const fs::path series = folder.path() / "frames.pvd";
  write_pvd(series, entries);
  fmt::print("{}\n", series.string());
}

/// Files of frames that an earlier, longer run had are not deleted, but not hidden either.
void tell_leftovers(const ExportFolder& folder, int last) {
  int leftovers = 0;
  while (fs::exists(folder.file(last + 1 + leftovers))) ++leftovers;
  if (leftovers > 0)
    fmt::print(stderr, "note: {} has {} files of frames after {}, which this run does not have\n",
               folder.path().string(), leftovers, last);
}

void export_run(const Arguments& arguments) {
  check(arguments);
  const RunLayout layout{arguments.run, ""};
  const std::vector<int> frames = list_frames(layout);
  if (frames.empty()) throw InputError(fmt::format("{} is not a run: it has no frames", arguments.run));
  const std::pair<int, int> range = chosen_range(arguments.frames, arguments.run, frames.front(), frames.back());
  if (const std::vector<std::string> known = known_columns(layout, frames); !known.empty()) {
    check_columns(arguments.columns, known);
    if (arguments.format == "vdb" && !tell_mass(known))
      fmt::print(stderr,
                 "note: the frames hold no mass, so density is the filled fraction of space; output.columns = "
                 "[\"mass\"] in the scene changes that\n");
  }
  const Writer write = writer_of(arguments, layout);

  const std::string name = arguments.surface ? fmt::format("{}-surface", arguments.format) : arguments.format;
  const ExportFolder folder(arguments.out.empty() ? layout.folder / "export" / name : fs::path(arguments.out),
                            arguments.format, settings_text(arguments));
  const Count count = export_frames(layout, folder, range, arguments.overwrite, write);
  fmt::print(
      stderr, "{} {} written{}\n", count.written, count.written == 1 ? "file" : "files",
      count.there == 0 ? "" : fmt::format(", {} were there already (--overwrite makes them again)", count.there));
  if (arguments.format == "vtp")
    write_series(layout, folder, frames);
  else
    fmt::print("{}\n", folder.path().string());
  tell_leftovers(folder, frames.back());
  if (count.failed > 0)
    throw InputError(fmt::format("{} of {} frames could not be exported", count.failed, count.all()));
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write the frames of a run as files for other programs");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("run", arguments->run, "folder of the run")->required();
  command->add_option("--format", arguments->format, "ply, obj, vtp or vdb")
      ->required()
      ->check(CLI::IsMember({"ply", "obj", "vtp", "vdb"}));
  command->add_option("--frames", arguments->frames, "a frame or a range, e.g. 10 or 10-20 (default: all)");
  CLI::Option* columns =
      command
          ->add_option(
              "--columns", arguments->columns,
              "columns beside position, velocity and id, e.g. density,pressure (default: all; in vdb: temperature)")
          ->delimiter(',')
          ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "folder for the files (default: export/<format> in the run)");
  command->add_flag("--surface", arguments->surface, "the surface of the matter instead of its particles")
      ->excludes(columns);
  command->add_option("--voxel", arguments->voxel, "size of a voxel in metres (default: half the spacing)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--overwrite", arguments->overwrite, "write also the files that are up to date");
  command->callback([arguments] { export_run(*arguments); });
}

}  // namespace fondue
