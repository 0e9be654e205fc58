// fondue info: describes this program and machine, a run, or a frame.

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "cache/frame.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/memory.h"
#include "world/pair_loops.h"

namespace fondue {

namespace {

void tell_frame(const std::filesystem::path& path) {
  const FrameOutline outline = read_frame_outline(path);
  const FrameHeader& header = outline.header;
  fmt::print("{}\n  scene {}, frame {}, t = {:.6g} s, step {}, {}D, spacing {:.4g} m\n  {} particles\n", path.string(),
             header.scene, header.frame, header.time, header.step, header.dimension, header.spacing, outline.particles);
  for (const FrameOutline::Column& column : outline.columns) fmt::print("  {} [{}]\n", column.name, column.unit);
}

void tell_run(const std::filesystem::path& folder) {
  const RunLayout layout{folder, ""};
  const std::vector<int> frames = list_frames(layout);
  if (frames.empty()) throw InputError(folder.string() + " is not a run: it has no frames");
  fmt::print("{} frames, {} to {}\n", frames.size(), frames.front(), frames.back());
  if (std::filesystem::exists(layout.checkpoint()))
    fmt::print("interrupted; continue with: fondue run --resume --out {}\n", folder.string());
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
