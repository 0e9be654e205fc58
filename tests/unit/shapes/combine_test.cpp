#include "shapes/combine.h"

#include <cmath>

#include "core/error.h"
#include "shapes/primitives.h"
#include "unit/shapes/helpers.h"

namespace fondue::combine_test {
namespace {

using testing_support::expect_bounds_hold;
using testing_support::expect_lipschitz;
using testing_support::expect_normal_is_gradient;
using testing_support::random_in;

const Box around{Vec3::Constant(-2), Vec3::Constant(2)};
const ShapePtr ball = make_sphere(Vec3(0, 0, 0), 1);
const ShapePtr block = make_box(Vec3(0.2f, -0.8f, -0.7f), Vec3(1.6f, 0.7f, 0.9f));

TEST(Combinations, ContainTheSamePointsAsSets) {
  const ShapePtr both = make_union({ball, block}), common = make_intersection({ball, block});
  const ShapePtr rest = make_difference(ball, block), outside = make_complement(ball);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Vec3 x = random_in(around, 1, i);
    const bool a = ball->contains(x), b = block->contains(x);
    ASSERT_EQ(both->contains(x), a || b);
    ASSERT_EQ(common->contains(x), a && b);
    ASSERT_EQ(rest->contains(x), a && !b);
    ASSERT_EQ(outside->contains(x), !a);
    for (const ShapePtr& shape : {both, common, rest, outside}) ASSERT_EQ(shape->contains(x), shape->distance(x) < 0);
  }
}

TEST(Combinations, AreLowerBoundsOfTheDistance) {
  for (float radius : {0.0f, 0.05f, 0.6f}) {
    for (const ShapePtr& shape : {make_union({ball, block}, radius), make_intersection({ball, block}, radius),
                                  make_difference(ball, block, radius), make_complement(ball)}) {
      expect_lipschitz(*shape, around);
      expect_bounds_hold(*shape, around);
    }
  }
}

TEST(Combinations, NormalsAreGradients) {
  // A smooth seam has slopes below 1, so only sharp combinations grow by exactly the step.
  expect_normal_is_gradient(*make_union({ball, block}), around);
  expect_normal_is_gradient(*make_difference(ball, block), around);
  expect_normal_is_gradient(*make_complement(block), around);
  const ShapePtr smooth = make_union({ball, block}, 0.5f);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 x = random_in(around, 2, i);
    const Vec3 n = smooth->normal(x);
    Vec3 gradient;
    const float step = 1e-3f;
    for (int a = 0; a < 3; ++a) {
      gradient[a] = smooth->distance(x + step * Vec3::Unit(a)) - smooth->distance(x - step * Vec3::Unit(a));
    }
    // Except at kinks of the block's own distance, where the normal is not unique.
    if (gradient.norm() > 0.9f * 2 * step) {
      ASSERT_GT(gradient.normalized().dot(n), 0.99f) << x.transpose();
    }
  }
}

TEST(SmoothUnion, FillsTheSeamOnly) {
  const float radius = 0.4f;
  const ShapePtr floor = make_plane(Vec3(0, 0, 0), Vec3(0, 0, 1)), wall = make_plane(Vec3(0, 0, 0), Vec3(1, 0, 0));
  const ShapePtr smooth = make_union({floor, wall}, radius);
  // On the diagonal the polynomial reaches a quarter of the radius, and at the radius it ends.
  EXPECT_NEAR(smooth->distance(Vec3(radius / 4, 0, radius / 4)), 0, 1e-6f);
  EXPECT_NEAR(smooth->distance(Vec3(radius, 0, 0)), 0, 1e-6f);
  EXPECT_FLOAT_EQ(smooth->distance(Vec3(1, 0, 0.25f)), 0.25f);
  const ShapePtr cut = make_difference(make_complement(floor), wall, radius);
  EXPECT_NEAR(cut->distance(Vec3(radius / 4, 0, radius / 4)), 0, 1e-6f);
}

TEST(Transformed, IsTheShapeRotatedScaledAndTranslated) {
  const Placement placement{Vec3(1, 2, 3), Vec3(0, 0, 1), 90, 2};
  const ShapePtr shape = make_transformed(make_box(Vec3(0, 0, 0), Vec3(1, 2, 3)), placement);
  // (x, y, z) goes to (1 - 2y, 2 + 2x, 3 + 2z).
  EXPECT_TRUE(shape->bounds().min.isApprox(Vec3(-3, 2, 3)));
  EXPECT_TRUE(shape->bounds().max.isApprox(Vec3(1, 4, 9)));
  EXPECT_NEAR(shape->distance(Vec3(3, 3, 5)), 2, 1e-5f);
  EXPECT_NEAR(shape->distance(Vec3(-1, 3, 6)), -1, 1e-5f);
  EXPECT_TRUE(shape->normal(Vec3(3, 3, 5)).isApprox(Vec3(1, 0, 0), 1e-5f));
  const ShapePtr askew = make_transformed(block, {Vec3(0.1f, 0.2f, 0.3f), Vec3(1, -2, 0.5f), 40, 0.7f});
  expect_lipschitz(*askew, around);
  expect_bounds_hold(*askew, around);
  expect_normal_is_gradient(*askew, around);
}

TEST(Transformed, RightAnglesKeepInfiniteSidesInfinite) {
  // A shape upright along z lies in the plane of a two-dimensional scene after -90 degrees about x.
  const ShapePtr upright = make_box(Vec3(0, -infinity, 0), Vec3(1, infinity, 3));
  const ShapePtr lying = make_transformed(upright, {Vec3(0, 0, 0), Vec3(1, 0, 0), -90, 1});
  EXPECT_EQ(lying->bounds().max.y(), 3);
  EXPECT_EQ(lying->bounds().min.y(), 0);
  EXPECT_EQ(lying->bounds().max.z(), infinity);
  EXPECT_FLOAT_EQ(lying->distance(Vec3(0.5f, 4, 0)), 1);
}

TEST(Combinations, RefuseInvalidInput) {
  EXPECT_THROW(make_union({}), InputError);
  EXPECT_THROW(make_union({ball, block}, -1), InputError);
  EXPECT_THROW(make_transformed(ball, {.scale = 0}), InputError);
  EXPECT_THROW(make_transformed(ball, {.axis = Vec3::Zero(), .degrees = 10}), InputError);
  EXPECT_THROW(make_transformed(ball, {.translation = Vec3(std::nanf(""), 0, 0)}), InputError);
}

}  // namespace
}  // namespace fondue::combine_test
