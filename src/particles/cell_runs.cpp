#include "particles/cell_runs.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.h"
#include "particles/bounds.h"

namespace fondue {

namespace {
/// Points are read by so many.
constexpr std::size_t read_at_once = 8;
}  // namespace

void CellRuns::choose_cells(const Box& bounds, float cell, std::size_t points) {
  const double most = std::max(4096.0, 4.0 * static_cast<double>(points));
  for (double words = 2 * most; words > most; cell *= 2) {
    words = 1;
    view_.inverse_cell = 1 / cell;
    for (int a = 0; a != 3; ++a) {
      const double cells = std::floor(static_cast<double>((bounds.max[a] - bounds.min[a]) * view_.inverse_cell)) + 1;
      view_.origin[a] = bounds.min[a];
      view_.count[a] = static_cast<std::int32_t>(std::min(cells, 1e9));
      words *= a == 2 ? std::ceil(cells / 64) : cells;
    }
  }
  view_.words_per_row = (view_.count[2] + 63) / 64;
}

void CellRuns::sort(std::span<const Vec3> points, float cell) {
  view_ = {};
  order_.clear();
  if (points.empty()) return;
  const Box bounds = bounds_of(points);
  if (!bounds.finite()) throw SimulationError("a boundary particle is at a place that is not a number");
  choose_cells(bounds, cell, points.size());

  const auto rows = static_cast<std::size_t>(view_.count[0]) * static_cast<std::size_t>(view_.count[1]);
  const auto words_per_row = static_cast<std::size_t>(view_.words_per_row);
  struct Place {
    std::size_t word;
    unsigned bit;
  };
  const auto place_of = [&](const Vec3& x) {
    std::size_t at[3];
    for (int a = 0; a != 3; ++a)
      at[a] = std::min(static_cast<std::size_t>((x[a] - view_.origin[a]) * view_.inverse_cell),
                       static_cast<std::size_t>(view_.count[a] - 1));
    return Place{(at[0] * static_cast<std::size_t>(view_.count[1]) + at[1]) * words_per_row + at[2] / 64,
                 static_cast<unsigned>(at[2] % 64)};
  };
  words_.assign(rows * words_per_row, 0);
  for (const Vec3& x : points) {
    const Place place = place_of(x);
    words_[place.word] |= std::uint64_t{1} << place.bit;
  }
  cells_before_.resize(words_.size());
  Index cells = 0;
  for (std::size_t w = 0; w != words_.size(); ++w) {
    cells_before_[w] = cells;
    cells += static_cast<Index>(std::popcount(words_[w]));
  }
  const auto cell_of = [&](const Vec3& x) {
    const Place place = place_of(x);
    const std::uint64_t before = words_[place.word] & ((std::uint64_t{1} << place.bit) - 1);
    return cells_before_[place.word] + static_cast<Index>(std::popcount(before));
  };
  begin_.assign(cells + 1, 0);
  for (const Vec3& x : points) ++begin_[cell_of(x) + 1];
  for (Index c = 0; c != cells; ++c) begin_[c + 1] += begin_[c];
  std::vector<Index> next(begin_.begin(), begin_.end() - 1);
  order_.resize(points.size());
  for (auto& position : position_) position.resize(points.size() + read_at_once);
  for (std::size_t b = 0; b != points.size(); ++b) {
    const Index to = next[cell_of(points[b])]++;
    order_[to] = static_cast<Index>(b);
    for (int a = 0; a != 3; ++a) position_[a][to] = points[b][a];
  }

  view_.words = words_.data();
  view_.cells_before = cells_before_.data();
  view_.begin = begin_.data();
  for (int a = 0; a != 3; ++a) view_.position[a] = position_[a].data();
}

std::size_t CellRuns::bytes() const {
  std::size_t sum = words_.capacity() * sizeof(std::uint64_t) +
                    (cells_before_.capacity() + begin_.capacity() + order_.capacity()) * sizeof(Index);
  for (const auto& position : position_) sum += position.capacity() * sizeof(float);
  return sum;
}

}  // namespace fondue
