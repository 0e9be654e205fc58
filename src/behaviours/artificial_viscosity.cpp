#include "behaviours/artificial_viscosity.h"

#include "behaviours/fluid.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&ArtificialViscosity::alpha, &ArtificialViscosity::beta};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density", "sound_speed", "support"};
constexpr std::string_view writes[] = {"acceleration"};

/// Pi times rho_mean for a pair; zero unless it approaches.
float artificial_pressure(float alpha, float beta, float c, float h, float v_dot_x, float r) {
  if (v_dot_x >= 0) return 0;
  const float mu = h * v_dot_x / (r * r + 0.01f * h * h);
  return (-alpha * c + beta * mu) * mu;
}
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
  walls_ = &e.walls;
  alpha_ = e.properties.number(alpha);
  beta_ = e.properties.number(beta);
  v_ = e.particles[columns::velocity];
  m_ = e.particles[columns::mass];
  rho_ = e.particles[columns::density];
  c_ = e.particles[columns::sound_speed];
  R_ = e.particles[columns::support];
}

void ArtificialViscosity::rates(const Row& row, Rates& rates) const {
  const Index i = row.i;
  for (const Pair& pair : row.pairs) {
    const Index j = pair.j;
    const float Pi =
        artificial_pressure(0.5f * (alpha_(i) + alpha_(j)), 0.5f * (beta_(i) + beta_(j)), 0.5f * (c_[i] + c_[j]),
                            0.25f * (R_[i] + R_[j]), (v_[i] - v_[j]).dot(pair.x_ij), pair.r);
    rates.acceleration -= m_[j] * Pi / (0.5f * (rho_[i] + rho_[j])) * pair.gradW();
  }
  for (const Pair& wall : row.walls) {
    const Index b = wall.j;
    const float Pi = artificial_pressure(alpha_(i), beta_(i), c_[i], 0.5f * R_[i],
                                         (v_[i] - walls_->velocity[b]).dot(wall.x_ij), wall.r);
    rates.acceleration -= (1 - walls_->slip[b]) * walls_->volume[b] * Pi * wall.gradW();
  }
}

}  // namespace fondue
