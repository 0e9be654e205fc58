#pragma once
// What stands in a scene beside its particles, for the page: solids, and as ghosts the parts of space in which
// something acts (regions, controls, emitters, sinks, pins). Their triangles are sent once, in their own coordinates;
// every frame says where they are, and has the vertices of those that change their shape.

#include <nlohmann/json.hpp>
#include <string>

#include "cache/frame.h"
#include "scene/scene.h"

namespace fondue {

/// Whether the solids of this scene are sent as triangles; otherwise, in two dimensions, frames have their boundary
/// particles.
bool solids_are_props(const Scene& scene);

/// The triangles of all props (studio/packed_mesh.h). The header has `props`: for each its section, name, whether it is
/// a ghost, its first vertex, and its first triangle and their number. Empty if there are none. May take seconds.
std::string packed_props(const Scene& scene);

/// Where the props are in a frame, in the same order: nine numbers of a rotation, column by column, the position, and
/// whether it is on (1 or 0).
nlohmann::json poses_of_props(const Scene& scene, const FrameHeader& frame);

/// The vertices of props that change their shape: for each its number among the props and that of its vertices, and
/// one after the other their places and normals (studio/packed_mesh.h).
struct DeformedProps {
  nlohmann::json list = nlohmann::json::array();
  std::string bytes;
};
DeformedProps deformed_props(const Scene& scene, double time);

}  // namespace fondue
