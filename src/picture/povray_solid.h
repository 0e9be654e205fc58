#pragma once
// Solids that are made of primitives, in POV-Ray's language: exact spheres, cones and rims instead of triangles.

#include <string>

#include "shapes/construction.h"

namespace fondue {

/// An object without texture, in units of 1/scale metres; what is endless ends at the box. With `clear`, seams inside
/// of a union are left out, so that nothing is seen in glass that is not there.
std::string povray_solid(const Construction& construction, float scale, const Box& within, bool clear);

/// matrix <...> that takes x to translation + rotation x.
std::string povray_matrix(const Mat3& rotation, const Vec3& translation);

}  // namespace fondue
