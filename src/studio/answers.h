#pragma once
// What the studio answers when it is asked about a session (studio/commands.h), as JSON.

#include <nlohmann/json.hpp>

#include "studio/session.h"

namespace fondue {

/// What the page always knows: takes, frames, whether it plays, what limits the step, messages.
nlohmann::json state_of(Session& session);
/// The text of the present scene, what is written in it, and all its values with defaults.
nlohmann::json scene_of(Session& session);
/// All columns of the particle that is nearest to a point, in the frame that is shown.
nlohmann::json nearest_particle(Session& session, const Vec3& point);
/// The scenes of the folder and of the gallery, and what a new one can begin with.
nlohmann::json gallery(Session& session);

}  // namespace fondue
