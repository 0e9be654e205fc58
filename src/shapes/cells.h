#pragma once
// Cubic cells that cover a box, given by their centres, for adaptive refinement. In two dimensions cells and box are
// squares in the plane z = 0.

#include <vector>

#include "core/vec.h"

namespace fondue {

std::vector<Vec3> cells_over(const Box& box, float size, int dimension);
/// Every cell divided into 2^d cells of half the size.
std::vector<Vec3> halved(const std::vector<Vec3>& centres, float size, int dimension);

}  // namespace fondue
