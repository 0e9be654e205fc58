#pragma once
// The box around points.

#include <span>
#include <vector>

#include "core/parallel.h"
#include "core/vec.h"

namespace fondue {

/// Of the points point(0) to point(count - 1); empty if there are none.
template <class Point>
Box bounds_of(std::size_t count, Point&& point) {
  constexpr std::size_t block = 8192;
  std::vector<Box> parts((count + block - 1) / block);
  parallel_blocks(count, block, [&](std::size_t begin, std::size_t end) {
    // Six numbers in registers; a Box would be stored with every point.
    float low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
    for (std::size_t i = begin; i != end; ++i) {
      const Vec3& x = point(i);
      for (int a = 0; a != 3; ++a) {
        low[a] = std::min(low[a], x[a]);
        high[a] = std::max(high[a], x[a]);
      }
    }
    parts[begin / block] = {Vec3(low[0], low[1], low[2]), Vec3(high[0], high[1], high[2])};
  });
  Box all;
  for (const Box& part : parts) all.add(part);
  return all;
}

inline Box bounds_of(std::span<const Vec3> points) {
  return bounds_of(points.size(), [&](std::size_t i) -> const Vec3& { return points[i]; });
}

}  // namespace fondue
