// fondue info: describes this program and machine, a run, or a frame.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "cache/column_choice.h"
#include "cache/frame.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/memory.h"
#include "scene/reading.h"
#include "world/pair_loops.h"

namespace fondue {

namespace {

void tell_frame(const std::filesystem::path& path) {
  const FrameOutline outline = read_frame_outline(path);
  const FrameHeader& header = outline.header;
  fmt::print("{}\n  scene {}, frame {}, t = {:.6g} s, step {}, {}D, spacing {:.4g} m\n  {} particles\n", path.string(),
             header.scene, header.frame, header.time, header.step, header.dimension, header.spacing, outline.particles);
  std::vector<std::string> names;
  for (const FrameOutline::Column& column : outline.columns) names.push_back(column.name);
  const std::vector<std::string> shown = shown_columns(names);
  std::string internal;
  for (const FrameOutline::Column& column : outline.columns)
    if (std::ranges::count(shown, column.name))
      fmt::print("  {} [{}]\n", column.name, unit_in(column.unit, header.dimension));
    else
      internal += (internal.empty() ? "" : ", ") + column.name;
  if (!internal.empty()) fmt::print("  for resuming only: {}\n", internal);
}

/// The time of a state that may not be there or not be readable.
std::optional<double> time_of(const std::filesystem::path& path) {
  try {
    return std::filesystem::exists(path) ? std::optional(read_frame_header(path).time) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Running, failed, finished or interrupted, and how to go on.
std::string condition_of(const RunLayout& layout, const std::vector<int>& frames) {
  const std::string resume = fmt::format("fondue run --resume --out {}", layout.folder.string());
  if (run_is_being_written(layout)) return "running";
  const double last_frame = time_of(layout.frame(frames.back())).value_or(0);
  if (const auto failed = time_of(layout.failure()); failed && *failed >= last_frame)
    return fmt::format("failed at t = {:.6g} s; the state it broke down in is {}", *failed, layout.failure().string());
  const int last = std::filesystem::exists(layout.effective_scene())
                       ? load_scene(layout.effective_scene().string()).frames()
                       : frames.back();
  if (frames.back() >= last) return "finished";
  return fmt::format("interrupted at frame {} of {}; continue with: {}", frames.back(), last, resume);
}

void tell_run(const std::filesystem::path& folder) {
  const RunLayout layout{folder, ""};
  const std::vector<int> frames = list_frames(layout);
  if (frames.empty()) throw InputError(folder.string() + " is not a run: it has no frames");
  fmt::print("{} frames, {} to {}\n{}\n", frames.size(), frames.front(), frames.back(), condition_of(layout, frames));
  tell_frame(layout.frame(frames.back()));
}

void tell_machine() {
  std::string others;
  for (const PairLoops* loops : available_pair_loops())
    if (loops != &chosen_pair_loops()) others += fmt::format("{}{}", others.empty() ? "" : ", ", loops->name);
  fmt::print("Fondue {}\n{} threads, {:.1f} GB of memory free\npair loops: {} (FONDUE_SIMD can select {})\n",
             FONDUE_VERSION, std::thread::hardware_concurrency(), static_cast<double>(available_memory()) / 1e9,
             chosen_pair_loops().name, others);
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Describe this program, a run or a frame");
  auto what = std::make_shared<std::string>();
  command->add_option("what", *what, "folder of a run, or a frame; this program and machine if absent");
  command->callback([what] {
    if (what->empty())
      tell_machine();
    else if (std::filesystem::is_directory(*what))
      tell_run(*what);
    else
      tell_frame(*what);
  });
}

}  // namespace fondue
