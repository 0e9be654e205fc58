#include "shapes/mesh_faults.h"

#include <algorithm>

#include "shapes/mesh.h"
#include "unit/shapes/helpers.h"

namespace fondue::mesh_faults_test {
namespace {

using testing_support::cube_mesh;
using testing_support::sheet_mesh;
using testing_support::sphere_mesh;

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(MeshFaults, OfACleanSolidAreNone) {
  EXPECT_EQ(mesh_faults(cube_mesh(), false), "");
  // Its octants repeat the vertices along their common edges.
  EXPECT_EQ(mesh_faults(sphere_mesh(6, 1, Vec3(100, -50, 20)), false), "");
}

TEST(MeshFaults, AreCountedAndTheFirstIsNamed) {
  // Without its last square, of corners 1, 3, 7 and 5, a cube is open at four edges.
  const std::string open = mesh_faults(cube_mesh(5), false);
  expect_says(open, "open at 4 of 17 edges");
  expect_says(open, "from (1, 0, 0) to (1, 1, 0)");

  TriangleMesh flat = cube_mesh();
  flat.triangles.insert(flat.triangles.begin() + 4, {{0, 1, 1}, {2, 3, 3}});
  expect_says(mesh_faults(flat, false), "2 of 14 triangles have no area, the first is number 5");
  EXPECT_EQ(mesh_faults(flat, false).find("open"), std::string::npos);

  TriangleMesh turned = cube_mesh();
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  expect_says(mesh_faults(turned, false), "at 3 edges the two triangles have opposite orientations");

  TriangleMesh inside_out = cube_mesh();
  for (Vec3& x : inside_out.vertices) x += Vec3(10, 20, -30);
  for (auto& triangle : inside_out.triangles) std::swap(triangle[0], triangle[1]);
  expect_says(mesh_faults(inside_out, false), "inside out");
}

TEST(MeshFaults, OfASheetAreOnlyTrianglesWithoutArea) {
  TriangleMesh mesh = sheet_mesh();
  EXPECT_EQ(mesh_faults(mesh, true), "");
  mesh.triangles.push_back({2, 2, 3});
  expect_says(mesh_faults(mesh, true), "1 of 3 triangles");
}

TEST(MeshFaults, AreIgnoredIfTheInterpretationIsGiven) {
  EXPECT_NE(make_mesh(cube_mesh(5))->faults(), "");
  EXPECT_EQ(make_mesh(cube_mesh(5), MeshInside::solid)->faults(), "");
  EXPECT_EQ(make_mesh(cube_mesh(5), MeshInside::sheet)->faults(), "");
  EXPECT_EQ(make_mesh(sheet_mesh())->faults(), "");
}

}  // namespace
}  // namespace fondue::mesh_faults_test
