#include <cmath>

#include "shapes/combine.h"
#include "shapes/mesh.h"
#include "shapes/primitives.h"
#include "unit/shapes/helpers.h"

namespace fondue::sweep_test {
namespace {

using testing_support::random_direction;
using testing_support::random_in;

constexpr float margin = 1e-3f;

/// End of a path that stops at the first contact.
Vec3 stop(const Shape& shape, const Vec3& start, const Vec3& end, float keep = margin) {
  const auto hit = shape.sweep(start, end, keep);
  return hit ? Vec3(start + hit->fraction * (end - start)) : end;
}

/// Fast paths that would cross a plate in z = 0: none may pass.
void expect_nothing_passes(const Shape& plate, float half_thickness) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Vec3 through(0.9f * (random_unit(1, i) - 0.5f), 0.9f * (random_unit(2, i) - 0.5f), 0);
    Vec3 direction = random_direction(3, i);
    // At least a degree away from the plate, so that it leaves the square on the other side of it.
    if (std::abs(direction.z()) < 0.02f) continue;
    const float before = std::pow(10.0f, 5 * random_unit(4, i) - 3), after = std::pow(10.0f, 5 * random_unit(5, i) - 3);
    const Vec3 start = through - before * direction, end = through + after * direction;
    if (std::abs(start.z()) < half_thickness + 2e-5f) continue;
    const auto hit = plate.sweep(start, end, margin);
    ASSERT_TRUE(hit) << start.transpose() << " to " << end.transpose();
    const Vec3 x = stop(plate, start, end);
    ASSERT_GT(x.z() * start.z(), 0) << "passed from " << start.transpose() << " to " << x.transpose();
    ASSERT_GT(hit->normal.z() * start.z(), 0) << "normal " << hit->normal.transpose();
    // It stops near the margin, not far in front of it; positions at 100 m have a precision of 1e-5 m.
    if (std::abs(start.z()) > 2 * margin) {
      ASSERT_NEAR(plate.distance(x), margin, 0.5f * margin) << start.transpose();
    }
  }
}

TEST(Sweep, NothingPassesAThinBox) {
  expect_nothing_passes(*make_box(Vec3(-0.5f, -0.5f, -5e-5f), Vec3(0.5f, 0.5f, 5e-5f)), 5e-5f);
}

TEST(Sweep, NothingPassesAThinDifference) {
  // A difference is not convex: sphere tracing uses the distance alone.
  const ShapePtr box = make_box(Vec3(-0.5f, -0.5f, -5e-5f), Vec3(0.5f, 0.5f, 5e-5f));
  expect_nothing_passes(*make_difference(box, make_sphere(Vec3(5, 0, 0), 1)), 5e-5f);
}

TEST(Sweep, NothingPassesAThinMesh) {
  TriangleMesh mesh = testing_support::cube_mesh();
  for (Vec3& x : mesh.vertices) x = (x - Vec3::Constant(0.5f)).cwiseProduct(Vec3(1, 1, 1e-4f));
  expect_nothing_passes(*make_mesh(mesh), 5e-5f);
}

TEST(Sweep, NothingPassesAnOpenSheet) { expect_nothing_passes(*make_mesh(testing_support::sheet_mesh()), 0); }

TEST(Sweep, NothingLeavesAContainer) {
  const ShapePtr box = make_box(Vec3(-1, -1, -1), Vec3(1, 1, 1)), ball = make_sphere(Vec3::Zero(), 1);
  const ShapePtr mesh = make_mesh(testing_support::sphere_mesh(12, 1));
  for (const ShapePtr& inside : {box, ball, mesh, make_union({ball, make_sphere(Vec3(1, 0, 0), 1)}, 0.1f)}) {
    const ShapePtr container = make_complement(inside);
    Vec3 x = Vec3(0.1f, 0.2f, 0.3f);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      x = stop(*container, x, x + std::pow(10.0f, 3 * random_unit(6, i) - 2) * random_direction(7, i));
      ASSERT_LT(inside->distance(x), -0.4f * margin) << "after " << i << " flights at " << x.transpose();
    }
  }
}

