#pragma once
// The volume of a shape in m^d by halving cells: those whose centre is farther from the surface than their corners are
// in or out as a whole, the others are cut until they have the wanted size or there are too many of them.

#include <cstddef>

#include "shapes/shape.h"

namespace fondue {

/// Area of the cross-section z = 0 in two dimensions. InputError if the bounds are not finite.
double volume(const Shape& shape, int dimension, float resolution, std::size_t most_cells);

}  // namespace fondue
