#include "behaviours/rigid.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.h"
#include "particles/bonds_of.h"
#include "particles/clusters.h"
#include "particles/neighbours.h"

namespace fondue {

namespace {

constexpr std::string_view reads[] = {"position", "support", "object"};
constexpr std::string_view writes[] = {"velocity", "rigidity"};

const char* look_of(const Track&) { return "paint"; }

void check(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const std::span<const Track> tracks = matter.objects[o].tracks;
    const auto own = std::ranges::find(tracks, std::string_view(Rigid::description.name), &Track::behaviour);
    if (own == tracks.end()) continue;
    if (matter.individual_steps)
      report(o,
             "has 'rigid', whose particles move together, and time.individual_steps gives each a step of its own; "
             "leave out individual_steps");
    for (const Track& track : tracks) {
      const BehaviourInfo* info = find_behaviour(track.behaviour);
      if (!info || !info->substep_bonds) continue;
      if (info->of_sheets)
        report(o,
               "is a sheet, whose triangles move in substeps that 'rigid' has none of; for a sheet that keeps its "
               "shape take 'shell' with a high youngs_modulus");
      else if (own->weight.constant() && track.weight.constant())
        report(o, fmt::format("has 'rigid' beside '{}' all the time, but what is rigid does not deform; remove one of "
                              "them, or let one fade out while the other fades in",
                              info->name));
    }
  }
}

}  // namespace

const BehaviourInfo Rigid::description{.name = "rigid",
                                       .help = "Makes matter move as a rigid body in the shape it has when it begins.",
                                       .source = "L09 4.3 (clusters of particles)",
                                       .parameters = {},
                                       .reads = reads,
                                       .writes = writes,
                                       // It exerts no force; both momenta are those of world/rigid_clusters.h.
                                       .laws = {.galilean = true, .rotation = true, .rigid_rotation = true},
                                       .brings = "contact",
                                       .check = check,
                                       .look = look_of};

void Rigid::require(Particles& particles) const {
  particles.require(columns::rigidity);
  particles.require_bonds(clusters::bond_set).require(clusters::length);
}

void Rigid::entered(Particles& particles, const Properties& properties, std::span<const Index> which) {
  BondSet& bonds = particles.bonds(clusters::bond_set);
  const auto x = particles[columns::position];
  const auto object = particles[columns::object];
  const Property<float> weight = properties.weight();
  std::vector<std::uint8_t> is_new(particles.size(), 0);
  for (const Index i : which) is_new[i] = 1;
  NeighbourList around;
  find_neighbours({x, particles[columns::support], particles[columns::id], is_new}, around);
  std::vector<BondSet::Pair> pairs;
  for (const Index i : which)
    for (const Index j : around.of(i)) {
      const bool counted = is_new[j] && j < i;
      if (!counted && object[i] == object[j] && weight(j) > 0) pairs.push_back({i, j});
    }
  const std::vector<Index> made = bonds.add(pairs, particles[columns::id]);
  for (std::size_t k = 0; k != made.size(); ++k)
    bonds[clusters::length][made[k]] = bonds[clusters::length][bonds.reverses()[made[k]]] =
        (x[pairs[k][0]] - x[pairs[k][1]]).norm();
}

void Rigid::left(Particles& particles, std::span<const Index> which) {
  if (!particles.has_bonds(clusters::bond_set)) return;
  remove_bonds_of(particles.bonds(clusters::bond_set), which);
  for (const Index i : which) particles[columns::rigidity][i] = 0;
}

void Rigid::begin(const Evaluation& e) {
  const auto rigidity = e.particles[columns::rigidity];
  const Property<float> weight = e.properties.weight();
  parallel_for(rigidity.size(), [&](std::size_t i) { rigidity[i] = weight(static_cast<Index>(i)); });
}

}  // namespace fondue
