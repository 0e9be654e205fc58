// Triangles of primitives: closed in effect, of the right volume, with normals that are those of the shape.

#include "shapes/facets.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "shapes/combine.h"
#include "shapes/primitives.h"

namespace fondue::facets_test {
namespace {

double volume_of(const Geometry& geometry) {
  double volume = 0;
  for (std::size_t t = 0; t != geometry.mesh.triangles.size(); ++t)
    volume += geometry.mesh.corner(t, 0).dot(geometry.mesh.corner(t, 1).cross(geometry.mesh.corner(t, 2))) / 6.0;
  return volume;
}

TEST(Facets, HaveTheVolumeOfTheirShape) {
  constexpr double pi = std::numbers::pi;
  const std::pair<ShapePtr, double> shapes[] = {
      {make_box(Vec3(1, 2, 3), Vec3(2, 4, 6)), 6},
      {make_sphere(Vec3(1, 0, 2), 0.5f), 4 * pi / 3 / 8},
      {make_cylinder(Vec3(0, 0, 1), Vec3(2, 0, 1), 0.5f), 2 * pi / 4},
      {make_cone(Vec3(0, 0, 0), Vec3(0, 3, 0), 1), pi},
      {make_torus(Vec3(0, 1, 0), Vec3(1, 1, 0), 2, 0.5f), 2 * pi * pi * 2 / 4},
      {make_transformed(make_sphere(Vec3(1, 0, 0), 0.5f), {Vec3(3, 0, 0), Vec3::UnitY(), 40, 2}), 4 * pi / 3}};
  for (const auto& [shape, volume] : shapes) {
    const auto facets = facets_of(shape->construction().value());
    ASSERT_TRUE(facets);
    EXPECT_NEAR(volume_of(*facets), volume, 0.01 * volume) << "72 sides";
    ASSERT_EQ(facets->normals.size(), facets->mesh.vertices.size());
    for (std::size_t v = 0; v != facets->normals.size(); ++v) {
      EXPECT_NEAR(shape->distance(facets->mesh.vertices[v]), 0, 1e-5);
      EXPECT_GT(shape->distance(facets->mesh.vertices[v] + 0.01f * facets->normals[v]), 0.005f) << "outward";
    }
  }
}

TEST(Facets, ThereAreNoneOfWhatIsCutOrHasNoEnd) {
  const ShapePtr ball = make_sphere(Vec3::Zero(), 1), plane = make_plane(Vec3::Zero(), Vec3::UnitZ());
  EXPECT_FALSE(facets_of(make_difference(ball, plane)->construction().value()));
  EXPECT_FALSE(facets_of(plane->construction().value()));
  EXPECT_FALSE(make_union({ball, ball}, 0.1f)->construction()) << "smooth seams are no primitives";
}

}  // namespace
}  // namespace fondue::facets_test
