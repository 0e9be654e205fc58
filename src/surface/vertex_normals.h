#pragma once
// Vertex normals of a mesh: the area-weighted mean of the normals of the triangles around a vertex.

#include <Eigen/Geometry>
#include <vector>

#include "shapes/triangle_mesh.h"

namespace fondue {

/// One unit normal per vertex; arbitrary for a vertex without triangles.
inline std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.vertices.size(), Vec3::Zero());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
    for (const Index corner : mesh.triangles[t]) normals[corner] += area;
  }
  for (Vec3& n : normals) n = n.isZero(0) ? Vec3(Vec3::UnitZ()) : n.stableNormalized();
  return normals;
}

}  // namespace fondue
