#pragma once
// The box around points.

#include <span>
#include <vector>

#include "core/parallel.h"
#include "core/vec.h"

namespace fondue {

/// The coordinates of this many points are looked at side by side.
inline constexpr std::size_t points_side_by_side = 4;

/// Of a few points, on one thread.
inline Box box_around(std::span<const Vec3> points) {
  constexpr std::size_t lanes = 3 * points_side_by_side;
  float low[lanes], high[lanes];
  std::fill_n(low, lanes, infinity);
  std::fill_n(high, lanes, -infinity);
  const auto add = [&](const float* x, std::size_t count) {
    for (std::size_t k = 0; k != count; ++k) {
      low[k] = std::min(low[k], x[k]);
      high[k] = std::max(high[k], x[k]);
    }
  };
  const std::size_t rest = points.size() % points_side_by_side, whole = points.size() - rest;
  for (std::size_t i = 0; i != whole; i += points_side_by_side) add(points[i].data(), lanes);
  if (rest != 0) add(points[whole].data(), 3 * rest);
  Box box;
  for (std::size_t k = 0; k != lanes; k += 3) {
    box.min = box.min.cwiseMin(Vec3(low[k], low[k + 1], low[k + 2]));
    box.max = box.max.cwiseMax(Vec3(high[k], high[k + 1], high[k + 2]));
  }
  return box;
}

/// All boxes of box_of(begin, end) over blocks of [0, count).
template <class BoxOf>
Box join_boxes(std::size_t count, BoxOf&& box_of) {
  constexpr std::size_t block = 8192;
  std::vector<Box> parts((count + block - 1) / block);
  parallel_blocks(count, block, [&](std::size_t begin, std::size_t end) { parts[begin / block] = box_of(begin, end); });
  Box all;
  for (const Box& part : parts) all.add(part);
  return all;
}

/// Of the points point(0) to point(count - 1); empty if there are none.
template <class Point>
Box bounds_of(std::size_t count, Point&& point) {
  return join_boxes(count, [&](std::size_t begin, std::size_t end) -> Box {
    // Six numbers in registers; a Box would be stored with every point.
    float low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
    for (std::size_t i = begin; i != end; ++i) {
      const Vec3& x = point(i);
      for (int a = 0; a != 3; ++a) {
        low[a] = std::min(low[a], x[a]);
        high[a] = std::max(high[a], x[a]);
      }
    }
    return {Vec3(low[0], low[1], low[2]), Vec3(high[0], high[1], high[2])};
  });
}

inline Box bounds_of(std::span<const Vec3> points) {
  return join_boxes(points.size(),
                    [&](std::size_t begin, std::size_t end) { return box_around(points.subspan(begin, end - begin)); });
}

}  // namespace fondue
