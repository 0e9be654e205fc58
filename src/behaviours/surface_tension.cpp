#include "behaviours/surface_tension.h"

#include <cmath>
#include <numbers>

#include "behaviours/registry.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&SurfaceTension::tension};
constexpr std::string_view reads[] = {"position", "volume", "mass", "density", "support", "pressure"};
constexpr std::string_view writes[] = {"acceleration"};

/// int (q - q_0) q^(d+1) W(q, 1) dq by the midpoint rule.
float cohesion_moment(const Kernel& kernel) {
  constexpr int samples = 200;
  double moment = 0;
  for (int k = 0; k != samples; ++k) {
    const double q = (k + 0.5) / samples;
    moment += (q - CohesionForce::short_range) * std::pow(q, kernel.dimension() + 1) *
              kernel.W(static_cast<float>(q), 1) / samples;
  }
  return static_cast<float>(moment);
}
}  // namespace

const BehaviourInfo SurfaceTension::description{.name = "surface_tension",
                                                .help = "Draws a fluid together: drops become round.",
                                                .source = "L09 3.14, Becker & Teschner 2007, Rayleigh 1890",
                                                .parameters = parameters,
                                                .reads = reads,
                                                .writes = writes,
                                                .laws = every_law};

void SurfaceTension::begin(const Evaluation& e) {
  tension_ = e.properties.number(tension);
  weight_ = e.properties.weight();
  R_ = e.particles[columns::support];
  rho_ = e.particles[columns::density];
  const float moment = cohesion_moment(e.kernel);
  const float scale = e.kernel.dimension() == 3 ? 8 / (std::numbers::pi_v<float> * moment) : 3 / moment;
  force_ = {e.formula(), {}, scale, e.fields.property(tension_), e.shared.volume, e.shared.mass};
}

void SurfaceTension::add_formulas(PairFormulas& formulas) const { formulas.set(force_); }

void SurfaceTension::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float gamma = tension_(i), R = R_[i];
    if (weight_(i) > 0 && gamma > 0)
      limits[k - slots.begin] = std::min(
          limits[k - slots.begin], 0.25f * std::sqrt(rho_[i] * R * R * R / (2 * std::numbers::pi_v<float> * gamma)));
  }
}

}  // namespace fondue
