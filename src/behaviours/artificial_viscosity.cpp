#include "behaviours/artificial_viscosity.h"

#include "behaviours/acoustic_step.h"
#include "behaviours/registry.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&ArtificialViscosity::alpha, &ArtificialViscosity::beta};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density", "support", "pressure"};
constexpr std::string_view writes[] = {"acceleration"};
}  // namespace

const BehaviourInfo ArtificialViscosity::description{
    .name = "artificial_viscosity",
    .help = "Damps approaching particles; steadies splashes and shocks.",
    .source = "DC96 (5), L09 3.11-3.13",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law,
    .at_rest = [](const Track&) { return AtRest::stays; }};

void ArtificialViscosity::begin(const Evaluation& e) {
  weight_ = e.properties.weight();
  support_ = e.shared.support;
  const Property<float> quadratic = e.properties.number(beta);
  force_ = {e.formula(),
            {},
            e.fields.property(e.properties.number(alpha)),
            e.fields.property(quadratic),
            e.shared.sound_speed,
            e.shared.mass,
            quadratic.any()};
}

void ArtificialViscosity::add_formulas(PairFormulas& formulas) const { formulas.set(force_); }

void ArtificialViscosity::limit_steps(const Slots& slots, float* limits) const {
  const auto step_over_support = [&](Index slot) {
    return acoustic_step / (force_.sound_speed.of(slot) * (1 + 1.5f * force_.alpha.of(slot)));
  };
  const bool same = force_.sound_speed.stride == 0 && force_.alpha.stride == 0;
  const float shared = step_over_support(slots.begin);
  for (Index k = slots.begin; k != slots.end; ++k) {
    const float limit = support_.of(k) * (same ? shared : step_over_support(k));
    if (force_.full || weight_(slots.particle(k)) > 0)
      limits[k - slots.begin] = std::min(limits[k - slots.begin], limit);
  }
}

}  // namespace fondue
