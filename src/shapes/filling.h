#pragma once
// Filling the inside of a shape with points. In two dimensions the inside is that of the cross-section z = 0, and so
// are the points. The functions throw InputError for a spacing that is not above 0, for shapes without end, and when
// more points than `most` would be needed.

#include <cstdint>
#include <vector>

#include "shapes/shape.h"

namespace fondue {

inline constexpr double most_points = 2e8;

/// Roughly how many points a filling has, volume / spacing^d, from a few ten thousand distances.
double estimate_count(const Shape& shape, float spacing, int dimension);

/// Points at (i + 1/2) spacing from the lower corner of the shape's bounds: a box of n spacings has n points a side.
std::vector<Vec3> fill_lattice(const Shape& shape, float spacing, int dimension, double most = most_points);

/// Points without order, as many as the volume holds of spacing^d, none nearer to another than 0.7 spacing. They begin
/// as Poisson discs (Cook 1986) and are relaxed by pushing each other, and images of themselves behind the surface,
/// away.
std::vector<Vec3> fill_blue_noise(const Shape& shape, float spacing, int dimension, std::uint64_t seed,
                                  double most = most_points);

}  // namespace fondue