TEST(Sweep, StopsWhereARayMeetsTheGrownSphere) {
  const ShapePtr sphere = make_sphere(Vec3::Zero(), 1);
  const float grown = 1 + margin;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 start = 3 * random_direction(8, i), direction = 6 * (random_direction(9, i) - start / 3).normalized();
    const float a = direction.squaredNorm(), b = direction.dot(start), c = start.squaredNorm() - grown * grown;
    const float discriminant = b * b - a * c;
    const auto hit = sphere->sweep(start, start + direction, margin);
    // Grazing by less than the tolerance of the sweep may go either direction.
    if (std::abs(discriminant) < 0.02f * a) continue;
    ASSERT_EQ(hit.has_value(), discriminant > 0);
    if (hit) {
      ASSERT_NEAR(hit->fraction, (-b - std::sqrt(discriminant)) / a, 2e-4f);
    }
    if (hit) {
      ASSERT_NEAR(sphere->distance(start + hit->fraction * direction), margin, 2e-5f);
    }
  }
}

TEST(Sweep, GrazingPathsAreFree) {
  const ShapePtr box = make_box(Vec3(-100, -1, -1), Vec3(100, 1, 0)), plane = make_plane(Vec3::Zero(), Vec3(0, 0, 1));
  const ShapePtr container = make_complement(make_box(Vec3(-100, -1, 0), Vec3(100, 1, 1)));
  for (const ShapePtr& shape : {box, plane, container}) {
    for (float height : {0.5f * margin, margin, 1.2f * margin, 20 * margin}) {
      EXPECT_FALSE(shape->sweep(Vec3(-50, 0, height), Vec3(50, 0, height), margin)) << height;
    }
  }
  // Over the crest of a torus, twice.
  const ShapePtr torus = make_torus(Vec3(0, 0, -0.1f), Vec3(0, 0, 1), 1, 0.1f);
  EXPECT_FALSE(torus->sweep(Vec3(-3, 0, 1.01f * margin), Vec3(3, 0, 1.01f * margin), margin));
  EXPECT_TRUE(torus->sweep(Vec3(-3, 0, 0.9f * margin), Vec3(3, 0, 0.9f * margin), margin));
  const ShapePtr sheet = make_mesh(testing_support::sheet_mesh());
  EXPECT_FALSE(sheet->sweep(Vec3(-0.4f, 0.1f, 1.2f * margin), Vec3(0.4f, 0.1f, 1.2f * margin), margin));
  EXPECT_FALSE(sheet->sweep(Vec3(-30, 0.1f, 2 * margin), Vec3(-0.6f, 0.1f, 2 * margin), margin));
}

TEST(Sweep, FromWithinTheMarginMayOnlyGoOutward) {
  const ShapePtr box = make_box(Vec3(-1, -1, -1), Vec3(1, 1, 0));
  const ShapePtr mesh =
      make_transformed(make_mesh(testing_support::cube_mesh()), {Vec3(-1, -1, -2), Vec3(0, 0, 1), 0, 2});
  const ShapePtr general = make_difference(box, make_sphere(Vec3(9, 0, 0), 1));
  for (const ShapePtr& shape : {box, mesh, general}) {
    for (float height : {0.9f * margin, 0.1f * margin, -0.5f * margin, -5 * margin, -0.1f}) {
      SCOPED_TRACE(height);
      const Vec3 x(0.1f, 0.2f, height);
      EXPECT_FALSE(shape->sweep(x, Vec3(0.3f, 0.2f, 0.5f), margin));
      EXPECT_FALSE(shape->sweep(x, Vec3(0.1f, 0.2f, height + 1e-4f), margin));
      const auto hit = shape->sweep(x, Vec3(0.1f, 0.3f, height - 0.2f), margin);
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->fraction, 0);
      EXPECT_GT(hit->normal.z(), 0.99f);
    }
  }
}

TEST(Sweep, OfAUnionStopsAtTheFirstPart) {
  const ShapePtr both = make_union({make_sphere(Vec3(5, 0, 0), 1), make_sphere(Vec3(2, 0, 0), 1)});
  const auto hit = both->sweep(Vec3(0, 0, 0), Vec3(10, 0, 0), margin);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->fraction, 0.1f, 2e-4f);
}

TEST(Sweep, HandlesEmptyAndInvalidPaths) {
  const ShapePtr torus = make_torus(Vec3::Zero(), Vec3(0, 0, 1), 1, 0.1f);
  EXPECT_FALSE(torus->sweep(Vec3(0, 0, 1), Vec3(0, 0, 1), margin));
  // A path with NaN coordinates stays where it is.
  const auto hit = torus->sweep(Vec3(0, 0, 1), Vec3(std::nanf(""), 0, 0), margin);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->fraction, 0);
}

}  // namespace
}  // namespace fondue::sweep_test
