#pragma once
// The effective scene of a simulation that was changed while it ran. An object whose tracks were changed gets a
// material of its own in the text, "NAME, changed while running", with its tracks as they are now. The text describes
// the scene from the change on: together with a state saved after it, it continues the run. The time before the change
// it does not describe.

#include <string>

#include "scene/scene.h"

namespace fondue {

/// scene.effective with the tracks that the object has in scene.world now; empty if the scene has no text, because it
/// was built in C++.
std::string effective_with_tracks(const Scene& scene, Index object);

}  // namespace fondue
