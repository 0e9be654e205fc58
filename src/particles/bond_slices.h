#pragma once
// Bonds laid out for loops that pass over them many times. Some particles are put into an order of their own, by object
// and then by id; the place in it is theirs while neither bonds nor particles change. Eight places make a slice, and
// bonds of its particles lie side by side in rows (sliced ELLPACK, Monakov et al. 2010):
//
//   for (Index row = slices.begins[s]; row != slices.begins[s + 1]; ++row)
//     entry 8 row + lane:   the place of the neighbour, the bond in the set
//
// Where particles were filled in on a lattice, those side by side mostly have their neighbours side by side too. In a
// slice of aligned rows every row has one offset from a place to that of its neighbour, so that what loops read of
// neighbours lies in one piece; a particle without a bond of that offset leaves its lane empty. Slices of other rows
// hold the k-th bonds of their particles in row k. An object has slices of the kind that is faster for it.
//
// Every object begins with a new slice, and an empty slice precedes each and follows the last: an empty lane of an
// aligned row may look there. Entries without a bond have no effect if their values in arrays over entries are zero. A
// particle's bonds are in the order of ids, so sums along the rows do not depend on how particles are stored.

#include <vector>

#include "particles/bonds.h"

namespace fondue {

struct SliceOrder {
  static constexpr Index width = 8, none = ColumnSet::no_row;
  /// The slices of one object.
  struct Part {
    Index object, begin, end;
  };

  /// Particle of every place, or none.
  std::vector<Index> particle;
  std::vector<Part> parts;

  Index places() const { return static_cast<Index>(particle.size()); }
  Index slices() const { return places() / width; }

  /// Particles that have a bond in one of the sets.
  SliceOrder() = default;
  SliceOrder(std::span<const BondSet* const> sets, std::span<const Index> object, std::span<const Index> id);
};

struct BondSlices {
  /// First row of every slice; neighbour (a place) and directed bond (or SliceOrder::none) of every entry.
  std::vector<Index> begins, neighbours, bonds;
  /// By slice: whether its rows are aligned; by row, of aligned rows: place of the neighbour minus place.
  std::vector<std::uint8_t> aligned;
  std::vector<std::int32_t> offsets;

  BondSlices() = default;
  BondSlices(const BondSet& set, const SliceOrder& order);
  Index entries() const { return static_cast<Index>(neighbours.size()); }
  bool any_unaligned() const;
};

}  // namespace fondue
