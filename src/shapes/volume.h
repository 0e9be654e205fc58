#pragma once
// The volume of a shape in m^d by adaptive refinement: cells whose centre is farther from the surface than their
// corners are entirely inside or outside; the others are divided until they reach the resolution or there are too many
// of them.

#include <cstddef>

#include "shapes/shape.h"

namespace fondue {

/// Area of the cross-section z = 0 in two dimensions. InputError if the bounds are not finite.
double volume(const Shape& shape, int dimension, float resolution, std::size_t most_cells);

}  // namespace fondue
