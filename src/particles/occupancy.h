#pragma once
// Which parts of space hold points: one bit for each cell of a coarse grid. It answers quickly that a box is empty, so
// that most particles need not look for boundary particles at all.
//
// The number of bits follows the points and not the space they are spread over: where there would be too many, cells
// are larger.

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// What a search needs of it; without words nothing is known.
struct OccupancyView {
  const std::uint64_t* words = nullptr;
  float origin[3], inverse_cell;
  /// Cells along each axis, and words for those along the last.
  std::int32_t count[3], words_per_row;

  /// False only if no point lies in the box.
  [[gnu::always_inline]] bool may_hold(const float* low, const float* high) const {
    if (!words) return true;
    std::int32_t first[3], last[3];
    for (int a = 0; a != 3; ++a) {
      const float begin = (low[a] - origin[a]) * inverse_cell, end = (high[a] - origin[a]) * inverse_cell;
      const float most = static_cast<float>(count[a] - 1);
      if (end < 0 || begin >= most + 1) return false;
      first[a] = static_cast<std::int32_t>(begin > 0 ? begin : 0.0f);
      last[a] = static_cast<std::int32_t>(end < most ? end : most);
    }
    for (std::int32_t x = first[0]; x <= last[0]; ++x)
      for (std::int32_t y = first[1]; y <= last[1]; ++y) {
        const std::uint64_t* const row =
            words + (std::size_t(x) * std::size_t(count[1]) + std::size_t(y)) * std::size_t(words_per_row);
        for (std::int32_t w = first[2] / 64; w <= last[2] / 64; ++w) {
          // Bits of the cells of this word that the box covers.
          const std::int32_t from = first[2] - 64 * w, to = last[2] - 64 * w;
          std::uint64_t asked = ~std::uint64_t{0};
          if (from > 0) asked <<= from;
          if (to < 63) asked &= (std::uint64_t{2} << to) - 1;
          if (row[w] & asked) return true;
        }
      }
    return false;
  }
};

class Occupancy {
 public:
  /// Marks where these points are, in cells of this size or larger.
  void mark(std::span<const Vec3> points, float cell);
  OccupancyView view() const { return view_; }
  std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

 private:
  OccupancyView view_{};
  std::vector<std::uint64_t> words_;
};

}  // namespace fondue
