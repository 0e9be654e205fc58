#pragma once
// Geometric checks of a scene: objects that overlap, that are too thin for a single particle or for what they are made
// of, or that lie outside the domain, and pins that hold nothing. They use a few thousand points per object, independent of the resolution of the scene.

#include <vector>

#include "scene/mistakes.h"
#include "world/setup.h"

namespace fondue {

/// places[o] is the position of object o in the file. Objects without a shape (invalid or emitted) are skipped.
void check_geometry(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes);

/// places[p] is the position of pin p in the file. Pins that are switched on later are judged during the run.
void check_pins(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes);

}  // namespace fondue
