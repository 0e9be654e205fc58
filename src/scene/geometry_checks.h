#pragma once
// Geometric checks of a scene: objects that overlap, that are too thin for a single particle or for what they are made
// of, or that lie outside the domain, pins that hold nothing, and shapes that are no rigid bodies. They use a few
// thousand points per object, independent of the resolution of the scene.

#include <vector>

#include "scene/mistakes.h"
#include "world/setup.h"

namespace fondue {

/// places[o] is the position of object o in the file. Objects without a shape (invalid or emitted) are skipped.
void check_geometry(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes);

/// places[p] is the position of pin p in the file. Pins that are switched on later are judged during the run.
void check_pins(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes);

/// What makes a shape no rigid body in this world: no end, no inside, or too thin for its boundary particles; empty if
/// nothing does.
std::string unfit_for_a_body(const ColliderSetup& body, const WorldSetup& world);

}  // namespace fondue
