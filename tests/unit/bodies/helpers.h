#pragma once
// Short ways to say bodies.

#include "bodies/bodies.h"
#include "shapes/primitives.h"

namespace fondue::testing_support {

inline ColliderSetup collider(const std::string& name, ShapePtr shape) {
  ColliderSetup setup;
  setup.name = name;
  setup.shape = std::move(shape);
  return setup;
}

/// Straight from one value to another between two times.
inline Keyable<Vec3> moving(double t0, const Vec3& from, double t1, const Vec3& to,
                            Interpolation interpolation = Interpolation::linear) {
  return {Curve<Vec3>({t0, t1}, {from, to}, interpolation), "time"};
}

inline Lattice lattice(int dimension, float spacing, float support_ratio = 2) {
  return {KernelShape::cubic_spline, dimension, spacing, support_ratio};
}

inline const Box unit_region{Vec3(-1, -1, -1), Vec3(1, 1, 1)};

}  // namespace fondue::testing_support
