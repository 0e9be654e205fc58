#include "behaviours/artificial_viscosity.h"

#include "behaviours/pair_formulas.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&ArtificialViscosity::alpha, &ArtificialViscosity::beta};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density", "support"};
constexpr std::string_view writes[] = {"acceleration"};
}  // namespace

const BehaviourInfo ArtificialViscosity::description{
    .name = "artificial_viscosity",
    .help = "Damps approaching particles; steadies splashes and shocks.",
    .source = "DC96 (5), L09 3.11-3.13",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law};

void ArtificialViscosity::begin(const Evaluation& e) {
  alpha_ = e.properties.number(alpha);
  weight_ = e.properties.weight();
  R_ = e.particles[columns::support];
  force_ = {e.formula_weight(), e.fields.property(alpha_), e.fields.property(e.properties.number(beta)),
            e.shared.sound_speed, e.shared.mass};
}

void ArtificialViscosity::join(PairFormulas& formulas) const { formulas.artificial_viscosity = force_; }

void ArtificialViscosity::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float c = force_.sound_speed.values[k * force_.sound_speed.stride];
    if (weight_(i) > 0)
      limits[k - slots.begin] = std::min(limits[k - slots.begin], 0.4f * R_[i] / (c * (1 + 0.6f * alpha_(i))));
  }
}

}  // namespace fondue
