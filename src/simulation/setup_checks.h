#pragma once
// What is wrong with a setup, all of it at once, in sentences that name the object, collider or emitter. Scene files
// are checked while they are read, with line and column (scene/); these checks hold for a setup filled in C++ as well,
// and for every change of a simulation that runs.

#include <string>
#include <vector>

#include "scene/scene.h"
#include "world/setup.h"

namespace fondue {

/// Writes the declared default of everything that tracks leave open, as a scene file would.
void complete_tracks(std::vector<Track>& tracks, int dimension);

/// Mistakes in the tracks of all objects: behaviours, parameters, ranges, curves, what behaviours need of each other.
std::vector<std::string> track_mistakes(const WorldSetup& setup);
/// Those, and everything else that is wrong with a scene.
std::vector<std::string> scene_mistakes(const Scene& scene);

/// Throws one InputError with a line per mistake, if there are any.
void raise(const std::vector<std::string>& mistakes);

}  // namespace fondue
