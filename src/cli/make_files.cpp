#include "cli/make_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cache/geometry_file.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/progress.h"

namespace fondue {

namespace fs = std::filesystem;

Scene scene_of_run(const std::string& folder, const std::vector<Override>& overrides) {
  const fs::path scene = RunLayout{folder, ""}.effective_scene();
  if (!fs::is_regular_file(scene))
    throw InputError(fmt::format(
        "{} is not the folder of a run: it has no scene.toml; create a run with 'fondue run SCENE'", folder));
  return load_scene(scene.string(), overrides);
}

std::vector<std::string> columns_of_run(const RunLayout& layout, const std::vector<int>& frames) {
  std::vector<std::string> names;
  for (const int frame : frames) {
    try {
      const FrameOutline outline = read_frame_outline(layout.frame(frame));
      for (const FrameOutline::Column& column : outline.columns) names.push_back(column.name);
      return names;
    } catch (const InputError&) {
      // Reported when its own file is made.
    }
  }
  return names;
}

std::vector<int> frames_of_run(const RunLayout& layout) {
  const std::vector<int> frames = list_frames(layout);
  if (frames.empty()) throw InputError(fmt::format("{} is not a run: it has no frames", layout.folder.string()));
  return frames;
}

std::pair<int, int> chosen_range(const std::string& text, const RunLayout& layout, const std::vector<int>& frames) {
  const int first = frames.front(), last = frames.back();
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
    throw InputError(fmt::format("--frames {}: {} has frames {} to {}", text, layout.folder.string(), first, last));
  return {from, to};
}

namespace {

struct Count {
  int written = 0, there = 0, failed = 0;
  int all() const { return written + there + failed; }
};

Count make_each(const std::string& label, const RunLayout& layout, const FrameFiles& files, std::pair<int, int> range,
                bool overwrite, const FrameWriter& write, const FrameReader& read) {
  const InterruptGuard interrupt;
  Progress progress(label, "frames");
  const auto [first, last] = range;
  Count count;
  for (int frame = first; frame <= last; ++frame) {
    const fs::path source = layout.frame(frame), file = files.file(frame);
    if (!overwrite && files.up_to_date(frame, source)) {
      ++count.there;
    } else {
      try {
        write(file, read(source));
        ++count.written;
      } catch (const InputError& error) {
        progress.finish();
        fmt::print(stderr, "frame {} is skipped: {}\n", frame, error.what());
        ++count.failed;
      }
    }
    progress.update(static_cast<double>(count.all()) / (last - first + 1), count.written,
                    fmt::format("frame {}/{}", frame, last));
    if (interrupt.asked() && frame != last) {
      progress.finish();
      fmt::print(stderr, "Interrupted; the same command continues with the missing files\n");
      throw Interrupted{};
    }
  }
  progress.finish();
  return count;
}

/// The index of all VTP files in the folder, also those of earlier exports.
void write_series(const RunLayout& layout, const FrameFiles& files, const std::vector<int>& frames) {
  std::vector<SeriesEntry> entries;
  for (const int frame : frames) {
    if (!fs::exists(files.file(frame))) continue;
    try {
      entries.push_back({read_frame_header(layout.frame(frame)).time, files.file(frame)});
    } catch (const InputError&) {
      // Reported when its own file was made.
    }
  }
  const fs::path series = files.folder() / "frames.pvd";
  write_pvd(series, entries);
  fmt::print("{}\n", series.string());
}

/// Reports files of frames of an earlier, longer run; they are not deleted.
void tell_leftovers(const FrameFiles& files, int last) {
  int leftovers = 0;
  while (fs::exists(files.file(last + 1 + leftovers))) ++leftovers;
  if (leftovers > 0)
    fmt::print(stderr, "note: {} has {} files of frames after {}, which this run does not have\n",
               files.folder().string(), leftovers, last);
}

}  // namespace

void make_files(const std::string& label, const RunLayout& layout, const FrameFiles& files, std::pair<int, int> range,
                bool overwrite, const FrameWriter& write, const FrameReader& read) {
  const Count count = make_each(label, layout, files, range, overwrite, write, read);
  fmt::print(
      stderr, "{} {} written{}\n", count.written, count.written == 1 ? "file" : "files",
      count.there == 0 ? "" : fmt::format(", {} already up to date (--overwrite writes them again)", count.there));
  const std::vector<int> frames = list_frames(layout);
  if (files.file(0).extension() == ".vtp")
    write_series(layout, files, frames);
  else
    fmt::print("{}\n", files.folder().string());
  tell_leftovers(files, frames.back());
  if (count.failed > 0) throw InputError(fmt::format("{} of {} frames could not be made", count.failed, count.all()));
}

}  // namespace fondue
