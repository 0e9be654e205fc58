#pragma once
// Points in the occupied cells of a coarse grid, for a search that mostly finds nothing: boundary particles lie on
// surfaces, and most matter is nowhere near one. One bit per cell says whether it holds points. Rows of cells run along
// the last axis, and points are ordered by row, then cell. So the points near a box are one run for each row of cells
// that the box covers, found by counting bits; where the bits are zero there is nothing to look at.
//
// The number of bits follows the points and not the space they are spread over: where there would be too many, cells
// are larger. The order is a function of positions and the order of the points alone.

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// What a search needs of it.
struct CellRunsView {
  /// Bits of the cells, of each word the number of occupied cells before it, and where the points of each occupied cell
  /// begin.
  const std::uint64_t* words = nullptr;
  const Index *cells_before = nullptr, *begin = nullptr;
  /// Coordinates of the points in their order, readable by eights.
  const float* position[3];
  float origin[3], inverse_cell;
  /// Cells along each axis, and words per row.
  std::int32_t count[3], words_per_row;

  /// Calls visit(begin, end) for runs that hold all points of a box, and others near it.
  template <class Visit>
  [[gnu::always_inline]] void runs_near(const float* low, const float* high, Visit&& visit) const {
    if (!words) return;
    std::int32_t first[3], last[3];
    for (int a = 0; a != 3; ++a) {
      const float from = (low[a] - origin[a]) * inverse_cell, to = (high[a] - origin[a]) * inverse_cell;
      const float most = static_cast<float>(count[a] - 1);
      // A hair more than the last cell, for the rounding of the points in it.
      if (to < 0 || from > most + 1.01f) return;
      first[a] = static_cast<std::int32_t>(from > 0 ? (from < most ? from : most) : 0.0f);
      last[a] = static_cast<std::int32_t>(to < most ? to : most);
    }
    for (std::int32_t x = first[0]; x <= last[0]; ++x)
      for (std::int32_t y = first[1]; y <= last[1]; ++y) {
        const std::size_t row = (std::size_t(x) * std::size_t(count[1]) + std::size_t(y)) * std::size_t(words_per_row);
        for (std::int32_t w = first[2] / 64; w <= last[2] / 64; ++w) {
          // Bits of the cells of this word that the box covers.
          const std::int32_t from = first[2] - 64 * w, to = last[2] - 64 * w;
          std::uint64_t covered = ~std::uint64_t{0};
          if (from > 0) covered <<= from;
          if (to < 63) covered &= (std::uint64_t{2} << to) - 1;
          const std::uint64_t word = words[row + std::size_t(w)], near = word & covered;
          if (near == 0) continue;
          const std::uint64_t before = word & ((near & (~near + 1)) - 1);
          const Index cell = cells_before[row + std::size_t(w)] + static_cast<Index>(__builtin_popcountll(before));
          visit(begin[cell], begin[cell + static_cast<Index>(__builtin_popcountll(near))]);
        }
      }
  }
};

class CellRuns {
 public:
  /// Orders these points by cells of this size or larger.
  void sort(std::span<const Vec3> points, float cell);
  /// Which point is at each place.
  std::span<const Index> order() const { return order_; }
  CellRunsView view() const { return view_; }
  std::size_t bytes() const;

 private:
  void choose_cells(const Box& bounds, float cell, std::size_t points);

  CellRunsView view_{};
  std::vector<std::uint64_t> words_;
  std::vector<Index> cells_before_, begin_, order_;
  std::vector<float> position_[3];
};

}  // namespace fondue
