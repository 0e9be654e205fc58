#pragma once
// The box around points.

#include <span>
#include <vector>

#include "core/parallel.h"
#include "core/vec.h"

namespace fondue {

/// Empty if there are none.
inline Box bounds_of(std::span<const Vec3> points) {
  constexpr std::size_t block = 4096;
  std::vector<Box> parts((points.size() + block - 1) / block);
  parallel_blocks(points.size(), block, [&](std::size_t begin, std::size_t end) {
    // Six numbers in registers; a Box would be stored with every point.
    float low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
    for (std::size_t i = begin; i != end; ++i)
      for (int a = 0; a != 3; ++a) {
        low[a] = std::min(low[a], points[i][a]);
        high[a] = std::max(high[a], points[i][a]);
      }
    parts[begin / block] = {Vec3(low[0], low[1], low[2]), Vec3(high[0], high[1], high[2])};
  });
  Box all;
  for (const Box& part : parts) all.add(part);
  return all;
}

}  // namespace fondue
