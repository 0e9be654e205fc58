#pragma once
// Shared by the tests of this folder: lattices of particles and meshes of boxes.

#include <cmath>
#include <span>
#include <vector>

#include "core/random.h"
#include "shapes/geometry.h"

namespace fondue::testing_support {

/// Particles with ids that are neither dense nor sorted.
struct Cloud {
  std::vector<Vec3> positions;
  std::vector<float> supports;
  std::vector<Index> ids;

  void add(const Vec3& x, float support) {
    ids.push_back(static_cast<Index>(7 * ((positions.size() * 101) % 100003) + 5));
    positions.push_back(x);
    supports.push_back(support);
  }
  template <class Map>
  std::vector<Vec3> mapped(Map&& map) const {
    std::vector<Vec3> result;
    for (const Vec3& x : positions) result.push_back(map(x));
    return result;
  }
};

/// Particles in the middle of cells of the given spacing.
inline Cloud lattice(const Box& box, float spacing, float support_ratio = 2) {
  Cloud cloud;
  const Vec3 cells = (box.size() / spacing).array().round();
  for (float k = 0; k < cells.z(); ++k)
    for (float j = 0; j < cells.y(); ++j)
      for (float i = 0; i < cells.x(); ++i)
        cloud.add(box.min + spacing * Vec3(i + 0.5f, j + 0.5f, k + 0.5f), support_ratio * spacing);
  return cloud;
}

/// The surface of a box, each side divided into n x n squares; corners are not shared between sides.
inline Geometry box_mesh(const Box& box, int n) {
  Geometry geometry;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool upper = side % 2 == 1;
    const auto first = static_cast<Index>(geometry.mesh.vertices.size());
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        Vec3 x = upper ? box.max : box.min;
        x[u] = box.min[u] + box.size()[u] * float(i) / float(n);
        x[v] = box.min[v] + box.size()[v] * float(j) / float(n);
        geometry.mesh.vertices.push_back(x);
        geometry.normals.push_back((upper ? 1.0f : -1.0f) * Vec3::Unit(axis));
      }
    }
    const auto add = [&](Index a, Index b, Index c) {
      geometry.mesh.triangles.push_back({first + a, first + (upper ? b : c), first + (upper ? c : b)});
    };
    const auto row = static_cast<Index>(n + 1);
    for (Index j = 0; j < Index(n); ++j) {
      for (Index i = 0; i < Index(n); ++i) {
        add(j * row + i, j * row + i + 1, (j + 1) * row + i);
        add(j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i);
      }
    }
  }
  return geometry;
}

inline double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.corner(t, 1) - mesh.corner(t, 0), b = mesh.corner(t, 2) - mesh.corner(t, 0);
    sum +=
        0.5 * Vec3(a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x()).norm();
  }
  return sum;
}

inline float largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

}  // namespace fondue::testing_support
