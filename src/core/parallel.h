#pragma once
// Parallel loops whose results do not depend on the number of threads: each index is written by one thread only, and
// sums are computed in fixed blocks that are added in order.
//
// Every thread begins with a share of its own, the same in every loop of a step, so that what it wrote last is still in
// its cache; when it is through it takes over chunks of the others. So all end at the same time within one chunk, which
// matters where a loop is only a few chunks long.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace fondue {

/// Calls body(c) for every chunk c in [0, chunks).
template <class Body>
void parallel_chunks(std::size_t chunks, Body&& body) {
  constexpr std::size_t most_threads = 128;
  const std::size_t threads =
      std::min({chunks, static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()), most_threads});
  if (threads <= 1) {
    for (std::size_t c = 0; c != chunks; ++c) body(c);
    return;
  }
  struct alignas(64) Share {
    std::atomic<std::size_t> next;
    std::size_t end;
  };
  std::array<Share, most_threads> shares;
  for (std::size_t t = 0; t != threads; ++t) {
    shares[t].next.store(t * chunks / threads, std::memory_order_relaxed);
    shares[t].end = (t + 1) * chunks / threads;
  }
  const auto work = [&](std::size_t own) {
    for (std::size_t k = 0; k != threads; ++k) {
      Share& share = shares[(own + k) % threads];
      for (std::size_t c; (c = share.next.fetch_add(1, std::memory_order_relaxed)) < share.end;) body(c);
    }
  };
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, threads, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t t = range.begin(); t != range.end(); ++t) work(t);
      },
      tbb::simple_partitioner{});
}

/// Calls body(begin, end) for consecutive blocks of [0, count) that are the same for any number of threads.
template <class Body>
void parallel_blocks(std::size_t count, std::size_t block, Body&& body) {
  parallel_chunks((count + block - 1) / block,
                  [&](std::size_t b) { body(b * block, std::min(count, (b + 1) * block)); });
}

/// Calls body(i) for every i in [0, count); a thread takes `grain` of them at a time.
template <class Body>
void parallel_for(std::size_t count, Body&& body, std::size_t grain = 256) {
  parallel_blocks(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i != end; ++i) body(i);
  });
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
