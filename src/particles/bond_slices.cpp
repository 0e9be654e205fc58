#include "particles/bond_slices.h"

#include <algorithm>

#include "core/parallel.h"

namespace fondue {

SliceOrder::SliceOrder(std::span<const BondSet* const> sets, std::span<const Index> object) {
  std::vector<std::vector<Index>> by_object;
  for (Index i = 0; i != object.size(); ++i) {
    const auto bonded = [&](const BondSet* set) { return set->begins()[i] != set->begins()[i + 1]; };
    if (!std::ranges::any_of(sets, bonded)) continue;
    if (object[i] >= by_object.size()) by_object.resize(object[i] + 1);
    by_object[object[i]].push_back(i);
  }
  for (Index o = 0; o != by_object.size(); ++o) {
    if (by_object[o].empty()) continue;
    const Index begin = slices();
    particle.insert(particle.end(), by_object[o].begin(), by_object[o].end());
    particle.resize((particle.size() + width - 1) / width * width, none);
    parts.push_back({o, begin, slices()});
  }
}

BondSlices::BondSlices(const BondSet& set, const SliceOrder& order) {
  constexpr Index width = SliceOrder::width, none = SliceOrder::none;
  std::vector<Index> place(set.particles(), none);
  for (Index p = 0; p != order.places(); ++p)
    if (order.particle[p] != none) place[order.particle[p]] = p;
  begins.assign(order.slices() + 1, 0);
  for (Index s = 0; s != order.slices(); ++s) {
    Index rows = 0;
    for (Index p = width * s; p != width * (s + 1); ++p)
      if (const Index i = order.particle[p]; i != none) rows = std::max(rows, set.begins()[i + 1] - set.begins()[i]);
    begins[s + 1] = begins[s] + rows;
  }
  neighbours.resize(width * begins.back());
  bonds.assign(neighbours.size(), none);
  parallel_for(order.places(), [&](std::size_t at) {
    const Index p = static_cast<Index>(at), i = order.particle[p], s = p / width, lane = p % width;
    Index bond = i == none ? 0 : set.begins()[i];
    const Index end = i == none ? 0 : set.begins()[i + 1];
    for (Index row = begins[s]; row != begins[s + 1]; ++row) {
      const Index entry = width * row + lane;
      neighbours[entry] = bond != end ? place[set.neighbours()[bond]] : p;
      if (bond != end) bonds[entry] = bond++;
    }
  });
}

}  // namespace fondue
