#include "particles/slot_grid.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

namespace {

/// Most bins per column width.
constexpr float bins_per_width = 4;
/// Points that a thread counts at a time.
constexpr std::size_t points_at_once = 1024;

/// A point of one column.
struct Entry {
  Index bin, id, index;
};

/// Orders the points of each bin by id. Bins hold two or three points, unless many lie in one place.
void sort_by_id(std::vector<Entry>& entries) {
  constexpr std::size_t many = 32;
  const auto precedes = [](const Entry& a, const Entry& b) { return a.id < b.id; };
  for (std::size_t begin = 0, end; begin != entries.size(); begin = end) {
    end = begin + 1;
    while (end != entries.size() && entries[end].bin == entries[begin].bin) ++end;
    if (end - begin > many) {
      std::sort(entries.begin() + begin, entries.begin() + end, precedes);
      continue;
    }
    for (std::size_t k = begin + 1; k != end; ++k) {
      const Entry entry = entries[k];
      std::size_t to = k;
      for (; to != begin && precedes(entry, entries[to - 1]); --to) entries[to] = entries[to - 1];
      entries[to] = entry;
    }
  }
}

void add_atomically(Index& to, Index count) { std::atomic_ref<Index>(to).fetch_add(count, std::memory_order_relaxed); }

}  // namespace

void SlotGrid::choose_axes(std::span<const Vec3> positions, std::span<const Index> ids, std::span<const Index> members,
                           const Box& bounds, float width, int dimension, const PeriodicAxes& periodic) {
  const std::size_t count = members.empty() ? positions.size() : members.size();
  const auto point = [&](std::size_t k) { return members.empty() ? static_cast<Index>(k) : members[k]; };
  Box all = bounds;
  if (count == 0) all = {Vec3::Zero(), Vec3::Zero()};
  const double most = std::max(4096.0, 0.5 * static_cast<double>(count));
  if (lay_axes(all, width, dimension, periodic) <= most && (high_ - low_) / width <= most) return;

  // Something is far from the rest. Most of the points are where a sample of them is; ids choose it, so that it does
  // not depend on how points are stored.
  constexpr std::size_t wanted = 2000;
  const Index every = static_cast<Index>(count / wanted + 1);
  std::vector<float> sample[3];
  for (std::size_t k = 0; k != count; ++k)
    if (ids[point(k)] % every == 0)
      for (int a = 0; a != 3; ++a) sample[a].push_back(positions[point(k)][a]);
  Box middle = all;
  for (int a = 0; a != 3 && !sample[a].empty(); ++a) {
    const std::size_t tail = sample[a].size() / 50;
    const auto low = sample[a].begin() + tail, high = sample[a].end() - 1 - tail;
    std::ranges::nth_element(sample[a], low);
    std::ranges::nth_element(sample[a], high);
    const float room = 0.1f * (*high - *low) + 2 * width;
    middle.min[a] = std::max(middle.min[a], *low - room);
    middle.max[a] = std::min(middle.max[a], *high + room);
  }
  while (lay_axes(middle, width, dimension, periodic) > most) {
    // Spread over more columns than there are points: they share.
    const auto size = [&](const GridAxis& axis) {
      return axis.periodic ? 0.0f : middle.max[axis.coordinate] - middle.min[axis.coordinate];
    };
    const GridAxis& wider = across_[size(across_[1]) > size(across_[0]) ? 1 : 0];
    if (size(wider) < width) break;
    middle.max[wider.coordinate] = 0.5f * (middle.min[wider.coordinate] + middle.max[wider.coordinate]);
  }
}

