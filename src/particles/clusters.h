#pragma once
// Clusters: pieces of matter whose particles move as one rigid body. Particles belong together where they are bonded in
// a set of its own, so a cluster follows its particles through sorting, deleting, saving and branching, and falls apart
// where bonds are taken away. world/rigid_clusters.h moves them.

#include <span>
#include <string>
#include <vector>

#include "particles/particles.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> rigidity{
    "rigidity", "1", "how strictly it moves as one with what it is bonded to: 0 not at all, 1 wholly", 0, true};
}  // namespace columns

namespace clusters {

inline const std::string bond_set = "rigid";
inline constexpr BondColumn<float> length{"length", "m", "distance when it was made"};

/// Particles that are connected by bonds, by index: pieces of two or more in the order of their smallest ids, each
/// sorted by id.
std::vector<std::vector<Index>> connected(const BondSet& bonds, std::span<const Index> ids);

}  // namespace clusters

}  // namespace fondue
