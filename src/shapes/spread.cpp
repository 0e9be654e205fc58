#include "shapes/spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace fondue {

std::vector<Index> random_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, Index>> drawn(count);
  parallel_for(count, [&](std::size_t i) { drawn[i] = {random_bits(seed, i), static_cast<Index>(i)}; });
  tbb::parallel_sort(drawn.begin(), drawn.end());
  std::vector<Index> order(count);
  std::ranges::transform(drawn, order.begin(), [](const auto& entry) { return entry.second; });
  return order;
}

void add_apart(const std::vector<Vec3>& candidates, const PointGrid& grid, const std::vector<Index>& order,
               float radius, std::size_t most, std::vector<Vec3>& points) {
  std::vector<char> covered(candidates.size(), 0);
  const auto cover = [&](const Vec3& x) { grid.visit(x, radius, [&](Index c, float) { covered[c] = 1; }); };
  for (const Vec3& x : points) cover(x);
  for (Index c : order) {
    if (points.size() >= most) return;
    if (covered[c]) continue;
    points.push_back(candidates[c]);
    cover(candidates[c]);
  }
}

void keep_apart(std::vector<Vec3>& points, float radius) {
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<Vec3> kept;
  add_apart(points, PointGrid(points, radius), order, radius, points.size(), kept);
  points = std::move(kept);
}

Vec3 repulsion_at(const Vec3& x, const PointGrid& grid, const std::vector<Vec3>& points, float reach) {
  Vec3 push = Vec3::Zero();
  grid.visit(x, reach, [&](Index other, float squared) {
    const float r = std::sqrt(squared), weight = 1 - r / reach;
    if (r > 0) push += (weight * weight / r) * (x - points[other]);
  });
  return push;
}

}  // namespace fondue
