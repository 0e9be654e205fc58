#pragma once
// Which particles of a body are still bonded to each other: what its carried mesh tears along.

#include <algorithm>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct BodyLinks {
  /// By particle: those it is bonded to, ascending. Every link is listed from both ends.
  std::vector<Index> begins{0}, others;

  std::span<const Index> of(Index i) const { return {others.data() + begins[i], others.data() + begins[i + 1]}; }
  bool direct(Index a, Index b) const { return std::ranges::binary_search(of(a), b); }
  /// How many are bonded to both; counted up to `enough`.
  Index common(Index a, Index b, Index enough) const {
    const auto x = of(a), y = of(b);
    Index count = 0;
    for (std::size_t k = 0, l = 0; k != x.size() && l != y.size() && count != enough;) {
      if (x[k] == y[l]) ++count;
      const bool first = x[k] <= y[l], second = y[l] <= x[k];
      k += first;
      l += second;
    }
    return count;
  }
  /// No crack runs between two neighbours. A single broken bond is not a crack: others still hold them together.
  bool hold(Index a, Index b) const { return a == b || direct(a, b) || common(a, b, 3) == 3; }
  /// They are on the same side of all cracks around.
  bool same_side(Index a, Index b) const { return a == b || direct(a, b) || common(a, b, 1) == 1; }
};

}  // namespace fondue
