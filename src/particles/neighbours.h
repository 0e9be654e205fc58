#pragma once
// Neighbour search: particles i and j are neighbours when r < max(R_i, R_j) (L09 3.4, corrected), i != j. A particle
// with support 0 sees and is seen through the other's support only.
//
// Two structures find the same neighbours: cells of the largest support, for particles of similar size, and an octree
// with at most ten particles a leaf (P06 4b), for supports that differ widely. Both are pure functions of positions,
// supports and ids: the order of a list does not depend on how particles are stored or on earlier steps, so a resumed
// run sums in the same order. Memory is proportional to the particles and their neighbours, however far one of them is
// flung.
//
// Distances are compared in single precision, squared: r is right to 2e-7 of itself for supports of 1e-15 to 1e15 m.

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// The neighbours of every particle (or query point), in one array.
struct NeighbourList {
  std::vector<std::uint64_t> offsets;
  std::vector<Index> indices;

  std::span<const Index> of(std::size_t i) const {
    return {indices.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
  /// Makes room for as many indices as the offsets say; what was in them is lost.
  void resize_to_offsets();
  std::size_t bytes() const {
    return offsets.capacity() * sizeof(offsets[0]) + indices.capacity() * sizeof(indices[0]);
  }
};

/// What a search looks at. All spans have one entry per particle; ids are unique and give lists their order.
struct PointSet {
  std::span<const Vec3> positions;
  std::span<const float> supports;
  std::span<const Index> ids;
  /// Non-zero for those that get a list (the others are only found); empty: all do.
  std::span<const std::uint8_t> seeking = {};

  bool seeks(std::size_t i) const { return seeking.empty() || seeking[i] != 0; }
};

/// Reference: compares all pairs; lists are in the order of ids.
void find_neighbours_brute_force(const PointSet& points, NeighbourList& list);
/// Lists are in the order of the cells (by z, then y, then x, of a grid that starts at the origin), then of ids.
void find_neighbours_cells(const PointSet& points, NeighbourList& list);
/// Lists are in the order of the leaves, then of ids.
void find_neighbours_octree(const PointSet& points, NeighbourList& list);
/// Cells, or the octree when the largest support is more than octree_ratio times the median of those above zero.
void find_neighbours(const PointSet& points, NeighbourList& list);

inline constexpr float octree_ratio = 3;
inline constexpr int octree_leaf_size = 10;

/// Order of the particles along the cells of the largest support, for keeping neighbours close in memory.
std::vector<Index> cell_order(const PointSet& points);

/// For each query point, the particles closer than the radius, whatever their supports; in the order of cells of the
/// radius, then of ids.
void find_around(const PointSet& points, std::span<const Vec3> queries, float radius, NeighbourList& list);

}  // namespace fondue
