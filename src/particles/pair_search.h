#pragma once
// What the search structures share: the test of a pair, and the making of lists from candidates. A structure sorts the
// particles, cuts that order into short groups of particles in one place, and names the candidates of a group; each
// particle of the group is then compared with all of them, first to count, then to fill its part of the list.

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/parallel.h"
#include "particles/neighbours.h"

namespace fondue {

/// Points in the order of a structure, one array a quantity so that the comparison runs four or eight wide.
struct SortedPoints {
  std::vector<float> x, y, z;
  /// Support, squared.
  std::vector<float> R2;
  /// Where they are in the PointSet.
  std::vector<Index> index;

  std::size_t size() const { return index.size(); }
  void resize(std::size_t size);
  void set(std::size_t at, const Vec3& position, float support, Index from);
  void clear() { resize(0); }
  void append(const SortedPoints& points, std::size_t begin, std::size_t end);
};

/// r^2 < max(R_i, R_j)^2. The same for (i, j) and (j, i), and rounded the same way wherever it is evaluated.
inline bool in_reach(float dx, float dy, float dz, float R2_i, float R2_j) {
  return dx * dx + dy * dy + dz * dz < (R2_i > R2_j ? R2_i : R2_j);
}

/// One particle (or query point) that looks for neighbours among candidates.
struct Seeker {
  float x, y, z, R2;
  /// Index it must not find: itself.
  Index self;
};

std::size_t count_in_reach(const Seeker& seeker, const SortedPoints& candidates);
/// What one thread works in: an entry for each candidate.
struct SearchRoom {
  std::vector<Index> near, found;
};
/// Writes the candidates in reach, in their order.
void copy_in_reach(const Seeker& seeker, const SortedPoints& candidates, SearchRoom& room, Index* to);

inline constexpr Index no_particle = 0xffffffff;

/// Makes the lists of all seekers; only those for whose index seeks() is true get one that is not empty. Group g is the
/// seekers from group_begin[g] to group_begin[g + 1]. make_gather() gives a function gather(g, candidates) for a run of
/// increasing g. A list is numbered by its seeker's index; with skip_self a seeker does not find the candidate of its
/// own index.
template <class Seeks, class MakeGather>
void make_lists(const SortedPoints& seekers, std::span<const Index> group_begin, bool skip_self, const Seeks& seeks,
                const MakeGather& make_gather, NeighbourList& list) {
  const auto for_all = [&](const auto& visit) {
    constexpr std::size_t groups_at_once = 64;
    parallel_blocks(group_begin.size() - 1, groups_at_once, [&](std::size_t first, std::size_t last) {
      auto gather = make_gather();
      SortedPoints candidates;
      SearchRoom room;
      for (std::size_t g = first; g != last; ++g) {
        const auto group = std::span(seekers.index).subspan(group_begin[g], group_begin[g + 1] - group_begin[g]);
        if (std::ranges::none_of(group, seeks)) continue;
        candidates.clear();
        gather(g, candidates);
        for (Index a = group_begin[g]; a != group_begin[g + 1]; ++a) {
          if (!seeks(seekers.index[a])) continue;
          const Index self = skip_self ? seekers.index[a] : no_particle;
          visit(Seeker{seekers.x[a], seekers.y[a], seekers.z[a], seekers.R2[a], self}, seekers.index[a], candidates,
                room);
        }
      }
    });
  };
  list.offsets.assign(seekers.size() + 1, 0);
  for_all([&](const Seeker& seeker, Index number, const SortedPoints& candidates, SearchRoom&) {
    list.offsets[number + 1] = count_in_reach(seeker, candidates);
  });
  std::partial_sum(list.offsets.begin(), list.offsets.end(), list.offsets.begin());
  list.resize_to_offsets();
  for_all([&](const Seeker& seeker, Index number, const SortedPoints& candidates, SearchRoom& room) {
    copy_in_reach(seeker, candidates, room, list.indices.data() + list.offsets[number]);
  });
}

}  // namespace fondue
