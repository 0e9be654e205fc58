#include "shapes/mesh_side.h"

#include "unit/shapes/helpers.h"

namespace fondue::mesh_side_test {
namespace {

using testing_support::random_in;
using testing_support::sphere_mesh;

TriangleMesh with(TriangleMesh mesh, const TriangleMesh& other) {
  const Index first = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return mesh;
}

/// Signs at random points, most of them near the mesh.
void expect_signs_of_winding(const TriangleMesh& mesh, const Box& box) {
  const MeshQueries queries(mesh);
  const MeshSide side(mesh, queries);
  const WindingNumber winding(mesh);
  int inside = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Vec3 x = random_in(box, 5, i);
    const auto closest = queries.closest(x);
    if (closest.distance < 1e-4f) continue;
    const bool in = winding.at(x) > 0.5f;
    ASSERT_EQ(side.inside(x, closest), in) << x.transpose();
    inside += in;
  }
  EXPECT_GT(inside, 1000);
  EXPECT_LT(inside, 19000);
}

double trusted_share(const TriangleMesh& mesh) {
  const MeshQueries queries(mesh);
  return MeshSide(mesh, queries).trusted_share();
}

TEST(MeshSide, TrustsPseudoNormalsOfAMeshWithoutFaults) { EXPECT_EQ(trusted_share(sphere_mesh(12, 1)), 1); }

/// A ball with a small one on it that lies half inside: the sides of both are right inside, outside and in the overlap,
/// and only the triangles there cost winding numbers.
TEST(MeshSide, IsRightWherePartsOfAMeshIntersect) {
  const Vec3 at(0, 0.6f, 0.8f);
  const TriangleMesh mesh = with(sphere_mesh(16, 1), sphere_mesh(6, 0.15f, at));
  expect_signs_of_winding(mesh, Box{Vec3::Constant(-1.2f), Vec3::Constant(1.2f)});
  expect_signs_of_winding(mesh, Box{at, at}.grown(0.2f));
  EXPECT_GT(trusted_share(mesh), 0.7);
  EXPECT_LT(trusted_share(mesh), 0.95);
}

/// A pit that is deeper than the solid, as a terrain below its own base: the side of the pit is turned inside out.
TEST(MeshSide, IsRightWhereAMeshIsPushedThroughItself) {
  TriangleMesh mesh = sphere_mesh(16, 1);
  for (Vec3& x : mesh.vertices)
    if (x.z() > 0.93f) x.z() = -1.3f;
  expect_signs_of_winding(mesh, Box{Vec3::Constant(-1.4f), Vec3::Constant(1.2f)});
  EXPECT_LT(trusted_share(mesh), 1);
}

TEST(MeshSide, IsRightWhereHalfOfAMeshLiesInTheOther) {
  expect_signs_of_winding(with(sphere_mesh(12, 1, Vec3(-0.4f, 0, 0)), sphere_mesh(12, 1, Vec3(0.4f, 0, 0))),
                          Box{Vec3(-1.5f, -1.1f, -1.1f), Vec3(1.5f, 1.1f, 1.1f)});
}

}  // namespace
}  // namespace fondue::mesh_side_test
