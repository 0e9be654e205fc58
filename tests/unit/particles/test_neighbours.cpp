#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <map>
#include <thread>

#include "unit/particles/point_clouds.h"

namespace fondue::test_neighbours {
namespace {

using Search = void (*)(const PointSet&, NeighbourList&);
struct Structure {
  const char* name;
  Search search;
};
constexpr Structure structures[] = {
    {"cells", find_neighbours_cells}, {"octree", find_neighbours_octree}, {"automatic", find_neighbours}};

NeighbourList found_by(Search search, const PointCloud& cloud) {
  NeighbourList list;
  search(cloud.points(), list);
  return list;
}

/// Lists by id, in the order found or sorted.
std::map<Index, std::vector<Index>> by_id(const PointCloud& cloud, const NeighbourList& list, bool sorted) {
  std::map<Index, std::vector<Index>> lists;
  for (std::size_t i = 0; i != cloud.size(); ++i) {
    std::vector<Index>& ids = lists[cloud.ids[i]];
    for (const Index j : list.of(i)) ids.push_back(cloud.ids[j]);
    if (sorted) std::ranges::sort(ids);
  }
  return lists;
}

class Neighbours : public testing::TestWithParam<PointCloud> {
 protected:
  const PointCloud& cloud = GetParam();
};

INSTANTIATE_TEST_SUITE_P(Of, Neighbours, testing::ValuesIn(all_clouds()),
                         [](const auto& cloud) { return cloud.param.name; });

TEST_P(Neighbours, BruteForceFindsWhatDoublePrecisionFinds) {
  const NeighbourList list = found_by(find_neighbours_brute_force, cloud);
  ASSERT_EQ(list.offsets.size(), cloud.size() + 1);
  for (std::size_t i = 0; i != cloud.size(); ++i) {
    std::vector<char> found(cloud.size());
    for (const Index j : list.of(i)) ++found[j];
    for (std::size_t j = 0; j != cloud.size(); ++j) {
      const double r = (cloud.positions[i].cast<double>() - cloud.positions[j].cast<double>()).norm();
      const double R = std::max(cloud.supports[i], cloud.supports[j]);
      // Within rounding of single precision either answer is right.
      if (i != j && R > 0 && std::abs(r - R) <= 2e-7 * R) continue;
      ASSERT_EQ(int(found[j]), int(i != j && r < R)) << i << " and " << j << ", r = " << r;
    }
  }
}

TEST_P(Neighbours, StructuresFindWhatBruteForceFinds) {
  const auto expected = by_id(cloud, found_by(find_neighbours_brute_force, cloud), true);
  for (const Structure& structure : structures) {
    EXPECT_EQ(by_id(cloud, found_by(structure.search, cloud), true), expected) << structure.name;
  }
}

TEST_P(Neighbours, OnlyThoseThatSeekGetTheirWholeList) {
  std::vector<std::uint8_t> seeking(cloud.size());
  for (std::size_t i = 0; i != cloud.size(); ++i) seeking[i] = i % 3 == 1;
  for (const Structure& structure : structures) {
    const NeighbourList all = found_by(structure.search, cloud);
    NeighbourList some;
    structure.search({cloud.positions, cloud.supports, cloud.ids, seeking}, some);
    ASSERT_EQ(some.offsets.size(), cloud.size() + 1);
    for (std::size_t i = 0; i != cloud.size(); ++i) {
      const auto expected = seeking[i] ? all.of(i) : std::span<const Index>{};
      EXPECT_TRUE(std::ranges::equal(some.of(i), expected)) << structure.name << " " << i;
    }
  }
}

TEST_P(Neighbours, AreMutual) {
  for (const Structure& structure : structures) {
    auto lists = by_id(cloud, found_by(structure.search, cloud), true);
    for (const auto& [i, neighbours] : lists) {
      for (const Index j : neighbours) {
        ASSERT_TRUE(std::ranges::binary_search(lists[j], i)) << structure.name << ": " << j << " misses " << i;
      }
    }
  }
}

TEST_P(Neighbours, OrderDoesNotDependOnStorage) {
  const PointCloud other = shuffled(cloud);
  for (const Structure& structure : structures) {
    EXPECT_EQ(by_id(cloud, found_by(structure.search, cloud), false),
              by_id(other, found_by(structure.search, other), false))
        << structure.name;
  }
}

TEST_P(Neighbours, AreTheSameForOneAndTwoThreads) {
  for (const Structure& structure : structures) {
    NeighbourList lists[2];
    for (const std::size_t threads : {1, 2}) {
      const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
      lists[threads - 1] = found_by(structure.search, cloud);
    }
    EXPECT_EQ(lists[0].offsets, lists[1].offsets) << structure.name;
    EXPECT_EQ(lists[0].indices, lists[1].indices) << structure.name;
  }
}

TEST_P(Neighbours, CellOrderIsAPermutationIndependentOfStorage) {
  const PointCloud other = shuffled(cloud);
  std::vector<Index> order = cell_order(cloud.points());
  const std::vector<Index> other_order = cell_order(other.points());
  ASSERT_EQ(order.size(), cloud.size());
  ASSERT_EQ(other_order.size(), cloud.size());
  for (std::size_t a = 0; a != order.size(); ++a) ASSERT_EQ(cloud.ids[order[a]], other.ids[other_order[a]]);
  std::ranges::sort(order);
  for (std::size_t a = 0; a != order.size(); ++a) ASSERT_EQ(order[a], a);
}

TEST_P(Neighbours, FindAroundFindsAllCloserThanTheRadius) {
  std::vector<Vec3> queries;
  for (Index q = 0; q != 40; ++q) queries.push_back(1.4f * random_point(20, q) - Vec3::Constant(0.7f));
  for (std::size_t i = 0; i < cloud.size(); i += 37) queries.push_back(cloud.positions[i]);
  for (const float radius : {0.0f, 0.03f, 0.3f, 100.0f}) {
    NeighbourList list;
    find_around(cloud.points(), queries, radius, list);
    ASSERT_EQ(list.offsets.size(), queries.size() + 1);
    for (std::size_t q = 0; q != queries.size(); ++q) {
      std::vector<char> found(cloud.size());
      for (const Index j : list.of(q)) ++found[j];
      for (std::size_t j = 0; j != cloud.size(); ++j) {
        const double r = (cloud.positions[j].cast<double>() - queries[q].cast<double>()).norm();
        if (radius > 0 && std::abs(r - radius) <= 2e-7 * radius) continue;
        ASSERT_EQ(int(found[j]), int(r < radius)) << "query " << q << ", particle " << j << ", radius " << radius;
      }
    }
  }
}

TEST(Neighbour, ListsCanBeUsedAgain) {
  NeighbourList list;
  for (const std::size_t count : {500, 2000, 100}) {
    const PointCloud cloud = random_cloud(count, 0.2f, count);
    find_neighbours(cloud.points(), list);
    EXPECT_EQ(list.offsets, found_by(find_neighbours_cells, cloud).offsets);
    EXPECT_EQ(list.indices, found_by(find_neighbours_cells, cloud).indices);
  }
}

TEST(Neighbour, ALargeTreeBuiltByThreadsIsTheSame) {
  // Large enough for nodes whose children are built in parallel.
  const PointCloud cloud = random_cloud(30000, 0.03f);
  const auto expected = by_id(cloud, found_by(find_neighbours_cells, cloud), true);
  NeighbourList one;
  {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
    find_neighbours_octree(cloud.points(), one);
  }
  const NeighbourList several = found_by(find_neighbours_octree, cloud);
  EXPECT_EQ(one.indices, several.indices);
  EXPECT_EQ(by_id(cloud, several, true), expected);
}

TEST(Neighbour, CoordinatesThatAreNotNumbersHaveNoneAndHarmNobody) {
  PointCloud cloud = random_cloud(500, 0.2f, 30);
  const NeighbourList before = found_by(find_neighbours_cells, cloud);
  for (const float bad : {NAN, infinity, -infinity}) {
    for (int axis = 0; axis != 3; ++axis) cloud.add(0.1f * Vec3::Ones() + bad * Vec3::Unit(axis), 0.2f);
    cloud.add(Vec3::Constant(bad), 0.2f);
  }
  for (const Structure& structure : structures) {
    const NeighbourList list = found_by(structure.search, cloud);
    EXPECT_EQ(by_id(cloud, list, true), by_id(cloud, found_by(find_neighbours_brute_force, cloud), true));
    EXPECT_EQ(list.indices.size(), before.indices.size()) << structure.name;
  }
}

}  // namespace
}  // namespace fondue::test_neighbours
