#include "behaviours/fracture.h"

#include <algorithm>
#include <atomic>

#include "behaviours/elastic_shape.h"
#include "core/parallel.h"
#include "shapes/shape.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Fracture::limit};
constexpr const Parameter* region_parameters[] = {&Fracture::region_factor};
constexpr std::string_view reads[] = {"position", "reference_volume"};
constexpr std::string_view writes[] = {"fracture_factor"};
constexpr Statistic statistics[] = {{"bonds", "1"}};

}  // namespace

const BehaviourInfo Fracture::description{
    .name = "fracture",
    .help = "Lets an elastic body tear and break.",
    .source = "L09 4.2.4; limit of stretch per bond",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = {},  // no force of its own
    .regions = {"weak_regions", "weak region",
                "Paint matter with the behaviour fracture weaker or stronger where it lies when it becomes brittle.",
                region_parameters},
    .statistics = statistics};

void Fracture::require(Particles& particles) const {
  particles.require(columns::reference_volume);
  particles.require(columns::fracture_factor);
  particles.require(columns::reference_position);
  particles.require_bonds(elastic_shape::bond_set).require(elastic_shape::coefficient);
}

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
  BondSet& bonds = e.particles.bonds(elastic_shape::bond_set);
  const auto x = e.particles[columns::position];
  const auto factor = e.particles[columns::fracture_factor];
  const auto X = e.particles[columns::reference_position];
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
      const float most = (1 + std::min(largest(i), largest(j))) * (X[j] - X[i]).norm();
      if (!((x[j] - x[i]).squaredNorm() > most * most)) continue;
      broken[b] = 1;
      any = true;
    }
  });
  if (any) bonds.remove(broken);
}

/// Number of bonds that are left.
void Fracture::measure(const Measured& measured, std::span<double> values) const {
  values[0] = 0.5 * static_cast<double>(measured.particles.bonds(elastic_shape::bond_set).size());
}

}  // namespace fondue
