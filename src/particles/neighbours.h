#pragma once
// Neighbour search: particles i and j are neighbours when r < max(R_i, R_j) (L09 3.4, corrected), i != j.
//
// Two structures give the same list: cells of the largest support, for particles of similar size, and an octree with at most ten
// particles a leaf (P06 4b), for supports that differ widely. Both are pure functions of positions, supports and ids: the order
// of a list does not depend on how particles are stored or on earlier steps, so a resumed run sums in the same order. Memory is
// proportional to the particles, however far one of them is flung.

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// The neighbours of every wanted particle, in one array.
struct NeighbourList {
  std::vector<std::uint64_t> offsets;
  std::vector<Index> indices;

  std::span<const Index> of(std::size_t i) const {
    return {indices.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
  std::size_t bytes() const { return offsets.capacity() * sizeof(offsets[0]) + indices.capacity() * sizeof(indices[0]); }
};

/// What a search looks at. All spans have one entry a particle; ids are unique and give lists their order.
struct PointSet {
  std::span<const Vec3> positions;
  std::span<const float> supports;
  std::span<const Index> ids;
};

/// Reference: compares all pairs.
void find_neighbours_brute_force(const PointSet& points, NeighbourList& list);
void find_neighbours_cells(const PointSet& points, NeighbourList& list);
void find_neighbours_octree(const PointSet& points, NeighbourList& list);
/// Cells, or the octree when the largest support is more than octree_ratio times the median one.
void find_neighbours(const PointSet& points, NeighbourList& list);

inline constexpr float octree_ratio = 3;
inline constexpr int octree_leaf_size = 10;

/// Order of the particles along the cells of the largest support, for keeping neighbours close in memory.
std::vector<Index> cell_order(const PointSet& points);

/// For each query point, the particles closer than its radius (as find_neighbours orders them).
void find_around(const PointSet& points, std::span<const Vec3> queries, float radius, NeighbourList& list);

}  // namespace fondue
