#include "particles/bonds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// Stands for a particle or a bond that does not exist.
constexpr Index none = ColumnSet::no_row;

/// Turns the lengths of lists in begins[1], begins[2] ... into where they begin.
void add_up(std::vector<Index>& begins) {
  std::uint64_t sum = 0;
  for (Index& begin : begins) {
    sum += begin;
    if (sum >= none) throw SimulationError(fmt::format("there are more than {} bonds in a set", none));
    begin = static_cast<Index>(sum);
  }
}

void check_count(std::string_view what, std::size_t count, std::size_t expected) {
  if (count != expected) throw SimulationError(fmt::format("{} {} where {} are needed", count, what, expected));
}

/// Both directions of every pair, sorted by the first particle and then by the id of the second.
std::vector<BondSet::Pair> directed(std::span<const BondSet::Pair> pairs, std::span<const Index> ids) {
  std::vector<BondSet::Pair> both;
  both.reserve(2 * pairs.size());
  for (const auto& [i, j] : pairs) {
    if (std::max(i, j) >= ids.size())
      throw SimulationError(fmt::format("cannot bond particles {} and {}: there are {}", i, j, ids.size()));
    if (i == j) throw SimulationError(fmt::format("cannot bond the particle with id {} to itself", ids[i]));
    both.push_back({i, j});
    both.push_back({j, i});
  }
  std::ranges::sort(both, {}, [&](const BondSet::Pair& pair) { return BondSet::Pair{pair[0], ids[pair[1]]}; });
  return both;
}

}  // namespace

std::size_t BondSet::bytes() const {
  return sizeof(Index) * (begins_.size() + neighbours_.size() + reverses_.size()) + size() * columns_.bytes_per_row();
}

std::vector<Index> BondSet::add(std::span<const Pair> pairs, std::span<const Index> ids) {
  check_count("ids", ids.size(), particles());
  const std::vector<Pair> added = directed(pairs, ids);
  std::vector<Index> begins(begins_.size(), 0);
  for (const Pair& pair : added) ++begins[pair[0] + 1];
  for (Index i = 0; i != particles(); ++i) begins[i + 1] += begins_[i + 1] - begins_[i];
  add_up(begins);

  // Merge the list of every particle with its new bonds. Those of particle i follow all that particles before it got.
  std::vector<Index> neighbours(begins.back()), source(begins.back());
  parallel_for(particles(), [&](std::size_t i) {
    Index old = begins_[i];
    const Pair* fresh = added.data() + (begins[i] - begins_[i]);
    const Pair* last = added.data() + (begins[i + 1] - begins_[i + 1]);
    for (Index b = begins[i]; b != begins[i + 1]; ++b) {
      const bool take_old = fresh == last || (old != begins_[i + 1] && ids[neighbours_[old]] < ids[(*fresh)[1]]);
      source[b] = take_old ? old : none;
      neighbours[b] = take_old ? neighbours_[old++] : (*fresh++)[1];
    }
  });
  for (Index i = 0; i != particles(); ++i) {
    for (Index b = begins[i] + 1; b < begins[i + 1]; ++b) {
      if (neighbours[b] != neighbours[b - 1]) continue;
      throw SimulationError(
          fmt::format("the particles with ids {} and {} would be bonded twice", ids[i], ids[neighbours[b]]));
    }
  }
  begins_ = std::move(begins);
  neighbours_ = std::move(neighbours);
  columns_.gather(source);
  find_reverses(ids);
  std::vector<Index> bonds(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t p) { bonds[p] = find(pairs[p][0], pairs[p][1], ids); });
  return bonds;
}

void BondSet::remove(std::span<const std::uint8_t> marked) {
  check_count("marks", marked.size(), size());
  std::vector<Index> order(particles());
  std::iota(order.begin(), order.end(), Index{0});
  select(order, marked);
}

