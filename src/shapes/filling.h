#pragma once
// Filling the inside of a shape with points. In two dimensions the cross-section z = 0 is filled. The functions
// throw InputError if the spacing is not above 0, if the shape is unbounded, and if more than `most` points would be
// needed.

#include <cstdint>
#include <vector>

#include "core/progress_report.h"
#include "shapes/shape.h"

namespace fondue {

inline constexpr double most_points = 2e8;

/// Estimated number of points, volume / spacing^d, from some ten thousand distance evaluations.
double estimate_count(const Shape& shape, float spacing, int dimension);

/// Points at (i + 1/2) spacing from the lower corner of the shape's bounds: a box n spacings wide gets n points per
/// side.
std::vector<Vec3> fill_lattice(const Shape& shape, float spacing, int dimension, double most = most_points);

/// Random points, volume / spacing^d of them, with a minimum distance of 0.7 spacing. They start as a Poisson-disc
/// set (Cook 1986) and are relaxed by mutual repulsion, with mirror images behind the surface.
std::vector<Vec3> fill_blue_noise(const Shape& shape, float spacing, int dimension, std::uint64_t seed,
                                  double most = most_points, const ProgressReport& report = {});

}  // namespace fondue
