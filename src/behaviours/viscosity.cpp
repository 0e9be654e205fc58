#include "behaviours/viscosity.h"

#include "behaviours/pair_formulas.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Viscosity::dynamic_viscosity};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density", "support"};
constexpr std::string_view writes[] = {"acceleration"};
}  // namespace

const BehaviourInfo Viscosity::description{.name = "viscosity",
                                           .help = "Newtonian viscosity, no-slip at walls.",
                                           .source = "L09 3.2 (3.9 corrected), Monaghan 2005, Morris 1997",
                                           .parameters = parameters,
                                           .reads = reads,
                                           .writes = writes,
                                           .laws = every_law};

void Viscosity::begin(const Evaluation& e) {
  mu_ = e.properties.number(dynamic_viscosity);
  weight_ = e.properties.weight();
  rho_ = e.particles[columns::density];
  R_ = e.particles[columns::support];
  force_ = {e.formula_weight(), 2.0f * static_cast<float>(e.kernel.dimension() + 2), e.fields.property(mu_),
            e.shared.mass};
}

void Viscosity::join(PairFormulas& formulas) const { formulas.viscosity = force_; }

void Viscosity::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float mu = mu_(i);
    if (weight_(i) > 0 && mu > 0)
      limits[k - slots.begin] = std::min(limits[k - slots.begin], 0.1f * R_[i] * R_[i] * rho_[i] / (6 * mu));
  }
}

}  // namespace fondue
