#pragma once
// Describes defects of a mesh that is meant to bound a solid. In a valid mesh all triangles have an area, every edge is
// shared by two triangles that run along it in opposite directions, and all triangles face outward. Vertices at the
// same position count as one, since many files repeat them.

#include <string>

#include "shapes/triangle_mesh.h"

namespace fondue {

/// For every vertex, the first vertex at the same position.
std::vector<Index> merged_vertices(const std::vector<Vec3>& vertices);

/// Empty if there are none. For a sheet only triangles without area count.
std::string mesh_faults(const TriangleMesh& mesh, bool sheet);

}  // namespace fondue
