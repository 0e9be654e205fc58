#pragma once
// Bonds laid out for loops that pass over them many times. Some particles are put into an order of their own, by object
// and then as they are stored; the place in it is theirs while neither bonds nor particles change. Eight places make a
// slice, and the k-th bonds of its particles lie side by side in row k (sliced ELLPACK, Monakov et al. 2010):
//
//   for (Index row = slices.begins[s]; row != slices.begins[s + 1]; ++row)
//     entry 8 row + lane:   the place of the neighbour, the bond in the set
//
// Every object begins with a new slice. Places without a particle, and rows that a particle does not need, have
// themselves as neighbour and no bond: their values in arrays over entries must be zero. A particle's bonds keep their
// order by id, so sums along the rows do not depend on the order of places.

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
  SliceOrder(std::span<const BondSet* const> sets, std::span<const Index> object);
};

struct BondSlices {
  /// First row of every slice; neighbour (a place) and directed bond (or SliceOrder::none) of every entry.
  std::vector<Index> begins, neighbours, bonds;

  BondSlices() = default;
  BondSlices(const BondSet& set, const SliceOrder& order);
  Index entries() const { return static_cast<Index>(neighbours.size()); }
};

}  // namespace fondue
