#pragma once
// One run from its first or a later state to its last frame: steps, tables, frames, checkpoint.

#include <functional>
#include <optional>

#include "cache/run_folder.h"
#include "scene/scene.h"

namespace fondue {

struct RunOptions {
  /// Last frame; the scene's own if absent.
  std::optional<int> frames;
  /// Continue from this state instead of the beginning.
  std::optional<Frame> from;
  /// Asked between steps; true ends the run with a checkpoint.
  std::function<bool()> interrupted = [] { return false; };
};

/// Runs into the folder; returns false if it was interrupted (a checkpoint is there then). A simulation that breaks
/// down leaves the state before the breakdown in failure.h5 and throws.
bool run(const Scene& scene, const RunFolder& folder, RunOptions options);

}  // namespace fondue
