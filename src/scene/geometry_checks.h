#pragma once
// What is wrong with where things are: objects that overlap, that are too thin for a single particle, or that lie
// outside the domain. Found with a few thousand points an object, however fine the scene is.

#include <vector>

#include "scene/mistakes.h"
#include "world/setup.h"

namespace fondue {

/// places[o] is where object o is written. Objects without a shape (mistaken or emitted) are left out.
void check_geometry(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes);

}  // namespace fondue
