#include "behaviours/viscosity.h"

#include "behaviours/fluid.h"

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
  walls_ = &e.walls;
  constant_ = 2.0f * static_cast<float>(e.kernel.dimension() + 2);
  mu_ = e.properties.number(dynamic_viscosity);
  v_ = e.particles[columns::velocity];
  m_ = e.particles[columns::mass];
  rho_ = e.particles[columns::density];
  R_ = e.particles[columns::support];
}

void Viscosity::rates(const Row& row, Rates& rates) const {
  const Index i = row.i;
  const float mu_i = mu_(i);
  for (const Pair& pair : row.pairs) {
    const Index j = pair.j;
    const float mu_j = mu_(j), sum = mu_i + mu_j;
    if (sum == 0) continue;
    const float mu = 2 * mu_i * mu_j / sum;
    const float eps = 0.0025f * (R_[i] + R_[j]) * (R_[i] + R_[j]);
    const float shear = (v_[i] - v_[j]).dot(pair.x_ij) / (pair.r * pair.r + eps);
    rates.acceleration += constant_ * m_[j] * mu / (rho_[i] * rho_[j]) * shear * pair.gradW();
  }
  for (const Pair& wall : row.walls) {
    const Index b = wall.j;
    // Distance from the particle to the wall's surface; the velocity is continued linearly from there to the boundary
    // particle.
    const float depth = walls_->depth;
    const float distance = std::max(wall.x_ij.dot(walls_->normal[b]) - depth, 0.5f * depth);
    const Vec3 v_ib = (1 + depth / distance) * (v_[i] - walls_->velocity[b]);
    const float shear = v_ib.dot(wall.x_ij) / (wall.r * wall.r + 0.01f * R_[i] * R_[i]);
    rates.acceleration += (1 - walls_->slip[b]) * walls_->shear_scale * constant_ * walls_->volume[b] * mu_i / rho_[i] *
                          shear * wall.gradW();
  }
}

float Viscosity::largest_step(Index i) const {
  const float mu = mu_(i);
  return mu > 0 ? 0.1f * R_[i] * R_[i] * rho_[i] / (6 * mu) : infinity;
}

}  // namespace fondue
