#include "behaviours/springs.h"

#include <cmath>

#include "behaviours/registry.h"
#include "particles/bonds_of.h"
#include "particles/neighbours.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Springs::stiffness, &Springs::damping};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "volume", "support", "object", "density"};
constexpr std::string_view writes[] = {"acceleration"};

const std::string bond_set = "springs";
constexpr BondColumn<float> rest_length{"length", "m", "distance at rest"};
constexpr BondColumn<float> share{"share", "m^(d-1)", "volume of both ends per bond, over the distance at rest"};

/// The share of every bond follows from how many bonds its ends have.
void find_shares(const Particles& particles, BondSet& bonds) {
  const auto V = particles[columns::volume];
  const auto begins = bonds.begins(), neighbours = bonds.neighbours();
  const auto L = bonds[rest_length], c = bonds[share];
  const auto volume_per_bond = [&](Index i) { return V[i] / static_cast<float>(begins[i + 1] - begins[i]); };
  parallel_for(bonds.particles(), [&](std::size_t i) {
    for (Index b = begins[i]; b != begins[i + 1]; ++b)
      c[b] = (volume_per_bond(static_cast<Index>(i)) + volume_per_bond(neighbours[b])) / L[b];
  });
}

}  // namespace

const BehaviourInfo Springs::description{.name = "springs",
                                         .help = "Holds neighbours at the distance they had when it began.",
                                         .source = "derived; cf. L09 4.4.2 (distances alone count)",
                                         .parameters = parameters,
                                         .reads = reads,
                                         .writes = writes,
                                         .laws = every_law};

void Springs::require(Particles& particles) const {
  BondSet& bonds = particles.require_bonds(bond_set);
  bonds.require(rest_length);
  bonds.require(share);
}

void Springs::entered(Particles& particles, const Properties& properties, std::span<const Index> which) {
  BondSet& bonds = particles.bonds(bond_set);
  const auto x = particles[columns::position];
  const auto R = particles[columns::support];
  const auto object = particles[columns::object];
  const Property<float> weight = properties.weight();
  std::vector<std::uint8_t> is_new(particles.size(), 0);
  for (const Index i : which) is_new[i] = 1;
  NeighbourList around;
  find_neighbours({x, R, particles[columns::id], is_new}, around);
  std::vector<BondSet::Pair> pairs;
  std::vector<float> distances;
  for (const Index i : which)
    for (const Index j : around.of(i)) {
      const float r = (x[i] - x[j]).norm();
      const bool counted = is_new[j] && j < i;
      if (counted || object[i] != object[j] || !(weight(j) > 0) || !(r > 0)) continue;
      pairs.push_back({i, j});
      distances.push_back(r);
    }
  const std::vector<Index> made = bonds.add(pairs, particles[columns::id]);
  for (std::size_t k = 0; k != made.size(); ++k)
    bonds[rest_length][made[k]] = bonds[rest_length][bonds.reverses()[made[k]]] = distances[k];
  find_shares(particles, bonds);
}

void Springs::left(Particles& particles, std::span<const Index> which) {
  if (!particles.has_bonds(bond_set)) return;
  BondSet& bonds = particles.bonds(bond_set);
  remove_bonds_of(bonds, which);
  find_shares(particles, bonds);
}

void Springs::begin(const Evaluation& e) {
  stiffness_ = e.properties.number(stiffness);
  weight_ = e.properties.weight();
  m_ = e.particles[columns::mass];
  BondSet& bonds = e.particles.bonds(bond_set);
  bonds_ = &bonds;
  const auto V = e.particles[columns::volume];
  force_ = {e.formula(),
            {},
            {bonds.begins().data(), bonds.neighbours().data()},
            bonds[rest_length].data(),
            bonds[share].data(),
            e.fields.property(stiffness_),
            e.fields.property(e.properties.number(damping)),
            e.shared.mass,
            e.fields.of(true, [&](Index i) { return m_[i] / V[i]; })};
}

void Springs::add_formulas(PairFormulas& formulas) const { formulas.set(force_); }

void Springs::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!(weight_(i) > 0)) continue;
    float stiff = 0;
    for (Index b = bonds_->begins()[i]; b != bonds_->begins()[i + 1]; ++b)
      stiff += 0.5f * (stiffness_(i) + stiffness_(bonds_->neighbours()[b])) * force_.share[b] / force_.length[b];
    float& limit = limits[k - slots.begin];
    if (stiff > 0) limit = std::min(limit, 0.5f * std::sqrt(m_[i] / stiff));
  }
}

}  // namespace fondue
