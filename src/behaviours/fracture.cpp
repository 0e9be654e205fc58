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

/// A behaviour whose bonds break, and how long they are at rest.
struct Breakable {
  const char* behaviour;
  const std::string& bonds;
  float (*length)(const BondSet& bonds, Index bond);
};
const Breakable breakables[] = {
    {"elastic", elastic_shape::bond_set,
     [](const BondSet& bonds, Index b) { return bonds[elastic_shape::reference][b].norm(); }},
    {"shell", shell_shape::bond_set,
     [](const BondSet& bonds, Index b) { return bonds[shell_shape::reference][b].norm(); }},
    {"cloth", cloth_bonds::bond_set, [](const BondSet& bonds, Index b) { return bonds[cloth_bonds::rest_length][b]; }}};

void check(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const auto has = [&](std::string_view name) {
      return std::ranges::any_of(matter.objects[o].tracks, [&](const Track& t) { return t.behaviour == name; });
    };
    if (has("fracture") && std::ranges::none_of(breakables, [&](const Breakable& b) { return has(b.behaviour); }))
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

void Fracture::begin(const Evaluation& e) {
  if (!unpainted_.empty()) paint(e);
  const auto x = e.particles[columns::position];
  const auto factor = e.particles[columns::fracture_factor];
  const Property<float> limit_of = e.properties.number(limit), weight = e.properties.weight();
  // Where the behaviour fades in, matter is stronger.
  const auto largest = [&](Index i) { return weight(i) > 0 ? factor[i] * limit_of(i) / weight(i) : infinity; };
  for (const Breakable& breakable : breakables) {
    if (!e.particles.has_bonds(breakable.bonds)) continue;
    BondSet& bonds = e.particles.bonds(breakable.bonds);
    std::vector<std::uint8_t> broken(bonds.size(), 0);
    std::atomic<bool> any = false;
    parallel_for(bonds.particles(), [&](std::size_t at) {
      const Index i = static_cast<Index>(at);
      if (!(weight(i) > 0)) return;
      for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
        const Index j = bonds.neighbours()[b];
        const float most = (1 + std::min(largest(i), largest(j))) * breakable.length(bonds, b);
        if (!((x[j] - x[i]).squaredNorm() > most * most)) continue;
        broken[b] = 1;
        any = true;
      }
    });
    if (!any) continue;
    std::vector<BondSet::Pair> torn;
    for (Index i = 0; i != bonds.particles(); ++i)
      for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
        if (broken[b]) torn.push_back({i, bonds.neighbours()[b]});
    bonds.remove(broken);
    sheets::cut(e.particles, torn);
  }
}

/// Number of bonds that are left.
void Fracture::measure(const Measured& measured, std::span<double> values) const {
  for (const Breakable& breakable : breakables)
    if (measured.particles.has_bonds(breakable.bonds))
      values[0] += 0.5 * static_cast<double>(measured.particles.bonds(breakable.bonds).size());
}

}  // namespace fondue
