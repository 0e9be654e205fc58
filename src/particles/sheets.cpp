#include "particles/sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.h"

namespace fondue::sheets {

void require(Particles& particles) {
  particles.require(columns::thickness);
  particles.require(columns::texture);
  particles.require_bonds(bond_set).require(left);
}

void add(Particles& particles, std::span<const SheetTriangle> triangles) {
  BondSet& bonds = particles.bonds(bond_set);
  const auto id = particles[columns::id];
  // The edges, from the particle with the smaller index to the other.
  std::map<BondSet::Pair, Index> edges;
  for (const SheetTriangle& t : triangles)
    for (int k = 0; k != 3; ++k) edges.insert({{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}, 0});
  std::vector<BondSet::Pair> pairs;
  for (const auto& [pair, bond] : edges) pairs.push_back(pair);
  const std::vector<Index> made = bonds.add(pairs, id);
  for (std::size_t k = 0; k != pairs.size(); ++k) edges[pairs[k]] = made[k];
  const auto third = bonds[left];
  for (const SheetTriangle& t : triangles)
    for (int k = 0; k != 3; ++k) {
      const Index i = t[k], j = t[(k + 1) % 3];
      const Index bond = i < j ? edges[{i, j}] : bonds.reverses()[edges[{j, i}]];
      if (third[bond] != 0)
        throw SimulationError(fmt::format(
            "no sheet: between the particles with ids {} and {} more than two triangles meet, or two that face "
            "different ways",
            id[i], id[j]));
      third[bond] = id[t[(k + 2) % 3]] + 1;
    }
  bonds.values_changed();
}

Index bonded(const Particles& particles, const BondSet& bonds, Index i, Index wanted) {
  const auto id = particles[columns::id];
  const auto list = bonds.neighbours().subspan(bonds.begins()[i], bonds.begins()[i + 1] - bonds.begins()[i]);
  const auto found = std::ranges::lower_bound(list, wanted, {}, [&](Index j) { return id[j]; });
  return found != list.end() && id[*found] == wanted ? *found : ColumnSet::no_row;
}

std::vector<SheetTriangle> triangles(const Particles& particles) {
  std::vector<SheetTriangle> result;
  if (!particles.has_bonds(bond_set)) return result;
  const BondSet& bonds = particles.bonds(bond_set);
  const auto id = particles[columns::id];
  const auto third = bonds[left];
  for (Index i = 0; i != particles.size(); ++i)
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
      const Index j = bonds.neighbours()[b];
      // Each triangle once, beginning with its smallest id.
      if (third[b] == 0 || id[j] < id[i] || third[b] - 1 < id[i]) continue;
      const Index k = bonded(particles, bonds, i, third[b] - 1);
      if (k != ColumnSet::no_row && bonded(particles, bonds, j, id[k]) == k) result.push_back({i, j, k});
    }
  std::ranges::sort(result, {}, [&](const SheetTriangle& t) { return std::array{id[t[0]], id[t[1]], id[t[2]]}; });
  return result;
}

void cut(Particles& particles, std::span<const BondSet::Pair> edges) {
  if (edges.empty() || !particles.has_bonds(bond_set)) return;
  BondSet& bonds = particles.bonds(bond_set);
  std::vector<std::uint8_t> marked(bonds.size(), 0);
  bool any = false;
  for (const auto& [i, j] : edges)
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
      if (bonds.neighbours()[b] == j) marked[b] = any = true;
  if (any) bonds.remove(marked);
}

std::vector<std::uint8_t> surrounded(const Particles& particles) {
  std::vector<Index> around(particles.size(), 0);
  for (const SheetTriangle& t : triangles(particles))
    for (const Index i : t) ++around[i];
  std::vector<std::uint8_t> result(particles.size(), 0);
  if (!particles.has_bonds(bond_set)) return result;
  const auto begins = particles.bonds(bond_set).begins();
  for (Index i = 0; i != particles.size(); ++i) result[i] = around[i] > 0 && around[i] == begins[i + 1] - begins[i];
  return result;
}

}  // namespace fondue::sheets
