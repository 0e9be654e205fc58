#pragma once
// What a run of a scene will be like: how large, how many particles, how much memory and time. The time is measured:
// the scene, or a coarser copy of a large one, is run for a moment.

#include <optional>

#include "scene/scene.h"

namespace fondue {

struct Outlook {
  /// Of matter, openings, containers and solids at the start [m].
  Vec3 size = Vec3::Zero();
  /// At the start, and made by emitters until the end.
  double particles = 0, emitted = 0;
  double bytes = 0;
  /// Wall time of the simulation on this machine, at the pace of its first steps; if nearly all of it comes from
  /// emitters, with the cost of a block of what they make. None if that cannot be told, because the scene is too thin
  /// for a coarser copy.
  std::optional<double> seconds;
};

/// InputError if the scene cannot be made.
Outlook outlook_of(const Scene& scene);

/// "about 40 s", "about 3 min", "about 2.5 h", "about 4 days".
std::string readable_time(double seconds);

}  // namespace fondue
