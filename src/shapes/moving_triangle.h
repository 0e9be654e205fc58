#pragma once
// A point and a triangle that move along straight lines during one interval (after Provot 1997 and Bridson 2002). The
// point is in the plane of the triangle at the roots of a cubic; the first root at which it is within the triangle is a
// crossing. Times run from 0 to 1.

#include <array>
#include <optional>

#include "core/vec.h"

namespace fondue {

struct MovingTriangle {
  /// Corners at both ends of the interval.
  std::array<Vec3d, 3> from, to;

  struct Crossing {
    double time;
    /// Barycentric weights of the corners.
    Vec3d weights;
    /// Side from which the point comes: front (1), from which corners run counter-clockwise, or back (-1).
    double side;
  };
  /// Where a point on its way from start to end first passes the triangle, optionally only from its front.
  std::optional<Crossing> first_crossing(const Vec3d& start, const Vec3d& end, bool fronts_only = false) const;
};

/// The point with these barycentric weights.
inline Vec3d blended(const Vec3d& weights, const std::array<Vec3d, 3>& corners) {
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

/// Barycentric weights of the point of a triangle nearest to x.
Vec3d nearest_weights(const Vec3d& x, const std::array<Vec3d, 3>& corners);

}  // namespace fondue