/// Columns along the longest axis, in two dimensions never along z; returns their number.
double SlotGrid::lay_axes(const Box& bounds, float width, int dimension, const PeriodicAxes& periodic) {
  Vec3 low = bounds.min, size = bounds.size();
  for (int a = 0; a != 3; ++a)
    if (periodic.axis[a]) {
      low[a] = periodic.low[a];
      size[a] = periodic.length[a];
    }
  along_ = 0;
  for (int a = 1; a != dimension; ++a)
    if (size[a] > size[along_]) along_ = a;
  low_ = low[along_];
  high_ = low[along_] + size[along_];
  periodic_ = periodic.axis[along_];
  for (int k = 0; k != 2; ++k) {
    GridAxis& axis = across_[k];
    axis.coordinate = (along_ + 1 + k) % 3;
    axis.origin = low[axis.coordinate] - 0.25f * width;
    axis.periodic = periodic.axis[axis.coordinate];
    axis.width = width;
    const double cells = std::floor(static_cast<double>(size[axis.coordinate]) / axis.width);
    axis.count = static_cast<std::int32_t>(std::clamp(axis.periodic ? cells : cells + 2, 1.0, 1e9));
    if (axis.periodic) {
      axis.origin = low[axis.coordinate];
      axis.width = size[axis.coordinate] / static_cast<float>(axis.count);
    }
    axis.inverse_width = 1 / axis.width;
  }
  return 1.0 * across_[0].count * across_[1].count;
}

/// The column of each of these points: key_.
void SlotGrid::find_columns(std::span<const Vec3> positions, std::span<const Index> members, std::size_t begin,
                            std::size_t end) {
  // Copies of this block's own, and no branches but for the few points outside: so the cells of several points are
  // found at a time.
  const GridAxis first = across_[0], second = across_[1];
  std::array<std::int32_t, points_at_once> a, b;
  const std::size_t count = end - begin;
  if (members.empty()) {
    const float* const x = positions[begin].data();
    for (std::size_t k = 0; k != count; ++k) {
      a[k] = first.cell(x[3 * k + first.coordinate]);
      b[k] = second.cell(x[3 * k + second.coordinate]);
    }
  } else {
    for (std::size_t k = 0; k != count; ++k) {
      const Vec3& x = positions[members[begin + k]];
      a[k] = first.cell(x[first.coordinate]);
      b[k] = second.cell(x[second.coordinate]);
    }
  }
  Index* const key = key_.data() + begin;
  for (std::size_t k = 0; k != count; ++k)
    key[k] = static_cast<Index>(column_number(first.wrapped(a[k]), second.wrapped(b[k]), second.count));
}

