#pragma once
// Cubic cells over a box, as their centres, to be halved where a closer look is needed. In two dimensions they are
// squares in the plane z = 0, and so is the box.

#include <vector>

#include "core/vec.h"

namespace fondue {

std::vector<Vec3> cells_over(const Box& box, float size, int dimension);
/// Every cell cut into 2^d of half the size.
std::vector<Vec3> halved(const std::vector<Vec3>& centres, float size, int dimension);

}  // namespace fondue
