#pragma once
// What both ways of the solve (solve.h) do to vectors: sums over blocks of slots, and velocities shown in records.

#include <vector>

#include "core/parallel.h"
#include "world/solve.h"

namespace fondue {

/// Adds up body(block number) in the order of the blocks.
template <class T, class Body, class Add>
T sum_over_blocks(std::size_t blocks, Body&& body, Add&& add) {
  std::vector<T> parts(blocks);
  parallel_chunks(blocks, [&](std::size_t b) { parts[b] = body(b); });
  T sum{};
  for (const T& part : parts) add(sum, part);
  return sum;
}

inline void add_products(SolveProducts& sum, const SolveProducts& part) {
  sum.residual_image += part.residual_image;
  sum.image_image += part.image_image;
  sum.image_search += part.image_search;
}

inline void show(Record& record, const Vec3& velocity) {
  record.vx = velocity.x();
  record.vy = velocity.y();
  record.vz = velocity.z();
}

inline Vec3 velocity_of(const Record& record) { return {record.vx, record.vy, record.vz}; }

}  // namespace fondue
