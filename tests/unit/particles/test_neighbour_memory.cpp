// Measures the memory in use, by replacing the global operator new of this test program.

#include <gtest/gtest.h>
#include <malloc.h>
#include <tbb/global_control.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "unit/particles/point_clouds.h"

namespace {

std::atomic<std::size_t> in_use{0}, most_in_use{0};

void release(void* memory) {
  if (memory) in_use -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  const std::size_t now = in_use += malloc_usable_size(memory);
  std::size_t most = most_in_use;
  while (now > most && !most_in_use.compare_exchange_weak(most, now)) {
  }
  return memory;
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }

namespace fondue::test_neighbour_memory {
namespace {

/// The most bytes a search holds at any moment, for each particle, without the list that it makes.
template <class Search>
double bytes_per_particle(Search search, const PointCloud& cloud) {
  // Each thread has a room of its own.
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 2);
  NeighbourList list;
  search(cloud.points(), list);
  const std::size_t before = in_use;
  most_in_use = before;
  search(cloud.points(), list);
  return double(most_in_use - before) / double(cloud.size());
}

TEST(NeighbourMemory, AFlungParticleCostsNoMoreThanAnother) {
  const PointCloud cloud = random_cloud(20000, 0.03f);
  PointCloud flung = cloud;
  flung.positions[1] = Vec3(1e3f, 0, 0);
  flung.positions[2] = Vec3(0, -1e9f, 1e9f);
  flung.positions[3] = Vec3(1e30f, -1e30f, 1e30f);
  for (const auto search : {find_neighbours_cells, find_neighbours_octree}) {
    const double before = bytes_per_particle(search, cloud), after = bytes_per_particle(search, flung);
    // A few nodes more; arrays that grow by doubling may take one more step.
    EXPECT_LT(after, 1.3 * before);
    EXPECT_LT(before, 200) << "sorted copies, keys or nodes, and the room of each thread";
  }
}

TEST(NeighbourMemory, ACrowdInOneCellCostsNoMoreThanItsNeighbours) {
  // All within one cell because a single particle is large; everyone is the neighbour of that one only.
  PointCloud cloud = random_cloud(4000, 1e-6f);
  cloud.supports[0] = 10;
  for (const auto search : {find_neighbours_cells, find_neighbours_octree}) {
    NeighbourList list;
    search(cloud.points(), list);
    EXPECT_EQ(list.indices.size(), 2 * (cloud.size() - 1));
    EXPECT_LT(list.bytes(), 64 * cloud.size());
    EXPECT_LT(bytes_per_particle(search, cloud), 400) << "a comparison of all pairs kept would be 4000";
  }
}

}  // namespace
}  // namespace fondue::test_neighbour_memory
