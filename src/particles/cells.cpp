// Cells of the largest support. Particles are sorted by the cell they are in and then by id; the cells are those of a
// grid that starts at the origin of the world, so the order depends on nothing else. Only occupied cells are kept,
// sorted by z, y, x: the three cells next to each other along x are then one run, and the candidates of a cell are nine
// runs.
//
// Cell coordinates are computed in double precision from a cell 1e-6 wider than the largest support, which is more than
// rounding can move a neighbour at r = R. They are clamped to 21 bits: clamping never moves two particles further
// apart, so neighbours are still in adjacent cells out there. The clamp lies 2^20 supports from the origin, where the
// positions themselves are only right to a sixteenth of a support.

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "particles/neighbours.h"
#include "particles/pair_search.h"

namespace fondue {

namespace {

/// Cells with more particles are cut into pieces, so that a crowd in one cell is still shared out to the threads.
constexpr std::size_t longest_piece = 64;
constexpr int coordinate_bits = 21;
constexpr std::int64_t coordinate_count = std::int64_t{1} << coordinate_bits;

/// z, y, x from high to low bits, so that keys sort as cells are ordered.
using CellKey = std::uint64_t;

struct CellCoordinates {
  std::int64_t x, y, z;
  CellKey key() const { return CellKey(z) << (2 * coordinate_bits) | CellKey(y) << coordinate_bits | CellKey(x); }
};

CellCoordinates coordinates_of(CellKey key) {
  constexpr CellKey mask = coordinate_count - 1;
  return {std::int64_t(key & mask), std::int64_t(key >> coordinate_bits & mask),
          std::int64_t(key >> (2 * coordinate_bits))};
}

/// Occupied cells and the particles in them.
class CellGrid {
 public:
  CellGrid(const PointSet& points, float reach) : cells_per_metre_(reach > 0 ? 1 / (reach * (1 + 1e-6)) : 1) {
    struct Entry {
      CellKey key;
      Index id, index;
    };
    std::vector<Entry> entries(points.positions.size());
    parallel_for(entries.size(), [&](std::size_t i) {
      entries[i] = {cell_of(points.positions[i]).key(), points.ids[i], Index(i)};
    });
    tbb::parallel_sort(entries.begin(), entries.end(),
                       [](const Entry& a, const Entry& b) { return a.key < b.key || (a.key == b.key && a.id < b.id); });
    sorted_.resize(entries.size());
    parallel_for(entries.size(), [&](std::size_t a) {
      const Index i = entries[a].index;
      sorted_.set(a, points.positions[i], points.supports[i], i);
    });
    for (std::size_t a = 0; a != entries.size(); ++a) {
      if (keys_.empty() || keys_.back() != entries[a].key || a - begin_.back() == longest_piece) {
        keys_.push_back(entries[a].key);
        begin_.push_back(Index(a));
      }
    }
    begin_.push_back(Index(entries.size()));
  }

  CellCoordinates cell_of(const Vec3& x) const {
    const auto coordinate = [&](float at) {
      constexpr double half = double(coordinate_count / 2);
      const double cell = std::floor(at * cells_per_metre_);
      // What is not a number compares false and goes to the first cell.
      return cell > -half ? std::int64_t(std::min(cell, half - 1) + half) : 0;
    };
    return {coordinate(x.x()), coordinate(x.y()), coordinate(x.z())};
  }

  const SortedPoints& sorted() const { return sorted_; }
  /// Pieces of one cell have the same key and follow each other.
  std::span<const CellKey> keys() const { return keys_; }
  /// Where the particles of each piece begin, and where the last ends.
  std::span<const Index> begin() const { return begin_; }

 private:
  double cells_per_metre_;
  SortedPoints sorted_;
  std::vector<CellKey> keys_;
  std::vector<Index> begin_;
};

/// Gathers the particles of the 27 cells around one cell after another. Cells must come in increasing order: then the
/// starts of the nine runs only move forward, and finding them is nearly free.
class CellWalker {
 public:
  explicit CellWalker(const CellGrid& grid) : grid_(grid) {}

  void gather(const CellCoordinates& cell, SortedPoints& candidates) {
    const auto keys = grid_.keys();
    for (int run = 0; run != 9; ++run) {
      const std::int64_t y = cell.y + run % 3 - 1, z = cell.z + run / 3 - 1;
      if (std::min(y, z) < 0 || std::max(y, z) >= coordinate_count) continue;
      const CellKey first = CellCoordinates{std::max<std::int64_t>(cell.x - 1, 0), y, z}.key();
      const CellKey last = CellCoordinates{std::min(cell.x + 1, coordinate_count - 1), y, z}.key();
      std::size_t& start = starts_[run];
      if (start == unknown) start = std::ranges::lower_bound(keys, first) - keys.begin();
      while (start != keys.size() && keys[start] < first) ++start;
      std::size_t end = start;
      while (end != keys.size() && keys[end] <= last) ++end;
      candidates.append(grid_.sorted(), grid_.begin()[start], grid_.begin()[end]);
    }
  }

 private:
  static constexpr std::size_t unknown = ~std::size_t{0};
  const CellGrid& grid_;
  std::array<std::size_t, 9> starts_ = {unknown, unknown, unknown, unknown, unknown,
                                        unknown, unknown, unknown, unknown};
};

float largest_support(const PointSet& points) {
  return points.supports.empty() ? 0 : *std::ranges::max_element(points.supports);
}

}  // namespace

void find_neighbours_cells(const PointSet& points, NeighbourList& list) {
  const CellGrid grid(points, largest_support(points));
  const auto make_gather = [&] {
    return [&grid, walker = CellWalker(grid)](std::size_t cell, SortedPoints& candidates) mutable {
      walker.gather(coordinates_of(grid.keys()[cell]), candidates);
    };
  };
  make_lists(
      grid.sorted(), grid.begin(), true, [&](Index i) { return points.seeks(i); }, make_gather, list);
}

std::vector<Index> cell_order(const PointSet& points) {
  return CellGrid(points, largest_support(points)).sorted().index;
}

void find_around(const PointSet& points, std::span<const Vec3> queries, float radius, NeighbourList& list) {
  // Only the radius of the query counts.
  const std::vector<float> no_supports(points.positions.size(), 0.0f);
  const CellGrid grid({points.positions, no_supports, points.ids}, radius);
  SortedPoints seekers;
  seekers.resize(queries.size());
  std::vector<Index> each(queries.size() + 1);
  parallel_for(queries.size(), [&](std::size_t q) { seekers.set(q, queries[q], radius, Index(q)); });
  std::iota(each.begin(), each.end(), Index{0});
  const auto make_gather = [&] {
    return [&](std::size_t query, SortedPoints& candidates) {
      CellWalker(grid).gather(grid.cell_of(queries[query]), candidates);
    };
  };
  make_lists(
      seekers, each, false, [](Index) { return true; }, make_gather, list);
}

}  // namespace fondue
