#pragma once
// Boxes sorted into cells of one size, to find those that meet another box. Cells are about as large as the boxes, so a
// query looks at a few of them; every box is visited once per query, in an order that depends on the boxes only.

#include <algorithm>
#include <vector>

#include "core/vec.h"

namespace fondue {

class TriangleCells {
 public:
  TriangleCells() = default;
  explicit TriangleCells(std::vector<Box> boxes);

  const Box& bounds() const { return bounds_; }

  template <class Visit>
  void each(const Box& box, Visit&& visit) const {
    if (boxes_.empty() || !meet(box, bounds_)) return;
    const Range query = range(box);
    for (int z = query.low[2]; z <= query.high[2]; ++z)
      for (int y = query.low[1]; y <= query.high[1]; ++y)
        for (int x = query.low[0]; x <= query.high[0]; ++x) {
          const std::size_t c = cell(x, y, z);
          for (Index k = begins_[c]; k != begins_[c + 1]; ++k) {
            const Box& other = boxes_[members_[k]];
            if (!meet(box, other)) continue;
            // A box lies in several cells: it is visited in the first that both have.
            const Range own = range(other);
            if (x == std::max(own.low[0], query.low[0]) && y == std::max(own.low[1], query.low[1]) &&
                z == std::max(own.low[2], query.low[2]))
              visit(members_[k]);
          }
        }
  }

 private:
  struct Range {
    int low[3], high[3];
  };
  static bool meet(const Box& a, const Box& b) {
    return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
  }
  Range range(const Box& box) const {
    Range result;
    for (int a = 0; a != 3; ++a) {
      const auto at = [&](float x) {
        return static_cast<int>(
            std::clamp((x - bounds_.min[a]) * inverse_size_, 0.0f, static_cast<float>(count_[a] - 1)));
      };
      result.low[a] = at(box.min[a]);
      result.high[a] = at(box.max[a]);
    }
    return result;
  }
  std::size_t cell(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(x);
  }

  std::vector<Box> boxes_;
  Box bounds_;
  float inverse_size_ = 1;
  int count_[3] = {1, 1, 1};
  std::vector<Index> begins_, members_;
};

}  // namespace fondue
