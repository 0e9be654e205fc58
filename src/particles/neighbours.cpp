#include "particles/neighbours.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"
#include "particles/pair_search.h"

namespace fondue {

void NeighbourList::resize_to_offsets() {
  const std::size_t size = offsets.back();
  if (size > indices.capacity()) {
    // A little more than needed, so that a list that grows from step to step is not moved in each.
    indices = {};
    indices.reserve(size + size / 16);
  }
  indices.resize(size);
}

void find_neighbours_brute_force(const PointSet& points, NeighbourList& list) {
  const std::size_t count = points.positions.size();
  std::vector<Index> by_id(count);
  std::iota(by_id.begin(), by_id.end(), Index{0});
  std::ranges::sort(by_id, {}, [&](Index i) { return points.ids[i]; });
  const auto for_neighbours = [&](std::size_t i, auto&& visit) {
    if (!points.seeks(i)) return;
    for (const Index j : by_id) {
      const Vec3 x_ij = points.positions[i] - points.positions[j];
      const float R_i = points.supports[i], R_j = points.supports[j];
      if (j != i && in_reach(x_ij.x(), x_ij.y(), x_ij.z(), R_i * R_i, R_j * R_j)) visit(j);
    }
  };
  list.offsets.assign(count + 1, 0);
  parallel_for(count, [&](std::size_t i) { for_neighbours(i, [&](Index) { ++list.offsets[i + 1]; }); });
  std::partial_sum(list.offsets.begin(), list.offsets.end(), list.offsets.begin());
  list.resize_to_offsets();
  parallel_for(count, [&](std::size_t i) {
    Index* to = list.indices.data() + list.offsets[i];
    for_neighbours(i, [&](Index j) { *to++ = j; });
  });
}

void find_neighbours(const PointSet& points, NeighbourList& list) {
  const auto largest = std::ranges::max_element(points.supports);
  const auto smallest = std::ranges::min_element(points.supports);
  if (points.supports.empty() || *largest <= octree_ratio * *smallest) return find_neighbours_cells(points, list);
  std::vector<float> supports(points.supports.begin(), points.supports.end());
  std::erase(supports, 0.0f);
  const auto median = supports.begin() + supports.size() / 2;
  std::ranges::nth_element(supports, median);
  const bool similar = supports.empty() || *largest <= octree_ratio * *median;
  similar ? find_neighbours_cells(points, list) : find_neighbours_octree(points, list);
}

}  // namespace fondue
