// Points by the occupied cells of a coarse grid: what lies in a box is in the runs near it, each once.

#include "core/random.h"
#include "particles/cell_runs.h"

namespace fondue::test_cell_runs {
namespace {

/// How often each point is in a run near a box.
std::vector<int> visits(const CellRuns& cells, std::size_t points, const Vec3& low, const Vec3& high) {
  std::vector<int> count(points, 0);
  cells.view().runs_near(low.data(), high.data(), [&](Index begin, Index end) {
    EXPECT_LT(begin, end);
    for (Index k = begin; k != end; ++k) ++count[cells.order()[k]];
  });
  return count;
}

/// Points on the sides of a box, as boundary particles are, and one far away.
std::vector<Vec3> points_on_walls(float far_away) {
  std::vector<Vec3> points = {Vec3(far_away, 0.3f, -0.2f)};
  for (std::uint64_t k = 0; k != 3000; ++k) {
    Vec3 x = random_point(7, k).cwiseProduct(Vec3(2, 1, 3));
    const int axis = static_cast<int>(k % 3);
    x[axis] = k % 2 ? 0.0f : Vec3(2, 1, 3)[axis];
    points.push_back(x);
  }
  return points;
}

TEST(CellRuns, HoldEveryPointOfABoxOnce) {
  for (const float far_away : {1.0f, 1e3f, 1e9f}) {
    const std::vector<Vec3> points = points_on_walls(far_away);
    CellRuns cells;
    cells.sort(points, 0.1f);
    std::size_t found = 0;
    for (std::uint64_t k = 0; k != 200; ++k) {
      const Vec3 low = 4 * random_point(1, k) - Vec3::Constant(0.5f), high = low + 1.5f * random_point(2, k);
      const std::vector<int> count = visits(cells, points.size(), low, high);
      for (std::size_t b = 0; b != points.size(); ++b) {
        if (Box{low, high}.contains(points[b])) {
          ++found;
          EXPECT_EQ(count[b], 1) << points[b];
        }
        EXPECT_LE(count[b], 1);
      }
    }
    EXPECT_GT(found, 1000u);
    for (std::size_t b = 0; b < points.size(); b += 10)
      EXPECT_EQ(visits(cells, points.size(), points[b], points[b])[b], 1);
  }
}

TEST(CellRuns, KeepThePlacesOfTheirPoints) {
  const std::vector<Vec3> points = points_on_walls(1);
  CellRuns cells;
  cells.sort(points, 0.1f);
  const CellRunsView view = cells.view();
  ASSERT_EQ(cells.order().size(), points.size());
  for (std::size_t k = 0; k != points.size(); ++k)
    EXPECT_EQ(Vec3(view.position[0][k], view.position[1][k], view.position[2][k]), points[cells.order()[k]]);
}

TEST(CellRuns, ThereAreNoneInTheMiddleOfATankNorOutsideOfIt) {
  const std::vector<Vec3> points = points_on_walls(1);
  CellRuns cells;
  cells.sort(points, 0.1f);
  const auto any = [&](const Vec3& low, const Vec3& high) {
    return std::ranges::count(visits(cells, points.size(), low, high), 1) != 0;
  };
  EXPECT_TRUE(any(Vec3(0, 0.35f, 0.5f), Vec3(1.8f, 0.65f, 2.5f)));
  EXPECT_FALSE(any(Vec3(0.2f, 0.35f, 0.5f), Vec3(1.8f, 0.65f, 2.5f)));
  EXPECT_FALSE(any(Vec3(9, 9, 9), Vec3(9, 9, 9)));
  EXPECT_FALSE(any(Vec3(-9, -9, -9), Vec3(-8, -8, -8)));
}

TEST(CellRuns, TheirMemoryFollowsThePointsAndNotTheSpace) {
  CellRuns near, far;
  near.sort(points_on_walls(1), 0.1f);
  far.sort(points_on_walls(1e9f), 0.1f);
  // Four words with the count before them, two indices and three coordinates per point.
  const std::size_t most = 3001 * (4 * (sizeof(std::uint64_t) + sizeof(Index)) + 2 * sizeof(Index) + 3 * sizeof(float));
  EXPECT_LE(near.bytes(), most + 1024);
  EXPECT_LE(far.bytes(), most + 1024);
}

TEST(CellRuns, OfNothingThereAreNone) {
  CellRuns cells;
  EXPECT_TRUE(visits(cells, 0, Vec3::Zero(), Vec3::Ones()).empty());
  cells.sort(points_on_walls(1), 0.1f);
  cells.sort({}, 0.1f);
  EXPECT_TRUE(cells.order().empty());
  EXPECT_TRUE(visits(cells, 0, Vec3::Zero(), Vec3::Ones()).empty());
}

}  // namespace
}  // namespace fondue::test_cell_runs
