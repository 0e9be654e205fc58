#pragma once
// The surfaces of a frame as they are sent to the page (studio/packed_mesh.h).

#include <string>

#include "cache/run_folder.h"
#include "scene/scene.h"

namespace fondue {

/// The surfaces of all objects in the colours of their looks; empty if the frame has none (two dimensions, grains).
/// Solids are not among them (studio/shown_props.h). May take seconds.
std::string packed_surface(const Scene& scene, const RunLayout& layout, int frame);

}  // namespace fondue
