#include "behaviours/fracture.h"

#include <algorithm>
#include <atomic>

#include "behaviours/cloth_bonds.h"
#include "behaviours/elastic_shape.h"
#include "behaviours/shell_shape.h"
#include "core/parallel.h"
#include "particles/sheets.h"
#include "shapes/shape.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Fracture::limit};
constexpr const Parameter* region_parameters[] = {&Fracture::region_factor};
constexpr std::string_view reads[] = {"position"};
constexpr std::string_view writes[] = {"fracture_factor"};
constexpr Statistic statistics[] = {{"bonds", "1"}};

/// Behaviours whose bonds break; their sets of bonds have the same names.
constexpr std::string_view breakable[] = {"elastic", "shell", "cloth"};

void check(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const auto has = [&](std::string_view name) {
      return std::ranges::any_of(matter.objects[o].tracks, [&](const Track& t) { return t.behaviour == name; });
    };
    if (has("fracture") && std::ranges::none_of(breakable, has))
      report(o, "has 'fracture' and nothing that can break; add 'elastic', 'shell' or 'cloth'");
  }
}

}  // namespace

const BehaviourInfo Fracture::description{
    .name = "fracture",
    .help = "Lets elastic bodies, shells and cloth tear and break.",
    .source = "L09 4.2.4; limit of stretch per bond",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = {},  // no force of its own
    .regions = {"weak_regions", "weak region",
                "Paint matter with the behaviour fracture weaker or stronger where it lies when it becomes brittle.",
                region_parameters},
    .statistics = statistics,
    .check = check};

void Fracture::require(Particles& particles) const { particles.require(columns::fracture_factor); }

void Fracture::entered(Particles& particles, const Properties&, std::span<const Index> which) {
  for (const Index i : which) unpainted_.push_back(particles[columns::id][i]);
}

void Fracture::paint(const Evaluation& e) {
  std::ranges::sort(unpainted_);
  const auto id = e.particles[columns::id];
  const auto x = e.particles[columns::position];
  const auto factor = e.particles[columns::fracture_factor];
  for (Index i = 0; i != e.particles.size(); ++i) {
    if (!std::ranges::binary_search(unpainted_, id[i])) continue;
    factor[i] = 1;
    for (const Region& region : e.regions)
      if (region.contains(x[i])) factor[i] *= region.values->constant(region_factor);
  }
  unpainted_.clear();
}

/// Breaks the bonds of a set that are too long; length(i, j, bond) is that at rest. Where edges of sheets break, the
/// sheet is open.
template <class Length>
void Fracture::break_bonds(const Evaluation& e, std::string_view set, const Length& length) const {
  BondSet& bonds = e.particles.bonds(set);
  const auto x = e.particles[columns::position];
  const auto factor = e.particles[columns::fracture_factor];
  const Property<float> limit_of = e.properties.number(limit), weight = e.properties.weight();
  // Where the behaviour fades in, matter is stronger.
  const auto largest = [&](Index i) { return weight(i) > 0 ? factor[i] * limit_of(i) / weight(i) : infinity; };
  std::vector<std::uint8_t> broken(bonds.size(), 0);
  std::atomic<bool> any = false;
  parallel_for(bonds.particles(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (!(weight(i) > 0)) return;
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
      const Index j = bonds.neighbours()[b];
      const float most = (1 + std::min(largest(i), largest(j))) * length(i, j, b);
      if (!((x[j] - x[i]).squaredNorm() > most * most)) continue;
      broken[b] = 1;
      any = true;
    }
  });
  if (!any) return;
  std::vector<BondSet::Pair> torn;
  for (Index i = 0; i != bonds.particles(); ++i)
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
      if (broken[b]) torn.push_back({i, bonds.neighbours()[b]});
  bonds.remove(broken);
  sheets::cut(e.particles, torn);
}

void Fracture::begin(const Evaluation& e) {
  if (!unpainted_.empty()) paint(e);
  if (e.particles.has_bonds(elastic_shape::bond_set))
    break_bonds(e, elastic_shape::bond_set, [X = e.particles[columns::reference_position]](Index i, Index j, Index) {
      return (X[j] - X[i]).norm();
    });
  if (e.particles.has_bonds(shell_shape::bond_set))
    break_bonds(e, shell_shape::bond_set,
                [X = e.particles.bonds(shell_shape::bond_set)[shell_shape::reference]](Index, Index, Index b) {
                  return X[b].norm();
                });
  if (e.particles.has_bonds(cloth_bonds::bond_set))
    break_bonds(e, cloth_bonds::bond_set,
                [L = e.particles.bonds(cloth_bonds::bond_set)[cloth_bonds::rest_length]](Index, Index, Index b) {
                  return L[b];
                });
}

/// Number of bonds that are left.
void Fracture::measure(const Measured& measured, std::span<double> values) const {
  for (const std::string_view set : breakable)
    if (measured.particles.has_bonds(set)) values[0] += 0.5 * static_cast<double>(measured.particles.bonds(set).size());
}

}  // namespace fondue
