#include "particles/particles.h"

#include <fmt/format.h>

#include "core/error.h"

namespace fondue {

Particles::Particles() {
  require(columns::position);
  require(columns::id);
}

Index Particles::create(Index count) {
  constexpr Index most = std::numeric_limits<Index>::max();
  const Index first = size();
  if (count > most - first || count > most - next_id_) {
    throw SimulationError(
        fmt::format("cannot create {} particles: {} exist and {} ids of {} are used", count, first, next_id_, most));
  }
  columns_.resize(first + count);
  for (Index& new_id : (*this)[columns::id].subspan(first)) new_id = next_id_++;
  for (auto& [name, set] : bonds_) set.append_particles(count);
  return first;
}

void Particles::remove(std::span<const std::uint8_t> marked) {
  if (marked.size() != size()) {
    throw SimulationError(fmt::format("{} marks for {} particles: one each is needed", marked.size(), size()));
  }
  std::vector<Index> kept;
  kept.reserve(size());
  for (Index i = 0; i != size(); ++i)
    if (!marked[i]) kept.push_back(i);
  if (kept.size() == size()) return;
  columns_.gather(kept);
  for (auto& [name, set] : bonds_) set.select_particles(kept);
}

void Particles::reorder(std::span<const Index> order) {
  std::vector<bool> seen(size());
  bool permutation = order.size() == size();
  for (std::size_t i = 0; permutation && i != order.size(); ++i) {
    permutation = order[i] < size() && !seen[order[i]];
    if (permutation) seen[order[i]] = true;
  }
  if (!permutation) {
    throw SimulationError(fmt::format("the new order of {} particles must name each exactly once", size()));
  }
  columns_.gather(order);
  for (auto& [name, set] : bonds_) set.select_particles(order);
}

const BondSet& Particles::bonds(std::string_view name) const {
  const auto found = bonds_.find(name);
  if (found == bonds_.end()) {
    throw SimulationError(fmt::format("particles have no bonds '{}': require_bonds() them before they are used", name));
  }
  return found->second;
}

BondSet& Particles::require_bonds(const std::string& name) {
  const auto [place, made] = bonds_.try_emplace(name);
  if (made) place->second.append_particles(size());
  return place->second;
}

std::vector<std::string> Particles::bond_sets() const {
  std::vector<std::string> names;
  for (const auto& [name, set] : bonds_) names.push_back(name);
  return names;
}

}  // namespace fondue
