#pragma once
// Bonds of chosen particles.

#include <vector>

#include "particles/bonds.h"

namespace fondue {

/// Removes all bonds of these particles (by index).
inline void remove_bonds_of(BondSet& bonds, std::span<const Index> which) {
  std::vector<std::uint8_t> marked(bonds.size(), 0);
  for (const Index i : which)
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) marked[b] = 1;
  bonds.remove(marked);
}

}  // namespace fondue
