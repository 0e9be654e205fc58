#include "particles/bond_slices.h"

#include <algorithm>

#include "core/parallel.h"

namespace fondue {

namespace {

constexpr Index slice_width = SliceOrder::width, no_place = SliceOrder::none;

/// Rows of the other kind take about this many times as long as aligned ones.
constexpr double cost_of_unaligned_rows = 2.5;

/// The bonds of a slice that are not in a row yet: the first and the end of each lane.
struct LanesOfBonds {
  const BondSet& set;
  const std::vector<Index>& place;
  Index first, next[slice_width], end[slice_width];

  LanesOfBonds(const BondSet& bonds, const SliceOrder& order, const std::vector<Index>& places, Index slice)
      : set(bonds), place(places), first(slice_width * slice) {
    for (Index lane = 0; lane != slice_width; ++lane) {
      const Index i = order.particle[first + lane];
      next[lane] = i == no_place ? 0 : set.begins()[i];
      end[lane] = i == no_place ? 0 : set.begins()[i + 1];
    }
  }
  std::int32_t offset(Index lane) const {
    return static_cast<std::int32_t>(place[set.neighbours()[next[lane]]]) - static_cast<std::int32_t>(first + lane);
  }
  bool left(Index lane) const { return next[lane] != end[lane]; }
  /// The least offset of the next bonds; false: there is none.
  bool least(std::int32_t& least) const {
    bool any = false;
    for (Index lane = 0; lane != slice_width; ++lane) {
      if (!left(lane) || (any && offset(lane) >= least)) continue;
      least = offset(lane);
      any = true;
    }
    return any;
  }
  Index longest() const {
    Index rows = 0;
    for (Index lane = 0; lane != slice_width; ++lane) rows = std::max(rows, end[lane] - next[lane]);
    return rows;
  }
};

Index count_aligned(LanesOfBonds lanes) {
  Index rows = 0;
  for (std::int32_t offset = 0; lanes.least(offset); ++rows)
    for (Index lane = 0; lane != slice_width; ++lane)
      if (lanes.left(lane) && lanes.offset(lane) == offset) ++lanes.next[lane];
  return rows;
}

}  // namespace

SliceOrder::SliceOrder(std::span<const BondSet* const> sets, std::span<const Index> object, std::span<const Index> id) {
  std::vector<std::vector<Index>> by_object;
  for (Index i = 0; i != object.size(); ++i) {
    const auto bonded = [&](const BondSet* set) { return set->begins()[i] != set->begins()[i + 1]; };
    if (!std::ranges::any_of(sets, bonded)) continue;
    if (object[i] >= by_object.size()) by_object.resize(object[i] + 1);
    by_object[object[i]].push_back(i);
  }
  for (Index o = 0; o != by_object.size(); ++o) {
    if (by_object[o].empty()) continue;
    std::ranges::sort(by_object[o], {}, [&](Index i) { return id[i]; });
    particle.resize(particle.size() + width, none);
    const Index begin = slices();
    particle.insert(particle.end(), by_object[o].begin(), by_object[o].end());
    particle.resize((particle.size() + width - 1) / width * width, none);
    parts.push_back({o, begin, slices()});
  }
  if (!parts.empty()) particle.resize(particle.size() + width, none);
}

BondSlices::BondSlices(const BondSet& set, const SliceOrder& order) : aligned(order.slices(), 0) {
  constexpr Index width = slice_width, none = no_place;
  std::vector<Index> place(set.particles(), none);
  for (Index p = 0; p != order.places(); ++p)
    if (order.particle[p] != none) place[order.particle[p]] = p;

  // Rows of every slice, of both kinds; an object takes the faster one.
  std::vector<Index> rows(order.slices(), 0), rows_if_aligned(order.slices(), 0);
  parallel_for(order.slices(), [&](std::size_t s) {
    const LanesOfBonds lanes(set, order, place, static_cast<Index>(s));
    rows[s] = lanes.longest();
    rows_if_aligned[s] = count_aligned(lanes);
  });
  for (const SliceOrder::Part& part : order.parts) {
    double all = 0, all_if_aligned = 0;
    for (Index s = part.begin; s != part.end; ++s) {
      all += rows[s];
      all_if_aligned += rows_if_aligned[s];
    }
    // What has no bonds counts as aligned: nothing is listed for it.
    if (all_if_aligned > cost_of_unaligned_rows * all) continue;
    std::fill(aligned.begin() + part.begin, aligned.begin() + part.end, std::uint8_t{1});
    std::copy(rows_if_aligned.begin() + part.begin, rows_if_aligned.begin() + part.end, rows.begin() + part.begin);
  }
  begins.assign(order.slices() + 1, 0);
  for (Index s = 0; s != order.slices(); ++s) begins[s + 1] = begins[s] + rows[s];

  neighbours.resize(width * begins.back());
  bonds.assign(neighbours.size(), none);
  offsets.assign(begins.back(), 0);
  parallel_for(order.slices(), [&](std::size_t at) {
    const Index s = static_cast<Index>(at);
    LanesOfBonds lanes(set, order, place, s);
    for (Index row = begins[s]; row != begins[s + 1]; ++row) {
      std::int32_t offset = 0;
      if (aligned[s]) lanes.least(offset);
      offsets[row] = offset;
      for (Index lane = 0; lane != width; ++lane) {
        const Index entry = width * row + lane, p = width * s + lane;
        const bool bonded = lanes.left(lane) && (!aligned[s] || lanes.offset(lane) == offset);
        neighbours[entry] = static_cast<Index>(static_cast<std::int32_t>(p) + offset);
        if (!bonded) continue;
        neighbours[entry] = place[set.neighbours()[lanes.next[lane]]];
        bonds[entry] = lanes.next[lane]++;
      }
    }
  });
}

bool BondSlices::any_unaligned() const {
  for (std::size_t s = 0; s != aligned.size(); ++s)
    if (!aligned[s] && begins[s] != begins[s + 1]) return true;
  return false;
}

}  // namespace fondue
