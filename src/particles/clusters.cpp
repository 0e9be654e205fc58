#include "particles/clusters.h"

#include <algorithm>
#include <numeric>

namespace fondue::clusters {

std::vector<std::vector<Index>> connected(const BondSet& bonds, std::span<const Index> ids) {
  std::vector<Index> parent(ids.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  // The root of a piece is its particle with the smallest id.
  for (Index i = 0; i != bonds.particles(); ++i)
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
      const Index one = root(i), other = root(bonds.neighbours()[b]);
      if (one != other) (ids[one] < ids[other] ? parent[other] : parent[one]) = ids[one] < ids[other] ? one : other;
    }
  std::vector<Index> bonded;
  for (Index i = 0; i != bonds.particles(); ++i)
    if (bonds.begins()[i] != bonds.begins()[i + 1]) bonded.push_back(i);
  std::ranges::sort(bonded, {}, [&](Index i) { return ids[i]; });
  constexpr Index none = 0xffffffff;
  std::vector<Index> place(ids.size(), none);
  std::vector<std::vector<Index>> pieces;
  for (const Index i : bonded) {
    Index& piece = place[root(i)];
    if (piece == none) {
      piece = static_cast<Index>(pieces.size());
      pieces.emplace_back();
    }
    pieces[piece].push_back(i);
  }
  return pieces;
}

}  // namespace fondue::clusters
