#pragma once
// Triangle meshes and their file formats: OBJ, PLY (ascii, binary of either byte order), STL (ascii, binary). Polygons
// are triangulated. A file that is missing, truncated or empty, or contains an index out of range or an invalid
// coordinate, gives an InputError with its name, and the line if it is text.

#include <array>
#include <string>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<Index, 3>> triangles;

  const Vec3& corner(std::size_t triangle, int which) const { return vertices[triangles[triangle][which]]; }
};

/// The file's extension selects the format.
TriangleMesh read_mesh(const std::string& path);

/// Triangulates a polygon, convex or not, of at least three vertices.
void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners);

}  // namespace fondue
