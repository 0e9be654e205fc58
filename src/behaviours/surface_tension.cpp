#include "behaviours/surface_tension.h"

#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&SurfaceTension::tension};
constexpr std::string_view reads[] = {"position", "volume", "mass", "density", "support"};
constexpr std::string_view writes[] = {"acceleration"};

/// r_0 / R: nearer particles repel each other.
constexpr float short_range = 0.35f;

/// int (q - q_0) q^(d+1) W(q, 1) dq by the midpoint rule.
float cohesion_moment(const Kernel& kernel) {
  constexpr int samples = 200;
  double moment = 0;
  for (int k = 0; k != samples; ++k) {
    const double q = (k + 0.5) / samples;
    moment += (q - short_range) * std::pow(q, kernel.dimension() + 1) * kernel.W(static_cast<float>(q), 1) / samples;
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
  const float moment = cohesion_moment(e.kernel);
  scale_ = e.kernel.dimension() == 3 ? 8 / (std::numbers::pi_v<float> * moment) : 3 / moment;
  tension_ = e.properties.number(tension);
  V_ = e.particles[columns::volume];
  R_ = e.particles[columns::support];
  m_ = e.particles[columns::mass];
  rho_ = e.particles[columns::density];
}

void SurfaceTension::rates(const Row& row, Rates& rates) const {
  const Index i = row.i;
  for (const Pair& pair : row.pairs) {
    const Index j = pair.j;
    const float R = 0.5f * (R_[i] + R_[j]);
    const float K = scale_ * 0.5f * (tension_(i) + tension_(j)) / (R * R * R);
    const float pull = 1 - short_range * R / std::max(pair.r, 1e-6f * R);
    rates.acceleration -= K * V_[i] / m_[i] * V_[j] * pull * pair.W * pair.x_ij;
  }
}

float SurfaceTension::largest_step(Index i) const {
  const float gamma = tension_(i);
  const float R = R_[i];
  return gamma > 0 ? 0.25f * std::sqrt(rho_[i] * R * R * R / (2 * std::numbers::pi_v<float> * gamma)) : infinity;
}

}  // namespace fondue
