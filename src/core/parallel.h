#pragma once
// Parallel loops whose results do not depend on the number of threads: each index is written by one thread only, and
// sums are computed in fixed blocks that are added in order.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace fondue {

/// Calls body(i) for every i in [0, count).
template <class Body>
void parallel_for(std::size_t count, Body&& body, std::size_t grain = 256) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                    });
}

/// Calls body(begin, end) for consecutive blocks of [0, count) that are the same for any number of threads.
template <class Body>
void parallel_blocks(std::size_t count, std::size_t block, Body&& body) {
  const std::size_t blocks = (count + block - 1) / block;
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) { body(b * block, std::min(count, (b + 1) * block)); });
}

/// Combines value(i) over [0, count) in a fixed order: combine(combine(identity, value(0)), value(1)) ... by blocks.
template <class T, class Value, class Combine>
T parallel_reduce(std::size_t count, T identity, Value&& value, Combine&& combine) {
  constexpr std::size_t block = 1024;
  std::vector<T> partial((count + block - 1) / block, identity);
  parallel_blocks(count, block, [&](std::size_t begin, std::size_t end) {
    T sum = identity;
    for (std::size_t i = begin; i != end; ++i) sum = combine(std::move(sum), value(i));
    partial[begin / block] = std::move(sum);
  });
  T total = std::move(identity);
  for (T& part : partial) total = combine(std::move(total), std::move(part));
  return total;
}

}  // namespace fondue
