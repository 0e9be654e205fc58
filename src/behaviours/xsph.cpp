#include "behaviours/xsph.h"

#include <cmath>

#include "behaviours/registry.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Xsph::epsilon};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density"};
constexpr std::string_view writes[] = {"drift"};
}  // namespace

const BehaviourInfo Xsph::description{.name = "xsph",
                                      .help = "Moves particles with a smoothed velocity, which keeps them orderly.",
                                      .source = "P06 (9), P09 (11), Monaghan 1989",
                                      .parameters = parameters,
                                      .reads = reads,
                                      .writes = writes,
                                      .laws = {.momentum = true, .galilean = true, .rotation = true}};

void Xsph::left(Particles& particles, std::span<const Index> which) {
  for (const Index i : which) particles[columns::drift][i].setZero();
}

void Xsph::begin(const Evaluation& e) {
  weight_ = e.properties.weight();
  drift_ = e.particles[columns::drift];
  for (std::vector<float>& component : drift_by_slot_) component.resize(e.records.size());
  motion_ = {e.formula(),
             e.fields.property(e.properties.number(epsilon)),
             e.shared.mass,
             drift_by_slot_[0].data(),
             drift_by_slot_[1].data(),
             drift_by_slot_[2].data()};
}

void Xsph::add_formulas(PairFormulas& formulas) const { formulas.set(motion_); }

bool Xsph::advance(const Slots& slots) {
  bool finite = true;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!slots.due(k) || !(weight_(i) > 0)) continue;
    drift_[i] = {drift_by_slot_[0][k], drift_by_slot_[1][k], drift_by_slot_[2][k]};
    finite &= std::isfinite(drift_[i].sum());
  }
  return finite;
}

}  // namespace fondue
