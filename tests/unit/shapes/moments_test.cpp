#include "shapes/moments.h"

#include <gtest/gtest.h>

#include <numbers>

#include "helpers.h"
#include "shapes/combine.h"
#include "shapes/mesh.h"
#include "shapes/primitives.h"

namespace fondue::moments_test {
namespace {

constexpr double pi = std::numbers::pi;

void expect_moments(const Shape& shape, int dimension, double volume, const Vec3d& centre, const Vec3d& diagonal,
                    double tolerance) {
  const Moments m = moments(shape, dimension);
  EXPECT_NEAR(m.volume, volume, tolerance * volume);
  EXPECT_LT((m.centre - centre).norm(), tolerance);
  for (int a = 0; a != 3; ++a) EXPECT_NEAR(m.second(a, a), diagonal[a], tolerance * diagonal.maxCoeff()) << a;
}

TEST(Moments, OfBoxesAreExact) {
  expect_moments(*make_box(Vec3(1, 2, 3), Vec3(2, 4, 6)), 3, 6, Vec3d(1.5, 3, 4.5), Vec3d(0.5, 2, 4.5), 1e-7);
  expect_moments(*make_box(Vec3(1, 2, -infinity), Vec3(2, 4, infinity)), 2, 2, Vec3d(1.5, 3, 0),
                 Vec3d(1.0 / 6, 2.0 / 3, 0), 1e-7);
}

TEST(Moments, OfRotatedBoxesKeepTheirTrace) {
  const Moments m = moments(
      *make_transformed(make_box(Vec3(-1, -2, -3), Vec3(1, 2, 3)), {Vec3(1, 0, 0), Vec3(1, 1, 0).normalized(), 40, 1}),
      3);
  EXPECT_NEAR(m.second.trace(), 48.0 / 12 * (4 + 16 + 36), 1e-4);
  EXPECT_LT((m.centre - Vec3d(1, 0, 0)).norm(), 1e-6);
}

TEST(Moments, OfSpheresAndCylindersAreRightToAThousandth) {
  const double r = 0.3, sphere = 4 * pi / 3 * r * r * r;
  expect_moments(*make_sphere(Vec3(1, 1, 1), 0.3f), 3, sphere, Vec3d(1, 1, 1), Vec3d::Constant(sphere * r * r / 5),
                 1e-3);
  const double cylinder = pi * r * r;
  expect_moments(*make_cylinder(Vec3(0, 0, 0), Vec3(0, 0, 1), 0.3f), 3, cylinder, Vec3d(0, 0, 0.5),
                 cylinder * Vec3d(r * r / 4, r * r / 4, 1.0 / 12), 1e-3);
  expect_moments(*make_sphere(Vec3(1, 1, 0), 0.3f), 2, pi * r * r, Vec3d(1, 1, 0),
                 pi * r * r * Vec3d(r * r / 4, r * r / 4, 0), 1e-3);
}

TEST(Moments, OfATetrahedronAreExactWhereverItIs) {
  TriangleMesh mesh;
  const Vec3 at(5, -3, 2);
  mesh.vertices = {at, at + Vec3::UnitX(), at + Vec3::UnitY(), at + Vec3::UnitZ()};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const Moments m = moments(*make_mesh(mesh), 3);
  EXPECT_NEAR(m.volume, 1.0 / 6, 1e-6);
  EXPECT_LT((m.centre - at.cast<double>() - Vec3d::Constant(0.25)).norm(), 1e-5);
  // 1/60 about the corner, less 1/6/16 to the centre; the products are 1/120 less the same.
  EXPECT_NEAR(m.second(0, 0), 1.0 / 60 - 1.0 / 96, 1e-5);
  EXPECT_NEAR(m.second(0, 1), 1.0 / 120 - 1.0 / 96, 1e-5);
}

}  // namespace
}  // namespace fondue::moments_test
