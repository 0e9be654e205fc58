#pragma once
// Boolean combinations and transforms of shapes. With distances a and b: union min(a, b), intersection max(a, b),
// complement -a, difference max(a, -b). Smooth combinations use the quadratic polynomial minimum
//   smin(a, b) = min(a, b) - (k - |a - b|)^2 / (4k)  where |a - b| < k,
// whose partial derivatives are positive and sum to 1, so that the result stays a lower bound of the distance (usable
// for sphere tracing). The blend extends the radius k from the seam. Several parts are blended one after the other.

#include <vector>

#include "shapes/shape.h"

namespace fondue {

/// Radius 0 gives sharp seams.
ShapePtr make_union(std::vector<ShapePtr> parts, float radius = 0);
ShapePtr make_intersection(std::vector<ShapePtr> parts, float radius = 0);
ShapePtr make_difference(ShapePtr shape, ShapePtr removed, float radius = 0);
/// Outside becomes solid: a container.
ShapePtr make_complement(ShapePtr shape);

/// x = translation + scale R x_local, with R the rotation by an angle about an axis.
struct Placement {
  Vec3 translation = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  float degrees = 0;
  float scale = 1;
};
ShapePtr make_transformed(ShapePtr shape, const Placement& placement);

}  // namespace fondue
