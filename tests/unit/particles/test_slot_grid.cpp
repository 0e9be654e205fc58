// The order of slots: a function of positions and ids alone, with every point in the bin it belongs to.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "core/random.h"
#include "particles/bounds.h"
#include "particles/slot_grid.h"

namespace fondue::test_slot_grid {
namespace {

std::vector<Index> numbers(std::size_t count) {
  std::vector<Index> result(count);
  std::iota(result.begin(), result.end(), Index{0});
  return result;
}

std::vector<Vec3> random_points(Index count, float size) {
  std::vector<Vec3> points;
  for (Index i = 0; i != count; ++i) points.push_back(size * random_point(11, i));
  return points;
}

TEST(SlotGrid, EveryPointHasOneSlot) {
  const std::vector<Vec3> points = random_points(5000, 3);
  SlotGrid grid;
  grid.sort(points, numbers(points.size()), {}, bounds_of(points), 0.2f, 3, {});
  std::vector<Index> order(grid.order().begin(), grid.order().end());
  std::ranges::sort(order);
  EXPECT_EQ(order, numbers(points.size()));
}

TEST(SlotGrid, TheOrderDoesNotDependOnHowPointsAreStored) {
  const std::vector<Vec3> points = random_points(3000, 2);
  const std::vector<Index> ids = numbers(points.size());
  std::vector<Index> shuffled = ids;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(5));
  std::vector<Vec3> moved;
  for (const Index i : shuffled) moved.push_back(points[i]);
  SlotGrid grid, other;
  grid.sort(points, ids, {}, bounds_of(points), 0.2f, 3, {});
  other.sort(moved, shuffled, {}, bounds_of(moved), 0.2f, 3, {});
  for (std::size_t k = 0; k != points.size(); ++k) EXPECT_EQ(ids[grid.order()[k]], shuffled[other.order()[k]]);
}

/// Columns that hold a few points each, as spray has them, have as many bins as they need and no more.
TEST(SlotGrid, BinsAreNoMoreThanTwoForEachPoint) {
  const std::vector<Vec3> points = random_points(5000, 20);
  SlotGrid grid;
  grid.sort(points, numbers(points.size()), {}, bounds_of(points), 0.2f, 3, {});
  const GridView view = grid.view(0, 0.2f);
  std::int32_t bins = 0, most = 0;
  for (std::int32_t b = 0; b != view.across[1].count; ++b)
    for (std::int32_t a = 0; a != view.across[0].count; ++a) {
      const GridColumn& column = view.columns[column_number(a, b, view.across[1].count)];
      bins += column.bins;
      most = std::max(most, column.bins);
    }
  EXPECT_LE(bins, 2 * 5000);
  EXPECT_GT(most, 1);
}

/// Bins are what the search looks into: each holds exactly the points whose cells have its numbers.
TEST(SlotGrid, BinsHoldThePointsOfTheirCells) {
  for (const int dimension : {2, 3}) {
    std::vector<Vec3> points = random_points(2000, 2);
    if (dimension == 2)
      for (Vec3& x : points) x.z() = 0;
    // One was flung far away, and shares a bin with others.
    points[17] = Vec3(1e7f, -4e6f, 0);
    SlotGrid grid;
    grid.sort(points, numbers(points.size()), {}, bounds_of(points), 0.2f, dimension, {});
    const GridView view = grid.view(0, 0.2f);
    for (Index slot = 0; slot != view.size; ++slot) {
      const Vec3& x = points[grid.order()[slot]];
      const auto cell = [&](const GridAxis& axis) { return axis.wrapped(axis.cell(x[axis.coordinate])); };
      const GridColumn& column =
          view.columns[column_number(cell(view.across[0]), cell(view.across[1]), view.across[1].count)];
      const Index* const begins = view.bin_begin + column.first_entry;
      const std::int32_t bin = column.bin(x[view.along]);
      ASSERT_LT(bin, column.bins);
      EXPECT_LE(begins[bin], slot);
      EXPECT_GT(begins[bin + 1], slot);
      for (int a = 0; a != 3; ++a) EXPECT_EQ(view.position[a][slot], x[a]);
    }
  }
}

TEST(SlotGrid, AFarFlungPointCostsNothing) {
  std::vector<Vec3> points = random_points(20000, 3);
  SlotGrid near, far;
  near.sort(points, numbers(points.size()), {}, bounds_of(points), 0.2f, 3, {});
  points[3] = Vec3(1e30f, 1e25f, -1e30f);
  far.sort(points, numbers(points.size()), {}, bounds_of(points), 0.2f, 3, {});
  // A tenth of the extent and two columns of room are left on each side of what the sample saw.
  EXPECT_LT(far.bytes(), 1.3 * near.bytes());
  // And the others are in as many different columns as before.
  EXPECT_GE(far.view(0, 1).across[0].count, near.view(0, 1).across[0].count);
  EXPECT_GE(far.view(0, 1).across[1].count, near.view(0, 1).across[1].count);
}

TEST(SlotGrid, PointsSpreadOverAVastSpaceTakeNoMoreThanOthers) {
  const std::vector<Vec3> points = random_points(20000, 1e6f);
  SlotGrid grid;
  grid.sort(points, numbers(points.size()), {}, bounds_of(points), 0.2f, 3, {});
  EXPECT_LT(grid.bytes(), 60 * points.size());
}

TEST(SlotGrid, NoPointsAreNoProblem) {
  SlotGrid grid;
  grid.sort({}, {}, {}, {}, 0.2f, 3, {});
  EXPECT_EQ(grid.order().size(), 0u);
  EXPECT_EQ(grid.view(0, 1).size, 0u);
}

}  // namespace
}  // namespace fondue::test_slot_grid
