#include "shapes/triangle_cells.h"

#include <cmath>

namespace fondue {

TriangleCells::TriangleCells(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
  constexpr double most_cells = 2e6;
  double size = 0;
  for (const Box& box : boxes_) {
    bounds_.add(box);
    size += static_cast<double>(box.size().maxCoeff());
  }
  if (boxes_.empty()) return;
  size = std::max(size / static_cast<double>(boxes_.size()), 1e-6 * static_cast<double>(bounds_.size().maxCoeff()));
  for (;; size *= 1.5) {
    double cells = 1;
    for (int a = 0; a != 3; ++a) cells *= std::floor(static_cast<double>(bounds_.size()[a]) / size) + 1;
    if (cells <= most_cells) break;
  }
  inverse_size_ = static_cast<float>(1 / size);
  for (int a = 0; a != 3; ++a) count_[a] = static_cast<int>(static_cast<double>(bounds_.size()[a]) / size) + 1;
  begins_.assign(cell(count_[0] - 1, count_[1] - 1, count_[2] - 1) + 2, 0);
  const auto each_cell = [&](auto&& visit) {
    for (Index b = 0; b != boxes_.size(); ++b) {
      const Range own = range(boxes_[b]);
      for (int z = own.low[2]; z <= own.high[2]; ++z)
        for (int y = own.low[1]; y <= own.high[1]; ++y)
          for (int x = own.low[0]; x <= own.high[0]; ++x) visit(cell(x, y, z), b);
    }
  };
  each_cell([&](std::size_t c, Index) { ++begins_[c + 1]; });
  for (std::size_t c = 1; c != begins_.size(); ++c) begins_[c] += begins_[c - 1];
  members_.resize(begins_.back());
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  each_cell([&](std::size_t c, Index b) { members_[next[c]++] = b; });
}

}  // namespace fondue
