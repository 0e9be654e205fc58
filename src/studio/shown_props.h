#pragma once
// What stands in a scene beside its particles, for the page: solids, and as ghosts the parts of space in which
// something acts (regions, controls, emitters, sinks, pins). Their triangles are sent once, in their own coordinates;
// every frame says where they are.

#include <nlohmann/json.hpp>
#include <string>

#include "cache/frame.h"
#include "scene/scene.h"

namespace fondue {

/// Whether the solids of this scene are sent as triangles; otherwise frames have their boundary particles. Not in two
/// dimensions, and not if one changes its shape.
bool solids_are_props(const Scene& scene);

/// The triangles of all props (studio/packed_mesh.h). The header has `props`: for each its section, name, whether it is
/// a ghost, and its first triangle and their number. Empty if there are none. May take seconds.
std::string packed_props(const Scene& scene);

/// Where the props are in a frame, in the same order: nine numbers of a rotation, column by column, the position, and
/// whether it is on (1 or 0).
nlohmann::json poses_of_props(const Scene& scene, const FrameHeader& frame);

}  // namespace fondue
