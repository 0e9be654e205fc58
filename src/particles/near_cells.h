#pragma once
// Which places are near some points: the cells of a grid in which they lie, and the cells around those. It contains
// whatever is closer to one of them than the reach, and some that is farther away.

#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "core/vec.h"

namespace fondue {

class NearCells {
 public:
  explicit NearCells(float reach) : cells_per_metre_(1 / reach) {}
  void add(const Vec3& x) {
    if (!own_.insert(key(x, 0, 0, 0)).second) return;
    for (int a = -1; a != 2; ++a)
      for (int b = -1; b != 2; ++b)
        for (int c = -1; c != 2; ++c) all_.insert(key(x, a, b, c));
  }
  bool contains(const Vec3& x) const { return all_.contains(key(x, 0, 0, 0)); }

 private:
  std::uint64_t key(const Vec3& x, int a, int b, int c) const {
    const auto cell = [&](float at, int shift) {
      const auto number = static_cast<std::int64_t>(std::floor(at * cells_per_metre_)) + shift;
      return static_cast<std::uint64_t>(number) & 0x1fffffu;
    };
    return cell(x.x(), a) << 42 | cell(x.y(), b) << 21 | cell(x.z(), c);
  }

  float cells_per_metre_;
  std::unordered_set<std::uint64_t> own_, all_;
};

}  // namespace fondue
