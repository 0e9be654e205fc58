#pragma once
// What a run that goes on from a saved state cannot change: what was used when its particles were made, and what its
// frames are counted by. Everything else acts from the state on.

#include <string>
#include <vector>

#include "scene/scene.h"

namespace fondue {

/// One sentence for each change between the scene of a run and that of a branch of it which would have no effect, or a
/// wrong one; empty if there is none.
std::vector<std::string> impossible_changes(const Scene& run, const Scene& branch);

}  // namespace fondue