void BondSet::restore(std::vector<Index> begins, std::vector<Index> neighbours, std::span<const Index> ids) {
  const auto wrong = [](const std::string& what) { return SimulationError(fmt::format("bonds {}", what)); };
  const std::size_t n = ids.size();
  check_count("begins of bond lists", begins.size(), n + 1);
  if (begins.front() != 0 || begins.back() != neighbours.size() || !std::ranges::is_sorted(begins))
    throw wrong(fmt::format("do not make up lists: {} bonds do not fit their begins", neighbours.size()));
  for (std::size_t i = 0; i != n; ++i) {
    for (Index b = begins[i]; b != begins[i + 1]; ++b) {
      const Index j = neighbours[b];
      if (j >= n) throw wrong(fmt::format("lead to particle {} of {}", j, n));
      if (j == i) throw wrong(fmt::format("lead from particle {} to itself", i));
      if (b != begins[i] && ids[j] <= ids[neighbours[b - 1]])
        throw wrong(fmt::format("of particle {} are not in the order of ids", i));
    }
  }
  begins_ = std::move(begins);
  neighbours_ = std::move(neighbours);
  columns_.resize(0);
  columns_.resize(static_cast<Index>(neighbours_.size()));
  find_reverses(ids);
  for (Index b = 0; b != size(); ++b)
    if (reverses_[b] == none)
      throw wrong(fmt::format("are not symmetric: one to particle {} has no reverse", neighbours_[b]));
}

void BondSet::append_particles(Index count) {
  begins_.resize(begins_.size() + count, begins_.back());
  ++revision_;
}

void BondSet::select(std::span<const Index> order, std::span<const std::uint8_t> marked) {
  std::vector<Index> new_particle(particles(), none);
  parallel_for(order.size(), [&](std::size_t i) { new_particle[order[i]] = static_cast<Index>(i); });
  const auto stays = [&](Index bond) {
    return new_particle[neighbours_[bond]] != none && (marked.empty() || !(marked[bond] || marked[reverses_[bond]]));
  };
  std::vector<Index> begins(order.size() + 1, 0);
  parallel_for(order.size(), [&](std::size_t i) {
    for (Index b = begins_[order[i]]; b != begins_[order[i] + 1]; ++b) begins[i + 1] += stays(b);
  });
  add_up(begins);

  // Where each new bond comes from, and where each old one goes.
  std::vector<Index> source(begins.back()), place(size(), none);
  parallel_for(order.size(), [&](std::size_t i) {
    Index to = begins[i];
    for (Index b = begins_[order[i]]; b != begins_[order[i] + 1]; ++b) {
      if (!stays(b)) continue;
      source[to] = b;
      place[b] = to++;
    }
  });
  std::vector<Index> neighbours(source.size()), reverses(source.size());
  parallel_for(source.size(), [&](std::size_t b) {
    neighbours[b] = new_particle[neighbours_[source[b]]];
    reverses[b] = place[reverses_[source[b]]];
  });
  begins_ = std::move(begins);
  neighbours_ = std::move(neighbours);
  reverses_ = std::move(reverses);
  columns_.gather(source);
  ++revision_;
}

Index BondSet::find(Index from, Index to, std::span<const Index> ids) const {
  const auto list = std::span(neighbours_).subspan(begins_[from], begins_[from + 1] - begins_[from]);
  const auto found = std::ranges::lower_bound(list, ids[to], {}, [&](Index j) { return ids[j]; });
  if (found == list.end() || *found != to) return none;
  return begins_[from] + static_cast<Index>(found - list.begin());
}

void BondSet::find_reverses(std::span<const Index> ids) {
  ++revision_;
  reverses_.resize(neighbours_.size());
  parallel_for(particles(), [&](std::size_t i) {
    for (Index b = begins_[i]; b != begins_[i + 1]; ++b)
      reverses_[b] = find(neighbours_[b], static_cast<Index>(i), ids);
  });
}

}  // namespace fondue
