// Points that go with a deforming mesh, forwards, backwards and again.

#include <Eigen/Geometry>

#include "helpers.h"
#include "shapes/filling.h"
#include "shapes/mesh_sequence.h"

namespace fondue {
namespace {

using namespace testing_support;

/// Every vertex of a sphere moved by each of these.
MeshSequence sphere_moved_by(const std::vector<std::function<Vec3(const Vec3&)>>& moves, Playback playback = {}) {
  const TriangleMesh mesh = sphere_mesh(4, 0.5f);
  std::vector<std::vector<Vec3>> keys;
  for (const auto& move : moves) {
    keys.emplace_back();
    for (const Vec3& x : mesh.vertices) keys.back().push_back(move(x));
  }
  return MeshSequence(mesh.triangles, keys, 10, 1.0, MeshInside::solid, playback);
}

Vec3 stay(const Vec3& x) { return x; }
/// Grows, shears, turns and moves.
Vec3 change(const Vec3& x) {
  const Eigen::AngleAxisf turn(1.2f, Vec3(1, 2, 3).normalized());
  return turn * Vec3(2 * x.x() + 0.5f * x.y(), 1.5f * x.y(), 0.7f * x.z()) + Vec3(3, -1, 2);
}

TEST(CarriedPoints, GoExactlyWithWhatChangesTheWholeMesh) {
  const MeshSequence sequence = sphere_moved_by({stay, change});
  const std::vector<Vec3> points = fill_lattice(*sequence.shape(-infinity), 0.1f, 3);
  ASSERT_GT(points.size(), 200u);
  const CarriedPoints carried(sequence, points);
  std::vector<Vec3> x, v;
  carried.at(0.5, x, v);
  for (std::size_t p = 0; p != points.size(); ++p) {
    EXPECT_LT((x[p] - points[p]).norm(), 1e-5f);
    EXPECT_EQ(v[p].norm(), 0) << "it has not begun";
  }
  carried.at(1.05, x, v);
  for (std::size_t p = 0; p != points.size(); ++p) {
    EXPECT_LT((x[p] - 0.5f * (points[p] + change(points[p]))).norm(), 1e-4f);
    EXPECT_LT((v[p] - 10 * (change(points[p]) - points[p])).norm(), 1e-3f);
  }
  carried.at(7, x, v);
  for (std::size_t p = 0; p != points.size(); ++p) {
    EXPECT_LT((x[p] - change(points[p])).norm(), 1e-4f);
    EXPECT_EQ(v[p].norm(), 0) << "it has ended";
  }
}

TEST(CarriedPoints, GoBackwardsFromTheLastMesh) {
  const MeshSequence sequence = sphere_moved_by({stay, change}, {.repeat = false, .backwards = true});
  const std::vector<Vec3> points = fill_lattice(*sequence.shape(-infinity), 0.2f, 3);
  const CarriedPoints carried(sequence, points);
  std::vector<Vec3> x, v;
  carried.at(1.1, x, v);
  for (std::size_t p = 0; p != points.size(); ++p) EXPECT_LT((change(x[p]) - points[p]).norm(), 1e-4f);
  carried.at(1.03, x, v);
  for (std::size_t p = 0; p != points.size(); ++p) {
    const Vec3 end = x[p] + 0.07f * v[p];
    EXPECT_LT((change(end) - points[p]).norm(), 1e-3f) << "it moves towards the first mesh";
  }
}

TEST(CarriedPoints, RepeatAfterTheLastMesh) {
  const auto aside = [](const Vec3& x) { return Vec3(x + Vec3(1, 0, 0)); };
  for (const bool backwards : {false, true}) {
    const MeshSequence sequence = sphere_moved_by({stay, aside, stay}, {.repeat = true, .backwards = backwards});
    const std::vector<Vec3> points = {Vec3(0.1f, 0.2f, 0)};
    const CarriedPoints carried(sequence, points);
    std::vector<Vec3> x, v;
    for (const double cycles : {0.0, 1.0, 7.0}) {
      carried.at(1 + 0.2 * cycles + 0.1, x, v);
      EXPECT_LT((x[0] - aside(points[0])).norm(), 1e-4f) << cycles;
      carried.at(1 + 0.2 * cycles + 0.05, x, v);
      EXPECT_NEAR(x[0].x(), points[0].x() + 0.5f, 1e-4f);
      EXPECT_NEAR(v[0].x(), 10, 1e-3f) << "towards the middle mesh, whichever way it is played";
    }
  }
}

}  // namespace
}  // namespace fondue