void SlotGrid::sort(std::span<const Vec3> positions, std::span<const Index> ids, std::span<const Index> members,
                    const Box& bounds, float width, int dimension, const PeriodicAxes& periodic) {
  choose_axes(positions, ids, members, bounds, width, dimension, periodic);
  const std::size_t count = members.empty() ? positions.size() : members.size();
  const auto point = [&](std::size_t k) { return members.empty() ? static_cast<Index>(k) : members[k]; };
  const std::size_t strips = (across_[0].count + strip_width - 1) / strip_width;
  const std::size_t columns = strips * strip_width * across_[1].count;

  // How many are in each column. Points that follow each other are mostly in one column, so they are counted by runs.
  column_begin_.assign(columns + 1, 0);
  key_.resize(count);
  parallel_blocks(count, points_at_once, [&](std::size_t begin, std::size_t end) {
    find_columns(positions, members, begin, end);
    for (std::size_t k = begin; k != end;) {
      const Index column = key_[k];
      const std::size_t first = k;
      while (++k != end && key_[k] == column) {
      }
      add_atomically(column_begin_[column + 1], static_cast<Index>(k - first));
    }
  });
  for (std::size_t c = 0; c != columns; ++c) column_begin_[c + 1] += column_begin_[c];

  // Into their columns, in any order.
  cursor_.assign(column_begin_.begin(), column_begin_.end());
  order_.resize(count);
  parallel_blocks(count, points_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k != end;) {
      const Index column = key_[k];
      std::size_t stop = k + 1;
      while (stop != end && key_[stop] == column) ++stop;
      Index to =
          std::atomic_ref<Index>(cursor_[column]).fetch_add(static_cast<Index>(stop - k), std::memory_order_relaxed);
      for (; k != stop; ++k) order_[to++] = point(k);
    }
  });

  // Within each column by bin, then id.
  columns_.resize(columns);
  bin_begin_.resize(2 * (count + columns));
  // A run is read by eights.
  for (auto& position : position_) position.resize(count + 8);
  parallel_blocks(columns, 16, [&](std::size_t first, std::size_t last) {
    std::vector<Entry> entries, sorted;
    std::vector<float> along;
    for (std::size_t c = first; c != last; ++c) {
      const Index begin = column_begin_[c], end = column_begin_[c + 1];
      // Two entries for each of its points, and one more.
      GridColumn& column = columns_[c];
      column = {0, 0, 0, static_cast<Index>(2 * (begin + c))};
      if (begin == end) continue;
      along.resize(end - begin);
      for (Index k = begin; k != end; ++k) along[k - begin] = positions[order_[k]][along_];
      lay_bins(column, along, width);
      Index* const bin_begin = bin_begin_.data() + column.first_entry;
      const std::size_t bins = static_cast<std::size_t>(column.bins);
      std::fill(bin_begin, bin_begin + bins, 0);
      entries.resize(end - begin);
      sorted.resize(end - begin);
      for (Index k = begin; k != end; ++k) {
        const Index i = order_[k];
        const Index bin = static_cast<Index>(column.bin(along[k - begin]));
        entries[k - begin] = {bin, ids[i], i};
        ++bin_begin[bin];
      }
      Index next = 0;
      for (std::size_t b = 0; b != bins; ++b) next += std::exchange(bin_begin[b], next);
      for (const Entry& entry : entries) sorted[bin_begin[entry.bin]++] = entry;
      // Each bin's start was moved to its end, which is the next one's start.
      for (std::size_t b = bins; b != 0; --b) bin_begin[b] = begin + bin_begin[b - 1];
      bin_begin[0] = begin;
      sort_by_id(sorted);
      for (Index k = begin; k != end; ++k) {
        const Index i = order_[k] = sorted[k - begin].index;
        for (int a = 0; a != 3; ++a) position_[a][k] = positions[i][a];
      }
    }
  });
}

/// Bins from the lowest to the highest of a column's points, but not to those that were flung far away. Bins of one
/// length begin at the same places in all columns.
void SlotGrid::lay_bins(GridColumn& column, std::span<const float> along, float width) const {
  float low = infinity, high = -infinity;
  for (const float x : along) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  low = std::clamp(low, low_, high_) - low_;
  high = std::clamp(high, low_, high_) - low_;
  const float most = 2 * static_cast<float>(along.size());
  float length = width / bins_per_width, first, bins;
  for (;; length *= 2) {
    first = std::floor(low / length);
    bins = std::floor(high / length) - first + 1;
    if (!(bins > most)) break;
  }
  column.origin = low_ + first * length;
  column.inverse_length = 1 / length;
  column.bins = static_cast<std::int32_t>(std::max(bins, 1.0f));
}

GridView SlotGrid::view(Index first_slot, float reach) const {
  return {{across_[0], across_[1]},
          along_,
          periodic_ ? low_ : -infinity,
          periodic_ ? high_ : infinity,
          {position_[0].data(), position_[1].data(), position_[2].data()},
          columns_.data(),
          bin_begin_.data(),
          first_slot,
          static_cast<Index>(order_.size()),
          reach};
}

std::size_t SlotGrid::bytes() const {
  return sizeof(Index) * (column_begin_.capacity() + cursor_.capacity() + key_.capacity() + order_.capacity() +
                          bin_begin_.capacity()) +
         sizeof(GridColumn) * columns_.capacity() + sizeof(float) * 3 * position_[0].capacity();
}

}  // namespace fondue
