#pragma once
// On which side of a closed mesh a point lies, from the point of the mesh nearest to it (Baerentzen & Aanaes 2005): on
// the side that the pseudo-normal there points to. Inside a triangle that is its normal, on an edge the sum of both
// triangles' normals, at a vertex the sum of all around it, weighted by their angles. Much cheaper than a winding
// number (winding.h), but right only where every edge has two triangles of one orientation and the mesh does not
// intersect itself.

#include <array>
#include <optional>
#include <vector>

#include "shapes/triangle_mesh.h"

namespace fondue {

class PseudoNormals {
 public:
  /// Nothing if some edge is open, has more than two triangles or two that run along it in the same direction. Vertices
  /// at the same position count as one. Keeps a reference to the mesh.
  static std::optional<PseudoNormals> of(const TriangleMesh& mesh);

  /// `nearest` is the point of this triangle that is nearest to x, and no other of the mesh is nearer.
  bool inside(const Vec3& x, const Vec3& nearest, Index triangle) const;
  /// The point of this triangle lies neither on an edge nor at a corner, but for rounding.
  bool within_face(const Vec3& point, Index triangle) const;

 private:
  /// Barycentric coordinates.
  std::array<float, 3> barycentric(const Vec3& point, Index triangle) const;

  explicit PseudoNormals(const TriangleMesh& mesh) : mesh_(&mesh) {}

  const TriangleMesh* mesh_;
  /// By triangle: its unit normal, and those of its edges (the first from corner 0 to corner 1) and corners.
  std::vector<Vec3> face_;
  std::vector<std::array<Vec3, 3>> edge_, corner_;
};

}  // namespace fondue
