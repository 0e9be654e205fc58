#pragma once
// Geometric checks of a scene: objects that overlap, that are too thin for a single particle, or that lie outside the
// domain. They use a few thousand points per object, independent of the resolution of the scene.

#include <vector>

#include "scene/mistakes.h"
#include "world/setup.h"

namespace fondue {

/// places[o] is the position of object o in the file. Objects without a shape (invalid or emitted) are skipped.
void check_geometry(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes);

}  // namespace fondue
