#include "shapes/swept_mesh.h"

#include <cmath>

#include "core/error.h"
#include "shapes/mesh_sequence.h"
#include "unit/shapes/helpers.h"

namespace fondue::swept_mesh_test {
namespace {

using testing_support::random_direction;
using testing_support::random_in;
using testing_support::sheet_mesh;
using testing_support::sphere_mesh;

constexpr float margin = 1e-3f;

TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& x : mesh.vertices) x += by;
  return mesh;
}

TEST(SweptMesh, HitsAnApproachingPoint) {
  // The sheet rises from 0 to 2, the point sinks from 1 to -3: they meet at 1 - 4 t = 2 t.
  const SweptMesh mesh(sheet_mesh(), moved(sheet_mesh(), Vec3(0, 0, 2)), false);
  const auto contact = mesh.first_contact(Vec3(0.1f, 0.2f, 1), Vec3(0.1f, 0.2f, -3), {});
  ASSERT_TRUE(contact);
  EXPECT_NEAR(contact->time, 1 / 6.0f, 1e-6f);
  EXPECT_EQ(contact->side, 1);
  // It moves with the sheet, and a point beside the sheet is not hit.
  const auto deflected = mesh.deflect(Vec3(0.1f, 0.2f, 1), Vec3(0.3f, 0.2f, -3), margin, 1);
  ASSERT_TRUE(deflected);
  EXPECT_NEAR((deflected->end - Vec3(0.3f, 0.2f, 2 + margin)).norm(), 0, 1e-5f);
  EXPECT_NEAR((deflected->carried - Vec3(0, 0, 2)).norm(), 0, 1e-6f);
  EXPECT_FALSE(mesh.first_contact(Vec3(0.6f, 0.2f, 1), Vec3(0.6f, 0.2f, -3), {}));
}

TEST(SweptMesh, OneSidedLetsPointsPassFromBehind) {
  const SweptMesh mesh(sheet_mesh(), sheet_mesh(), true);
  EXPECT_TRUE(mesh.first_contact(Vec3(0, 0, 1), Vec3(0, 0, -1), {}));
  EXPECT_FALSE(mesh.first_contact(Vec3(0, 0, -1), Vec3(0, 0, 1), {}));
}

/// A closed surface that swells, shrinks, bends and rotates, by up to its own size per step.
TriangleMesh writhing(std::uint64_t step) {
  TriangleMesh mesh = sphere_mesh(6, 1);
  const Vec3 stretch = Vec3::Constant(0.6f) + random_point(1, step);
  const Vec3 shift = 2 * random_point(2, step), wave = 3 * random_direction(3, step);
  for (Vec3& x : mesh.vertices)
    x = Vec3(x.cwiseProduct(stretch) + 0.15f * std::sin(wave.dot(x)) * random_direction(4, step)) + shift;
  return mesh;
}

TEST(SweptMesh, NothingLeavesADeformingClosedSurface) {
  // Points in it move by up to 1e4 margins while it deforms; the winding number tells whether they stay inside.
  int deflections = 0;
  std::vector<Vec3> points;
  for (std::uint64_t k = 0; k != 20; ++k)
    points.push_back(make_mesh(writhing(0))->bounds().centre() + 0.3f * random_direction(5, k));
  for (std::uint64_t step = 0; step != 20; ++step) {
    // Ten small steps from one shape to the next, as in a simulation.
    const MeshSequence sequence(writhing(0).triangles, {writhing(step).vertices, writhing(step + 1).vertices}, 1, 0,
                                MeshInside::solid);
    for (int part = 0; part != 10; ++part) {
      const SweptMesh mesh(sequence.mesh(0.1 * part), sequence.mesh(0.1 * (part + 1)), false);
      const ShapePtr shape = make_mesh(sequence.mesh(0.1 * (part + 1)), MeshInside::solid);
      for (std::uint64_t k = 0; k != points.size(); ++k) {
        const std::uint64_t number = (step * 10 + static_cast<std::uint64_t>(part)) * points.size() + k;
        const Vec3 end =
            points[k] + margin * std::pow(10.0f, 6 * random_unit(6, number) - 2) * random_direction(7, number);
        const auto deflected = mesh.deflect(points[k], end, margin, 1);
        deflections += deflected.has_value();
        points[k] = deflected ? deflected->end : end;
        ASSERT_TRUE(shape->contains(points[k])) << "step " << step << ", part " << part << ", point " << k;
      }
    }
  }
  EXPECT_GT(deflections, 500);
}

TEST(MeshSequence, InterpolatesAndHolds) {
  const TriangleMesh first = sheet_mesh(), second = moved(first, Vec3(0, 0, 1));
  const MeshSequence sequence(first.triangles, {first.vertices, second.vertices}, 10, 2, MeshInside::sheet);
  EXPECT_EQ(sequence.mesh(0).vertices, first.vertices);
  EXPECT_NEAR(sequence.mesh(2.025).vertices[0].z(), 0.25f, 1e-6f);
  EXPECT_EQ(sequence.mesh(9).vertices, second.vertices);
  EXPECT_NEAR(sequence.fastest(), 10, 1e-5f);
}

class SequenceFiles : public ::testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt_name();
  static std::string fmt_name() { return "fondue-sequence-" + std::to_string(::getpid()); }
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, float height, bool third = false) const {
    std::ofstream(folder / name) << "v 0 0 " << height << "\nv 1 0 " << height << "\nv 0 1 " << height
                                 << "\nv 1 1 0\nf 1 2 3\n"
                                 << (third ? "f 2 4 3\n" : "");
  }
  ShapePtr read(const std::string& pattern) const {
    return make_mesh_sequence((folder / pattern).string(), 25, 0, MeshInside::sheet);
  }
  std::string error(const std::string& pattern) const {
    try {
      read(pattern);
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  }
};

TEST_F(SequenceFiles, AreReadInTheOrderOfTheirNumbers) {
  for (int k = 9; k != 12; ++k) write("a-" + std::to_string(k) + ".obj", float(k));
  write("a-extra.obj", 100);
  const auto sequence = read("a-%d.obj")->sequence();
  ASSERT_TRUE(sequence);
  EXPECT_EQ(sequence->mesh(0).vertices[0].z(), 9);
  EXPECT_EQ(sequence->mesh(1).vertices[0].z(), 11);
}

TEST_F(SequenceFiles, ThatAreMissingOrDifferAreNamed) {
  write("a-0001.obj", 0);
  write("a-0003.obj", 0);
  EXPECT_NE(error("a-%04d.obj").find("a-0002.obj: is missing"), std::string::npos) << error("a-%04d.obj");
  write("a-0002.obj", 0, true);
  EXPECT_NE(error("a-%04d.obj").find("a-0002.obj: has different triangles"), std::string::npos) << error("a-%04d.obj");
  EXPECT_NE(error("b-%04d.obj").find("no file"), std::string::npos);
  for (const char* bad : {"a.obj", "a-%s.obj", "a-%d-%d.obj", "a-%04.obj"})
    EXPECT_NE(error(bad).find("%04d"), std::string::npos) << bad;
}

}  // namespace
}  // namespace fondue::swept_mesh_test
