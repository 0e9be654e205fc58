#include "shapes/filling.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "shapes/combine.h"
#include "shapes/point_grid.h"
#include "shapes/primitives.h"
#include "unit/shapes/helpers.h"

namespace fondue::filling_test {
namespace {

TEST(LatticeFilling, OfABoxHasSideOverSpacingPoints) {
  // Spacings and corners that are not exact in binary.
  for (float spacing : {0.1f, 0.05f, 0.01f, 1 / 3.0f, 0.007f}) {
    for (int n : {1, 3, 10, 13}) {
      const Vec3 corner(0.3f, -1.7f, 2.1f), size = spacing * Vec3(float(n), float(n + 1), 2);
      const auto points = fill_lattice(*make_box(corner, corner + size), spacing, 3);
      ASSERT_EQ(points.size(), std::size_t(n) * (n + 1) * 2) << spacing << " " << n;
      EXPECT_TRUE(points[0].isApprox(corner + Vec3::Constant(0.5f * spacing), 1e-6f));
    }
  }
}

TEST(LatticeFilling, ExcludesPointsOnTheUpperFaces) {
  EXPECT_EQ(fill_lattice(*make_box(Vec3::Zero(), Vec3::Constant(0.35f)), 0.1f, 3).size(), 27u);
}

TEST(LatticeFilling, InTwoDimensionsLiesInThePlane) {
  const auto points = fill_lattice(*make_box(Vec3(0, 0, -infinity), Vec3(1, 2, infinity)), 0.1f, 2);
  EXPECT_EQ(points.size(), 200u);
  EXPECT_TRUE(std::ranges::all_of(points, [](const Vec3& x) { return x.z() == 0; }));
  const double circle = double(fill_lattice(*make_sphere(Vec3(0.5f, 0, 0), 1), 0.02f, 2).size());
  EXPECT_NEAR(circle, std::numbers::pi / 0.0004, 0.01 * circle);
}

TEST(LatticeFilling, HoldsTheVolumeOfRoundShapes) {
  const double spacing = 0.04, pi = std::numbers::pi;
  const std::pair<ShapePtr, double> shapes[] = {
      {make_sphere(Vec3(0.1f, 0, 0), 1), 4 * pi / 3},
      {make_cylinder(Vec3(0, 0, 0), Vec3(1, 1, 1), 0.5f), pi * 0.25 * std::sqrt(3)},
      {make_cone(Vec3(0, 0, 0), Vec3(0, 1, 1), 1), pi / 3 * std::sqrt(2)},
      {make_torus(Vec3(0, 0, 0), Vec3(1, 0, 1), 1, 0.3f), 2 * pi * pi * 0.09},
      {make_difference(make_sphere(Vec3(0, 0, 0), 1), make_plane(Vec3::Zero(), Vec3(1, 2, 3))), 2 * pi / 3},
  };
  for (const auto& [shape, volume] : shapes) {
    const double expected = volume / std::pow(spacing, 3);
    // The surface cuts cells at random: an error of about one percent at this resolution.
    EXPECT_NEAR(double(fill_lattice(*shape, float(spacing), 3).size()), expected, 0.02 * expected);
    EXPECT_NEAR(estimate_count(*shape, float(spacing), 3), expected, 0.03 * expected);
  }
}

/// The right number of points, all inside, with a minimum distance and no gaps.
void expect_blue_noise(const Shape& shape, float spacing, int dimension, double volume) {
  const auto points = fill_blue_noise(shape, spacing, dimension, 5);
  const double expected = volume / std::pow(double(spacing), dimension);
  EXPECT_NEAR(double(points.size()), expected, 0.03 * expected);
  const PointGrid grid(points, 1.5f * spacing);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(shape.contains(points[i]));
    float nearest = infinity;
    grid.visit(points[i], 1.5f * spacing, [&](Index j, float squared) {
      if (j != i) nearest = std::min(nearest, std::sqrt(squared));
    });
    ASSERT_GE(nearest, 0.7f * spacing);
    ASSERT_LE(nearest, 1.4f * spacing);
  }
  for (std::uint64_t i = 0; i < 3000; ++i) {
    Vec3 x = testing_support::random_in(shape.bounds(), 3, i);
    if (dimension == 2) x.z() = 0;
    if (!shape.contains(x)) continue;
    bool found = false;
    // The largest gap of a body-centred lattice of this density is 0.7 spacings, in a corner 0.87.
    grid.visit(x, 1.2f * spacing, [&](Index, float) { found = true; });
    ASSERT_TRUE(found) << "nothing near " << x.transpose();
  }
}

TEST(BlueNoise, IsAsDenseAsALatticeAndKeepsPointsApart) {
  const double pi = std::numbers::pi;
  expect_blue_noise(*make_box(Vec3::Zero(), Vec3(1, 0.5f, 0.7f)), 0.05f, 3, 0.35);
  expect_blue_noise(*make_sphere(Vec3(3, 0, 0), 0.5f), 0.05f, 3, pi / 6);
  expect_blue_noise(*make_torus(Vec3::Zero(), Vec3(0, 1, 1), 0.6f, 0.2f), 0.05f, 3, 2 * pi * pi * 0.6 * 0.04);
  expect_blue_noise(*make_sphere(Vec3::Zero(), 0.5f), 0.02f, 2, pi / 4);
}

TEST(BlueNoise, DependsOnItsSeedAndNotOnThreads) {
  const ShapePtr ball = make_sphere(Vec3::Zero(), 0.5f);
  const auto filled = [&](std::uint64_t seed, std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return fill_blue_noise(*ball, 0.08f, 3, seed);
  };
  const auto one = filled(1, 1);
  EXPECT_EQ(one, filled(1, 2));
  EXPECT_NE(one, filled(2, 2));
}

TEST(Filling, RefusesWhatCannotBeFilled) {
  const ShapePtr ball = make_sphere(Vec3::Zero(), 1), plane = make_plane(Vec3::Zero(), Vec3(0, 0, 1));
  EXPECT_THROW(fill_lattice(*plane, 0.1f, 3), InputError);
  EXPECT_THROW(fill_lattice(*make_complement(ball), 0.1f, 3), InputError);
  EXPECT_THROW(fill_blue_noise(*plane, 0.1f, 3, 1), InputError);
  EXPECT_THROW(estimate_count(*plane, 0.1f, 3), InputError);
  EXPECT_THROW(fill_lattice(*ball, 0, 3), InputError);
  EXPECT_THROW(fill_lattice(*ball, -1, 3), InputError);
  EXPECT_THROW(fill_lattice(*ball, std::nanf(""), 3), InputError);
  EXPECT_THROW(fill_lattice(*ball, 1e-5f, 3), InputError);
  EXPECT_THROW(fill_blue_noise(*ball, 0.1f, 3, 1, 1000), InputError);
  // Few points, but too large a volume to search.
  EXPECT_THROW(fill_lattice(*make_capsule(Vec3::Zero(), Vec3::Constant(100), 1e-3f), 1e-3f, 3), InputError);
}

}  // namespace
}  // namespace fondue::filling_test
