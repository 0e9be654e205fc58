#pragma once
// Shadows of spheres: the depth of the nearest at every place of the shadow map, each a disc through its centre that
// faces the light. Meshes are drawn over it.

#include <vector>

#include "picture/view_block.h"

namespace fondue {

/// Row by row, of shadow_size squared texels; 1 where there is nothing.
std::vector<float> sphere_shadows(const Spheres& spheres, const ViewBlock& block);

}  // namespace fondue
