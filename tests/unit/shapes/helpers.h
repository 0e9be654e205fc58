#pragma once
// Shared by the tests of shapes: random points, meshes of known solids, temporary files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/random.h"
#include "shapes/shape.h"
#include "shapes/triangle_mesh.h"

namespace fondue::testing_support {

inline Vec3 random_in(const Box& box, std::uint64_t seed, std::uint64_t counter) {
  return box.min + random_point(seed, counter).cwiseProduct(box.size());
}

inline Vec3 random_direction(std::uint64_t seed, std::uint64_t counter) {
  for (std::uint64_t k = 0;; ++k) {
    const Vec3 x = 2 * random_point(seed + 1000 * k, counter) - Vec3::Ones();
    if (x.norm() < 1 && x.norm() > 0.1f) return x.normalized();
  }
}

/// An octahedron with its faces divided into n^2 triangles and projected onto a sphere; triangles share vertices.
inline TriangleMesh sphere_mesh(int n, float radius, const Vec3& centre = Vec3::Zero()) {
  TriangleMesh mesh;
  for (int octant = 0; octant < 8; ++octant) {
    const Vec3 sign(octant & 1 ? -1.0f : 1.0f, octant & 2 ? -1.0f : 1.0f, octant & 4 ? -1.0f : 1.0f);
    const bool mirrored = sign.prod() < 0;
    std::vector<std::vector<Index>> at(n + 1);
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n - i; ++j) {
        at[i].push_back(static_cast<Index>(mesh.vertices.size()));
        const Vec3 flat(sign.x() * float(n - i - j), sign.y() * float(i), sign.z() * float(j));
        mesh.vertices.push_back(centre + radius * flat.normalized());
      }
    }
    const auto add = [&](Index a, Index b, Index c) {
      mesh.triangles.push_back({a, mirrored ? c : b, mirrored ? b : c});
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n - i; ++j) {
        add(at[i][j], at[i + 1][j], at[i][j + 1]);
        if (j + 1 < n - i) add(at[i + 1][j], at[i + 1][j + 1], at[i][j + 1]);
      }
    }
  }
  return mesh;
}

/// The first `squares` of the six faces of the cube [0, 1]^3.
inline std::vector<std::vector<Index>> cube_squares(std::size_t squares = 6) {
  std::vector<std::vector<Index>> all = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  all.resize(squares);
  return all;
}
inline std::vector<Vec3> cube_corners() {
  std::vector<Vec3> corners;
  for (int c = 0; c < 8; ++c) corners.emplace_back(float(c & 1), float(c >> 1 & 1), float(c >> 2 & 1));
  return corners;
}
inline TriangleMesh cube_mesh(std::size_t squares = 6) {
  TriangleMesh mesh;
  mesh.vertices = cube_corners();
  for (const auto& square : cube_squares(squares)) add_polygon(mesh, square);
  return mesh;
}

/// A square of side 1 in the plane z = 0 about the origin.
inline TriangleMesh sheet_mesh() {
  TriangleMesh mesh;
  mesh.vertices = {Vec3(-0.5f, -0.5f, 0), Vec3(0.5f, -0.5f, 0), Vec3(0.5f, 0.5f, 0), Vec3(-0.5f, 0.5f, 0)};
  add_polygon(mesh, {0, 1, 2, 3});
  return mesh;
}

/// A file in the temporary folder, deleted with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / ("fondue-" + std::to_string(::getpid()) + "-" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// |d(x) - d(y)| <= |x - y| for random pairs, near and far; the tolerance is the rounding error of distances in this
/// box.
inline void expect_lipschitz(const Shape& shape, const Box& box, float slack = 4e-6f) {
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Vec3 x = random_in(box, 11, i);
    const float step = std::pow(10.0f, -4 * random_unit(12, i)) * box.size().norm();
    const Vec3 y = x + step * random_direction(13, i);
    ASSERT_LE(std::abs(shape.distance(x) - shape.distance(y)), (x - y).norm() + slack)
        << "between " << x.transpose() << " and " << y.transpose();
  }
}

/// The normal is the gradient: along it the distance grows by the step where the distance is smooth.
inline void expect_normal_is_gradient(const Shape& shape, const Box& box, double at_least = 0.97) {
  const float step = 1e-3f;
  int smooth = 0;
  const int count = 2000;
  for (int i = 0; i < count; ++i) {
    const Vec3 x = random_in(box, 21, i);
    const Nearest nearest = shape.nearest(x);
    ASSERT_NEAR(nearest.normal.norm(), 1, 1e-4f);
    ASSERT_NEAR(nearest.distance, shape.distance(x), 1e-5f);
    const float grown = shape.distance(x + step * nearest.normal) - shape.distance(x - step * nearest.normal);
    if (std::abs(grown - 2 * step) < 0.02f * step) ++smooth;
  }
  EXPECT_GE(smooth, at_least * count);
}

/// Every point inside is within the bounds.
inline void expect_bounds_hold(const Shape& shape, const Box& around) {
  int inside = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Vec3 x = random_in(around, 31, i);
    if (!shape.contains(x)) continue;
    ++inside;
    ASSERT_TRUE(shape.bounds().grown(1e-5f).contains(x)) << x.transpose();
  }
  EXPECT_GT(inside, 0);
}

}  // namespace fondue::testing_support
