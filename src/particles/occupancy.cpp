#include "particles/occupancy.h"

#include <algorithm>
#include <cmath>

#include "particles/bounds.h"

namespace fondue {

void Occupancy::mark(std::span<const Vec3> points, float cell) {
  words_.clear();
  view_ = {};
  const Box bounds = bounds_of(points);
  if (points.empty() || !bounds.finite() || !(cell > 0)) return;
  const double most = std::max(4096.0, 4.0 * static_cast<double>(points.size()));
  double words;
  do {
    words = 1;
    view_.inverse_cell = 1 / cell;
    for (int a = 0; a != 3; ++a) {
      const double cells = std::floor(static_cast<double>((bounds.max[a] - bounds.min[a]) * view_.inverse_cell)) + 1;
      view_.origin[a] = bounds.min[a];
      view_.count[a] = static_cast<std::int32_t>(std::min(cells, 1e9));
      words *= a == 2 ? std::ceil(cells / 64) : cells;
    }
    view_.words_per_row = (view_.count[2] + 63) / 64;
    cell *= 2;
  } while (words > most);
  words_.assign(static_cast<std::size_t>(words), 0);
  for (const Vec3& x : points) {
    std::size_t at[3];
    for (int a = 0; a != 3; ++a)
      at[a] = std::min(static_cast<std::size_t>((x[a] - view_.origin[a]) * view_.inverse_cell),
                       static_cast<std::size_t>(view_.count[a] - 1));
    words_[(at[0] * static_cast<std::size_t>(view_.count[1]) + at[1]) * static_cast<std::size_t>(view_.words_per_row) +
           at[2] / 64] |= std::uint64_t{1} << at[2] % 64;
  }
  view_.words = words_.data();
}

}  // namespace fondue
