#pragma once
// Volume, centre and second moments of the inside of a shape: what the mass, the centre of mass and the inertia of a
// body of uniform density follow from. Exact for boxes, and for clean closed meshes, whose inside is the sum of the
// tetrahedra between the origin and each triangle, counted by the sign of their volume:
//
//   V = sum v,  integral of x x^T = sum v/20 (a a^T + b b^T + c c^T + s s^T),  v = a.(b x c)/6,  s = a + b + c.
//
// For all other shapes by adaptive refinement (cell_integral.h), to about 1e-4.

#include "shapes/shape.h"

namespace fondue {

struct Moments {
  /// In m^d: an area in two dimensions.
  double volume = 0;
  Vec3d centre = Vec3d::Zero();
  /// Integral of (x - centre)(x - centre)^T over the inside [m^(d+2)]. In two dimensions nothing extends along z.
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
};

/// InputError if the shape has no end.
Moments moments(const Shape& shape, int dimension);

}  // namespace fondue
