#include "shapes/primitives.h"

#include <cmath>

#include "core/error.h"
#include "unit/shapes/helpers.h"

namespace fondue::primitives_test {
namespace {

using testing_support::expect_bounds_hold;
using testing_support::expect_lipschitz;
using testing_support::expect_normal_is_gradient;

const Box around{Vec3::Constant(-2), Vec3::Constant(2)};

/// All exact distances: slope 1 along the normal almost everywhere, nowhere more.
void expect_distance(const Shape& shape) {
  expect_lipschitz(shape, around);
  expect_normal_is_gradient(shape, around);
  expect_bounds_hold(shape, around);
}

TEST(Box, DistanceIsThatToFacesEdgesAndCorners) {
  const ShapePtr box = make_box(Vec3(0, 0, 0), Vec3(1, 2, 3));
  EXPECT_FLOAT_EQ(box->distance(Vec3(0.5f, 1, 1.5f)), -0.5f);
  EXPECT_FLOAT_EQ(box->distance(Vec3(0.5f, 1, 2.875f)), -0.125f);
  EXPECT_FLOAT_EQ(box->distance(Vec3(0.5f, -2, 1)), 2);
  EXPECT_FLOAT_EQ(box->distance(Vec3(4, 6, 1)), 5);
  EXPECT_FLOAT_EQ(box->distance(Vec3(-1, 3, 4)), std::sqrt(3.0f));
  expect_distance(*make_box(Vec3(-1, -0.5f, 0), Vec3(1, 0.7f, 1.5f)));
}

TEST(Box, InfiniteSidesDoNotCount) {
  const ShapePtr box = make_box(Vec3(0, 0, -infinity), Vec3(1, 2, infinity));
  EXPECT_FLOAT_EQ(box->distance(Vec3(0.5f, 0.8f, 1e6f)), -0.5f);
  EXPECT_FLOAT_EQ(box->distance(Vec3(4, 6, -7)), 5);
  EXPECT_EQ(box->normal(Vec3(2, 1, 50)), Vec3(1, 0, 0));
}

TEST(Sphere, DistanceIsThatToTheCentreLessTheRadius) {
  const ShapePtr sphere = make_sphere(Vec3(1, 0, 0), 2);
  EXPECT_FLOAT_EQ(sphere->distance(Vec3(1, 0, 0)), -2);
  EXPECT_FLOAT_EQ(sphere->distance(Vec3(4, 4, 0)), 3);
  expect_distance(*make_sphere(Vec3(0.1f, 0.2f, -0.3f), 1.1f));
}

TEST(Sphere, IsAccurateAtTheSizeOfAPlanet) {
  const ShapePtr planet = make_sphere(Vec3(0, 0, -1e6f), 1e6f);
  // A float of this size has a precision of only 0.06.
  EXPECT_NEAR(planet->distance(Vec3(0, 0, 0.001f)), 0.001f, 1e-7f);
  EXPECT_NEAR(planet->distance(Vec3(100, 0, 0)), 0.005f, 1e-7f);
}

TEST(Cylinder, DistanceIsThatToSideAndLids) {
  const ShapePtr cylinder = make_cylinder(Vec3(0, 0, 0), Vec3(0, 0, 4), 1);
  EXPECT_FLOAT_EQ(cylinder->distance(Vec3(0.75f, 0, 2)), -0.25f);
  EXPECT_FLOAT_EQ(cylinder->distance(Vec3(0, 0, 3.5f)), -0.5f);
  EXPECT_FLOAT_EQ(cylinder->distance(Vec3(0, 3, 1)), 2);
  EXPECT_FLOAT_EQ(cylinder->distance(Vec3(0, 4, 8)), 5);
  expect_distance(*make_cylinder(Vec3(-0.5f, 0, 0.2f), Vec3(0.7f, 0.4f, 1), 0.6f));
}

TEST(Capsule, DistanceIsThatToASegmentLessTheRadius) {
  const ShapePtr capsule = make_capsule(Vec3(0, 0, 0), Vec3(4, 0, 0), 1);
  EXPECT_FLOAT_EQ(capsule->distance(Vec3(2, 0, 0)), -1);
  EXPECT_FLOAT_EQ(capsule->distance(Vec3(2, 3, 0)), 2);
  EXPECT_FLOAT_EQ(capsule->distance(Vec3(7, 4, 0)), 4);
  expect_distance(*make_capsule(Vec3(-0.5f, 0, 0.2f), Vec3(0.7f, 0.4f, 1), 0.4f));
}

TEST(Cone, DistanceIsThatToSideBaseAndTip) {
  // The side goes through (3, 0) and (0, 4) of the half plane: its normal is (4, 3)/5.
  const ShapePtr cone = make_cone(Vec3(0, 0, 0), Vec3(0, 0, 4), 3);
  EXPECT_FLOAT_EQ(cone->distance(Vec3(0, 0, 6)), 2);
  EXPECT_FLOAT_EQ(cone->distance(Vec3(0, 0, -2)), 2);
  EXPECT_FLOAT_EQ(cone->distance(Vec3(1.5f + 0.8f, 0, 2 + 0.6f)), 1);
  EXPECT_FLOAT_EQ(cone->distance(Vec3(1, 0, 0.5f)), -0.5f);
  EXPECT_NEAR(cone->distance(Vec3(0, 1.5f - 0.4f, 2 - 0.3f)), -0.5f, 1e-6f);
  expect_distance(*make_cone(Vec3(-0.5f, 0, 0.2f), Vec3(0.7f, 0.4f, 1), 1));
  expect_distance(*make_cone(Vec3(-0.5f, 0, 0.2f), Vec3(0.7f, 0.4f, 1), 0.3f, 0.9f));
}

TEST(Torus, DistanceIsThatToTheRingLessTheTube) {
  const ShapePtr torus = make_torus(Vec3(0, 0, 1), Vec3(0, 0, 5), 3, 1);
  EXPECT_FLOAT_EQ(torus->distance(Vec3(3, 0, 1)), -1);
  EXPECT_FLOAT_EQ(torus->distance(Vec3(0, 0, 1)), 2);
  EXPECT_FLOAT_EQ(torus->distance(Vec3(0, -6, 5)), 4);
  expect_distance(*make_torus(Vec3(0.1f, 0, 0), Vec3(1, 2, 3), 1, 0.3f));
}

TEST(Plane, IsSolidBelow) {
  const ShapePtr plane = make_plane(Vec3(0, 0, 1), Vec3(0, 0, 2));
  EXPECT_FLOAT_EQ(plane->distance(Vec3(7, 8, 3)), 2);
  EXPECT_FLOAT_EQ(plane->distance(Vec3(7, 8, 0)), -1);
  EXPECT_EQ(plane->bounds().max.z(), 1);
  EXPECT_EQ(plane->bounds().min.z(), -infinity);
  expect_lipschitz(*make_plane(Vec3(0, 0, 1), Vec3(1, 2, 3)), around);
}

TEST(Primitives, InTwoDimensionsAreTheirCrossSections) {
  const ShapePtr circle = make_sphere(Vec3(1, 1, 0), 0.5f);
  const ShapePtr bar = make_cylinder(Vec3(0, 0, 0), Vec3(0, 2, 0), 0.5f);
  EXPECT_FLOAT_EQ(circle->distance(Vec3(1, 2, 0)), 0.5f);
  EXPECT_FLOAT_EQ(bar->distance(Vec3(1, 1, 0)), 0.5f);
  EXPECT_EQ(bar->normal(Vec3(1, 1, 0)), Vec3(1, 0, 0));
}

TEST(Primitives, RefuseInvalidDimensions) {
  const Vec3 zero = Vec3::Zero(), one = Vec3::Ones();
  const float nan = std::nanf("");
  EXPECT_THROW(make_box(one, zero), InputError);
  EXPECT_THROW(make_box(zero, Vec3(1, 0, 1)), InputError);
  EXPECT_THROW(make_box(zero, Vec3(1, nan, 1)), InputError);
  EXPECT_THROW(make_box(Vec3::Constant(-infinity), Vec3::Constant(infinity)), InputError);
  EXPECT_THROW(make_sphere(zero, 0), InputError);
  EXPECT_THROW(make_sphere(zero, nan), InputError);
  EXPECT_THROW(make_sphere(Vec3(nan, 0, 0), 1), InputError);
  EXPECT_THROW(make_cylinder(one, one, 1), InputError);
  EXPECT_THROW(make_capsule(zero, one, -1), InputError);
  EXPECT_THROW(make_cone(zero, one, 0, 0), InputError);
  EXPECT_THROW(make_cone(zero, one, -1, 2), InputError);
  EXPECT_THROW(make_torus(zero, zero, 1, 0.1f), InputError);
  EXPECT_THROW(make_torus(zero, one, 1, 1), InputError);
  EXPECT_THROW(make_plane(zero, zero), InputError);
}

}  // namespace
}  // namespace fondue::primitives_test
