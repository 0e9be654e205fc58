#pragma once
// What is wrong with triangles that are to bound a solid, in words. A solid's triangles all have an area, meet two at
// every edge, run along it in opposite directions, and face outward. Vertices at the same place count as one, since
// many files repeat them.

#include <string>

#include "shapes/triangle_mesh.h"

namespace fondue {

/// Empty if nothing is wrong. Of a sheet only triangles without area are.
std::string mesh_faults(const TriangleMesh& mesh, bool sheet);

}  // namespace fondue
