#pragma once
// Points sorted into cubic cells, for searches near a position. Cells are found by their key in a sorted list, so empty
// space costs no memory.

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/vec.h"

namespace fondue {

class PointGrid {
 public:
  /// The cell size is the largest radius that visit() accepts.
  PointGrid(const std::vector<Vec3>& points, float cell)
      : cell_(cell), entries_(points.size()), sorted_(points.size()) {
    for (const Vec3& x : points) origin_ = origin_.cwiseMin(x);
    parallel_for(points.size(), [&](std::size_t i) { entries_[i] = {key(cell_of(points[i])), static_cast<Index>(i)}; });
    tbb::parallel_sort(entries_.begin(), entries_.end());
    parallel_for(points.size(), [&](std::size_t i) { sorted_[i] = points[entries_[i].second]; });
  }

  /// The points in cell order: neighbours are close in memory.
  const std::vector<Vec3>& sorted() const { return sorted_; }

  /// Calls body(index, distance squared) for every point within radius of x, in a fixed order, including x itself if it
  /// is one of them.
  template <class Body>
  void visit(const Vec3& x, float radius, Body&& body) const {
    const Cell centre = cell_of(x);
    for (std::int64_t dz = -1; dz <= 1; ++dz) {
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const Cell first = {centre[0] - 1, centre[1] + dy, centre[2] + dz};
        if (first[0] + 2 < 0 || first[1] < 0 || first[2] < 0) continue;
        const std::uint64_t from = key({std::max<std::int64_t>(first[0], 0), first[1], first[2]});
        const std::uint64_t to = key({first[0] + 2, first[1], first[2]});
        const auto begin = std::ranges::lower_bound(entries_, std::pair{from, Index(0)});
        for (std::size_t e = begin - entries_.begin(); e < entries_.size() && entries_[e].first <= to; ++e) {
          const float squared = (sorted_[e] - x).squaredNorm();
          if (squared <= radius * radius) body(entries_[e].second, squared);
        }
      }
    }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Vec3& x) const {
    Cell cell;
    for (int a = 0; a < 3; ++a) cell[a] = static_cast<std::int64_t>(std::floor((x[a] - origin_[a]) / cell_));
    return cell;
  }
  static std::uint64_t key(const Cell& cell) {
    return std::uint64_t(cell[2]) << 42 | std::uint64_t(cell[1]) << 21 | std::uint64_t(cell[0]);
  }

  Vec3 origin_ = Vec3::Constant(infinity);
  float cell_;
  std::vector<std::pair<std::uint64_t, Index>> entries_;
  std::vector<Vec3> sorted_;
};

}  // namespace fondue
