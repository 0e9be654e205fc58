#pragma once
// How a shape is made of primitives, for programs that draw spheres, cones, tori and their combinations exactly instead
// of triangle by triangle.

#include <vector>

#include "core/vec.h"

namespace fondue {

struct Construction {
  enum class Kind {
    box,         ///< from corner a to corner b; sides may be infinite
    half_space,  ///< below the plane through a with the outward normal b
    sphere,      ///< centre a, radius r
    cone,        ///< from the base a with radius r to the top b with radius s; a cylinder if both are equal
    torus,       ///< centre a, axis b, radius r of the ring and s of the tube
    unite,
    intersect,
    complement,  ///< everything outside of its only part
    place        ///< its only part at x = translation + scale rotation x_local
  };
  Kind kind = Kind::sphere;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  float r = 0, s = 0;
  std::vector<Construction> parts = {};
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  float scale = 1;
};

}  // namespace fondue
