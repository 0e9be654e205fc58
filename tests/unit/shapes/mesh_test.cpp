#include "shapes/mesh.h"

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "shapes/filling.h"
#include "shapes/mesh_queries.h"
#include "shapes/primitives.h"
#include "shapes/winding.h"
#include "unit/shapes/helpers.h"

namespace fondue::mesh_test {
namespace {

using testing_support::cube_mesh;
using testing_support::random_in;
using testing_support::sheet_mesh;
using testing_support::sphere_mesh;

const Box around{Vec3::Constant(-2), Vec3::Constant(2)};

TEST(Mesh, OfASphereHasTheSpheresDistance) {
  const int n = 32;
  const ShapePtr mesh = make_mesh(sphere_mesh(n, 1, Vec3(0.2f, 0, 0)));
  const ShapePtr sphere = make_sphere(Vec3(0.2f, 0, 0), 1);
  // A side of the octahedron is a quarter circle in n steps, stretched by at most 3^1.5 / 2 in its middle; the flat
  // triangles lie below the sphere by up to (circumradius)^2 / 2.
  const float edge = 1.5f * 2.6f / float(n), sagitta = edge * edge / 6;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Vec3 x = random_in(around, 1, i);
    ASSERT_NEAR(mesh->distance(x), sphere->distance(x), sagitta) << x.transpose();
    if (std::abs(sphere->distance(x)) > 0.05f && sphere->distance(x) > -0.9f) {
      ASSERT_GT(mesh->normal(x).dot(sphere->normal(x)), 0.99f) << x.transpose();
    }
  }
  testing_support::expect_lipschitz(*mesh, around);
  testing_support::expect_bounds_hold(*mesh, around);
}

TEST(Mesh, FindsTheClosestOfAllTriangles) {
  // Random triangles, long and small, and queries far outside: compare with a search over all triangles.
  TriangleMesh mesh;
  for (std::uint64_t t = 0; t < 300; ++t) {
    const Vec3 centre = random_in(around, 2, t);
    const float size = std::pow(10.0f, -2 * random_unit(3, t));
    for (std::uint64_t c = 0; c < 3; ++c)
      mesh.vertices.push_back(centre + size * testing_support::random_direction(4, 3 * t + c));
    mesh.triangles.push_back({Index(3 * t), Index(3 * t + 1), Index(3 * t + 2)});
  }
  const MeshQueries queries(mesh);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3 x = random_in(around.grown(i % 10 ? 0.0f : 50.0f), 5, i);
    float best = infinity;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      best =
          std::min(best, (closest_on_triangle(x, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)) - x).norm());
    }
    const auto found = queries.closest(x);
    ASSERT_FLOAT_EQ(found.distance, best);
    ASSERT_FLOAT_EQ((found.point - x).norm(), best);
    ASSERT_TRUE(queries.any_within(x, 1.001f * best));
  }
}

TEST(ClosestOnTriangle, IsNoFartherThanAnyOtherPointOfIt) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Vec3 a = random_in(around, 6, i), b = random_in(around, 7, i), c = random_in(around, 8, i),
               x = random_in(around, 9, i);
    const float distance = (closest_on_triangle(x, a, b, c) - x).norm();
    for (std::uint64_t k = 0; k < 100; ++k) {
      float u = random_unit(10, 100 * i + k), v = random_unit(11, 100 * i + k);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      ASSERT_LE(distance, (a + u * (b - a) + v * (c - a) - x).norm() + 1e-5f);
    }
  }
}

TEST(WindingNumber, OfManyTrianglesIsOneInsideAndNoneOutside) {
  const WindingNumber winding(sphere_mesh(40, 1));
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 x = random_in(around, 12, i);
    if (std::abs(x.norm() - 1) < 0.01f) continue;
    // First-order dipoles are good to some percent at this ratio; the threshold is at a half.
    ASSERT_NEAR(winding.at(x), x.norm() < 1 ? 1 : 0, 0.1f) << x.transpose();
  }
}

TEST(WindingNumber, OfAnOpenSheetIsItsSolidAngle) {
  const WindingNumber winding(sheet_mesh());
  // A face of a cube covers a sixth of the solid angle seen from the centre; the sheet faces up.
  EXPECT_NEAR(winding.at(Vec3(0, 0, -0.5f)), 1 / 6.0f, 1e-5f);
  EXPECT_NEAR(winding.at(Vec3(0, 0, 0.5f)), -1 / 6.0f, 1e-5f);
}

TEST(Mesh, WithASideMissingStillFills) {
  const ShapePtr open = make_mesh(cube_mesh(5));
  const double count = double(fill_lattice(*open, 0.04f, 3).size());
  EXPECT_NEAR(count, 25 * 25 * 25, 0.02 * 25 * 25 * 25);
}

TEST(Mesh, WithHolesStillFills) {
  TriangleMesh mesh = sphere_mesh(16, 1);
  std::erase_if(mesh.triangles, [n = 0](const auto&) mutable { return random_unit(13, n++) < 0.1f; });
  const double count = double(fill_lattice(*make_mesh(mesh), 0.05f, 3).size());
  const double exact = 4 * std::numbers::pi / 3 / std::pow(0.05, 3);
  EXPECT_NEAR(count, exact, 0.02 * exact);
}

TEST(Mesh, ThatIsInsideOutIsReversed) {
  for (std::size_t squares : {5u, 6u}) {
    TriangleMesh mesh = cube_mesh(squares);
    for (Vec3& x : mesh.vertices) x += Vec3(10, -20, 5);
    for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
    const ShapePtr shape = make_mesh(mesh);
    EXPECT_TRUE(shape->contains(Vec3(10.5f, -19.5f, 5.5f)));
    EXPECT_FALSE(shape->contains(Vec3(10.5f, -19.5f, 4.5f)));
    EXPECT_TRUE(shape->normal(Vec3(10.5f, -19.5f, 4.9f)).isApprox(Vec3(0, 0, -1), 1e-4f));
  }
}

TEST(Mesh, ThatFacesOneWayIsASheetWithoutInside) {
  const ShapePtr sheet = make_mesh(sheet_mesh());
  EXPECT_FLOAT_EQ(sheet->distance(Vec3(0, 0, 0.2f)), 0.2f);
  EXPECT_FLOAT_EQ(sheet->distance(Vec3(0, 0, -0.2f)), 0.2f);
  EXPECT_EQ(sheet->normal(Vec3(0, 0, -0.2f)), Vec3(0, 0, -1));
  EXPECT_TRUE(fill_lattice(*make_mesh(cube_mesh(6), MeshInside::sheet), 0.1f, 3).empty());
}

TEST(Mesh, RefusesTrianglesWithoutVertices) {
  TriangleMesh mesh = cube_mesh();
  mesh.triangles[3][1] = 8;
  EXPECT_THROW(make_mesh(mesh), InputError);
}

}  // namespace
}  // namespace fondue::mesh_test
