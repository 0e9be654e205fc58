#pragma once
// The volume of a shape in m^d by adaptive refinement (cell_integral.h).

#include <cstddef>

#include "shapes/shape.h"

namespace fondue {

/// Area of the cross-section z = 0 in two dimensions. InputError if the bounds are not finite.
double volume(const Shape& shape, int dimension, float resolution, std::size_t most_cells);

}  // namespace fondue
