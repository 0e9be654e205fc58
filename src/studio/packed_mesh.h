#pragma once
// Triangles as they are sent to the page:
//
//   4 bytes   n, length of the header
//   n bytes   header: JSON with the numbers of vertices and triangles, padded to a multiple of 4
//  12 bytes   per vertex: x, y, z [m]
//   4 bytes   per vertex: normal in 127ths, and 0
//   4 bytes   per vertex: red, green, blue, 255
//  12 bytes   per triangle: its vertices
//
// All numbers are little-endian.

#include <nlohmann/json.hpp>
#include <string>

#include "shapes/geometry.h"

namespace fondue {

class PackedMesh {
 public:
  void add(const Geometry& geometry, const Vec3& colour);
  std::size_t vertices() const { return vertices_; }
  std::size_t triangles() const { return triangles_.size() / 12; }
  /// Places and normals of all vertices, as in bytes().
  std::string vertex_bytes() const { return places_ + normals_; }
  /// All that was added; `header` is what else the page should know of it.
  std::string bytes(nlohmann::json header) const;

 private:
  std::string places_, normals_, tints_, triangles_;
  Index vertices_ = 0;
};

}  // namespace fondue
