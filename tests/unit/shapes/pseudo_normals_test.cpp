#include "shapes/pseudo_normals.h"

#include <Eigen/Geometry>

#include "shapes/mesh.h"
#include "shapes/mesh_queries.h"
#include "shapes/winding.h"
#include "unit/shapes/helpers.h"

namespace fondue::pseudo_normals_test {
namespace {

using testing_support::cube_mesh;
using testing_support::random_in;
using testing_support::sphere_mesh;

/// A needle with sharp edges: the nearest triangle's own normal often points the wrong way there.
TriangleMesh needle() {
  TriangleMesh mesh;
  mesh.vertices = {Vec3(0, 0, 2), Vec3(0.3f, 0, -1), Vec3(-0.3f, 0.1f, -1), Vec3(-0.25f, -0.15f, -1)};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  return mesh;
}

void expect_signs_of_winding(const TriangleMesh& mesh) {
  const auto normals = PseudoNormals::of(mesh);
  ASSERT_TRUE(normals);
  const MeshQueries queries(mesh);
  const WindingNumber winding(mesh);
  int inside = 0, at_edges = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Vec3 x = random_in(queries.bounds().grown(0.1f), 21, i);
    const auto closest = queries.closest(x);
    if (closest.distance < 1e-4f) continue;
    const bool in = winding.at(x) > 0.5f;
    ASSERT_EQ(normals->inside(x, closest.point, closest.triangle), in) << x.transpose();
    inside += in;
    const Vec3 &a = mesh.corner(closest.triangle, 0), &b = mesh.corner(closest.triangle, 1),
               &c = mesh.corner(closest.triangle, 2);
    const Vec3 n = (b - a).cross(c - a).normalized();
    at_edges += std::abs(n.dot((x - closest.point).normalized())) < 0.999f;
  }
  // Both sides were asked about, and points whose nearest point is on an edge or a corner.
  EXPECT_GT(inside, 20);
  EXPECT_GT(at_edges, 100);
}

TEST(PseudoNormals, GiveTheSignsOfTheWindingNumber) {
  expect_signs_of_winding(cube_mesh(6));
  expect_signs_of_winding(sphere_mesh(6, 1));
  expect_signs_of_winding(needle());
}

TEST(PseudoNormals, AreNotGivenForAMeshThatIsOpenOrTurned) {
  EXPECT_FALSE(PseudoNormals::of(cube_mesh(5)));
  TriangleMesh turned = sphere_mesh(4, 1);
  std::swap(turned.triangles[7][0], turned.triangles[7][1]);
  EXPECT_FALSE(PseudoNormals::of(turned));
}

/// Two spheres in one file that overlap: near the surface of one, inside the other, is inside.
TEST(PseudoNormals, AreNotUsedWhereAMeshIntersectsItself) {
  TriangleMesh both = sphere_mesh(12, 1, Vec3(-0.4f, 0, 0));
  const TriangleMesh other = sphere_mesh(12, 1, Vec3(0.4f, 0, 0));
  const Index first = static_cast<Index>(both.vertices.size());
  both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const ShapePtr shape = make_mesh(both);
  // Just outside the left sphere, well inside the right one.
  EXPECT_TRUE(shape->contains(Vec3(0.65f, 0, 0)));
  EXPECT_LT(shape->distance(Vec3(0.65f, 0, 0)), 0);
}

}  // namespace
}  // namespace fondue::pseudo_normals_test
