#pragma once
// Slots: the order in which particles are visited. Space is cut into columns of square cross-section along its longest
// axis, and each column into thin bins; particles are ordered by column, then bin, then id. Eight that follow each
// other are then a compact group, and the candidates of a group are a few runs of slots: one for each column around it.
//
// Memory follows the particles and not the space they are spread over. The bins of a column reach from its lowest to
// its highest particle, and there are at most two for each of its particles: where matter is sparse they are longer.
// There is at most one column for two particles. A column's number is taken modulo theirs, so that what was flung far
// from the rest shares the columns of others. Across a periodic axis the number of columns is that of the domain, so
// the modulus is the periodicity. The order is a function of positions and ids alone.

#include <algorithm>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// One direction of the grid.
struct GridAxis {
  /// Which coordinate it is: 0 x, 1 y, 2 z.
  int coordinate;
  float origin, inverse_width, width;
  /// Number of different cells.
  std::int32_t count;
  bool periodic;

  [[gnu::always_inline]] std::int32_t cell(float x) const {
    // Far away the cells are clamped; this keeps their order. What is not a number goes to the first.
    const float most = 1e9f, clamped = std::min(most, std::max(-most, (x - origin) * inverse_width));
    // Rounded down by hand: without SSE 4.1 floor is a call.
    const auto whole = static_cast<std::int32_t>(clamped);
    return whole - (static_cast<float>(whole) > clamped);
  }
  [[gnu::always_inline]] std::int32_t wrapped(std::int32_t c) const {
    if (static_cast<std::uint32_t>(c) < static_cast<std::uint32_t>(count)) return c;
    const std::int32_t rest = c % count;
    return rest < 0 ? rest + count : rest;
  }
};

/// Columns are numbered in strips of eight, so that those around one were visited shortly before or come shortly after.
inline constexpr std::int32_t strip_width = 8;
[[gnu::always_inline]] inline std::size_t column_number(std::int32_t a, std::int32_t b, std::int32_t count_b) {
  const auto in_strip = static_cast<std::uint32_t>(a) % strip_width,
             strip = static_cast<std::uint32_t>(a) / strip_width;
  return (std::size_t{strip} * static_cast<std::uint32_t>(count_b) + static_cast<std::uint32_t>(b)) * strip_width +
         in_strip;
}

/// A column's bins, of one length.
struct GridColumn {
  /// Where the first begins, and one over their length.
  float origin, inverse_length;
  std::int32_t bins;
  /// Its first entry in the table of slots where bins begin; the entry after its last bin is where that ends.
  Index first_entry;

  /// What lies before the first bin or behind the last belongs to them, so that this grows with x.
  [[gnu::always_inline]] std::int32_t bin(float x) const {
    const float b = (x - origin) * inverse_length;
    const float last = static_cast<float>(bins - 1);
    // What is not a number goes to the first.
    return b > 0 ? static_cast<std::int32_t>(b < last ? b : last) : 0;
  }
};

/// What the search needs of a grid.
struct GridView {
  /// Two axes across the columns and the coordinate along them.
  GridAxis across[2];
  int along;
  /// Begin and end of the domain along the columns, if it is periodic; otherwise infinite.
  float domain_low, domain_high;
  /// Coordinates by slot, less first_slot.
  const float* position[3];
  const GridColumn* columns;
  /// First slot of every bin, and the end of the last; less first_slot.
  const Index* bin_begin;
  Index first_slot, size;
  /// Largest support of the points in it; 0 for points without.
  float reach;
};

/// Axes that repeat themselves, with the domain's extent.
struct PeriodicAxes {
  bool axis[3] = {false, false, false};
  float low[3] = {0, 0, 0}, length[3] = {0, 0, 0};
};

class SlotGrid {
 public:
  /// Orders the given points (all of them, if members is empty), which lie in this box, in columns of this width. Ids
  /// break ties.
  void sort(std::span<const Vec3> positions, std::span<const Index> ids, std::span<const Index> members,
            const Box& bounds, float width, int dimension, const PeriodicAxes& periodic);

  /// Which point is in each slot.
  std::span<const Index> order() const { return order_; }
  GridView view(Index first_slot, float reach) const;
  std::size_t bytes() const;

 private:
  void choose_axes(std::span<const Vec3> positions, std::span<const Index> ids, std::span<const Index> members,
                   const Box& bounds, float width, int dimension, const PeriodicAxes& periodic);
  void find_columns(std::span<const Vec3> positions, std::span<const Index> members, std::size_t begin,
                    std::size_t end);
  void lay_bins(GridColumn& column, std::span<const float> along, float width) const;
  double lay_axes(const Box& bounds, float width, int dimension, const PeriodicAxes& periodic);

  GridAxis across_[2];
  int along_;
  /// Where most of the points lie along the columns.
  float low_, high_;
  /// They are periodic along the columns.
  bool periodic_;
  std::vector<GridColumn> columns_;
  std::vector<Index> column_begin_, cursor_, key_, order_, bin_begin_;
  std::vector<float> position_[3];
};

}  // namespace fondue
