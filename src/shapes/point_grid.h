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

  /// The particle that stands at a place of sorted().
  Index index(std::size_t place) const { return entries_[place].second; }

  using Cell = std::array<std::int64_t, 3>;
  /// The places of all points in a cell and those around it, as nine ranges. Searches that go through points near each
  /// other keep one: it stays valid from one point to the next of the same cell.
  struct Surroundings {
    Cell cell = {-2, -2, -2};
    std::array<std::pair<std::size_t, std::size_t>, 9> ranges = {};
  };
  const Surroundings& find(const Vec3& x, Surroundings& around) const {
    const Cell centre = cell_of(x);
    if (centre == around.cell) return around;
    around.cell = centre;
    for (std::int64_t row = 0; row != 9; ++row) {
      const std::int64_t y = centre[1] + row % 3 - 1, z = centre[2] + row / 3 - 1;
      auto& [begin, end] = around.ranges[static_cast<std::size_t>(row)];
      begin = end = 0;
      if (centre[0] + 1 < 0 || y < 0 || z < 0) continue;
      const auto first_from = [&](std::int64_t along) {
        const std::pair least{key({along, y, z}), Index(0)};
        return static_cast<std::size_t>(std::ranges::lower_bound(entries_, least) - entries_.begin());
      };
      begin = first_from(std::max<std::int64_t>(centre[0] - 1, 0));
      end = begin;
      while (end != entries_.size() && entries_[end].first <= key({centre[0] + 1, y, z})) ++end;
    }
    return around;
  }

  /// Calls body(index, distance squared) for every point within radius of x, in a fixed order, including x itself if it
  /// is one of them.
  template <class Body>
  void visit(const Vec3& x, float radius, Body&& body) const {
    Surroundings around;
    visit(x, radius, around, body);
  }
  template <class Body>
  void visit(const Vec3& x, float radius, Surroundings& around, Body&& body) const {
    for (const auto& [begin, end] : find(x, around).ranges)
      for (std::size_t e = begin; e != end; ++e) {
        const float squared = (sorted_[e] - x).squaredNorm();
        if (squared <= radius * radius) body(entries_[e].second, squared);
      }
  }

 private:
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
