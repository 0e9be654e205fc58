#pragma once
// Shadow map of the spheres, each drawn as a disc through its centre that faces the light. Meshes are drawn into it
// afterwards.

#include <vector>

#include "picture/view_block.h"

namespace fondue {

/// Depths of shadow_size^2 texels, row by row; 1 where there is nothing.
std::vector<float> sphere_shadows(const Spheres& spheres, const ViewBlock& block);

}  // namespace fondue
