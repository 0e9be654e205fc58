#pragma once
// Triangles, and how they come from files: OBJ, PLY (ascii, binary of either byte order), STL (ascii, binary). Polygons
// are cut into triangles. A file that is missing, cut short, empty, or holds an index out of range or a coordinate that
// is not a number gives an InputError with its name, and the line if it is text.

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

/// The format is told by the file's extension.
TriangleMesh read_mesh(const std::string& path);

/// Adds a polygon, convex or not, of at least three vertices.
void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners);

}  // namespace fondue
