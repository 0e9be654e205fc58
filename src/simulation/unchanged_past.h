#pragma once
// How much of a run stays when its scene is changed: keyframes that are moved, added or removed act only from a certain
// time on, so the frames before it are frames of the changed scene too, bit for bit. The run can go on from there.

#include <limits>

#include "scene/scene.h"

namespace fondue {

/// No change of what is simulated: only of how it is drawn or described, or for how long it runs.
inline constexpr double all_time = std::numeric_limits<double>::infinity();

/// The time up to which runs of both scenes have the same states [s]: all_time if they always do, 0 if the change acts
/// from the start. Conservative: a curve counts as changed from the key before its first different one, unless it holds
/// a weight of 0 or 1 after that, and a change of what is estimated from all keys before a run (the expected speed, the
/// range of rest densities) from the start.
double unchanged_until(const Scene& before, const Scene& after);

}  // namespace fondue
