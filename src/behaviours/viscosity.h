#pragma once
// Newtonian viscosity in a difference form that also conserves angular momentum (Monaghan 2005, as in Weiler 2018):
//
//   a_i = 2 (d + 2) sum_j m_j mu_ij / (rho_i rho_j) (v_ij.x_ij) / (r^2 + 0.01 R^2) grad W,   mu_ij = 2 mu_i mu_j /
//   (mu_i + mu_j)
//
// It replaces L09 (3.9), which has the wrong sign and is not Galilean invariant. On an undisturbed lattice with R = 2
// dx the sum sees few directions and a shear along the rows is damped a third too little; particles in motion,
// blue-noise filling or R = 3 dx are within a few per cent. Walls are no-slip at their surface: the velocity of a
// boundary particle is extrapolated beyond it (Morris 1997), times 1 - slip. Stable for dt <= 0.1 R^2 rho / (6 mu): the
// step shrinks with the viscosity; honey needs the implicit form.

#include "behaviours/behaviour.h"

namespace fondue {

struct ViscousForce : FormulaWeight {
  /// 2 (d + 2)
  float constant = 0;
  Field viscosity, mass;

  template <class P, class S>
  FONDUE_INLINE void pair(const P& p, S& sums) const {
    const auto mu_i = p.i(viscosity), mu_j = p.j(viscosity);
    const auto mu = 2 * mu_i * mu_j;
    const auto R = p.mean_R();
    const auto below = (mu_i + mu_j + 1e-30f) * (p.density_i() * p.density_j()) * (p.r2 + 0.01f * R * R);
    sums.along_gradient += constant * p.j(mass) * mu * dot(p.v_ij(), p.x_ij) / below;
  }
  /// The velocity is continued linearly from the particle to the wall's surface and on to the boundary particle.
  template <class B, class S>
  FONDUE_INLINE void wall(const B& b, S& sums) const {
    const float depth = b.space.wall_depth;
    const auto distance = max(dot(b.x_ij, b.normal()) - depth, 0.5f * depth);
    const auto continued = 1 + depth / distance;
    const auto shear = continued * dot(b.v_ij(), b.x_ij) / (b.density_i() * (b.r2 + 0.01f * b.R() * b.R()));
    sums.along_gradient += b.grip() * (b.space.shear_scale * constant) * b.volume() * b.i(viscosity) * shear;
  }
};

class Viscosity final : public Behaviour {
 public:
  static constexpr Parameter dynamic_viscosity{.name = "dynamic_viscosity",
                                               .unit = "Pa s",
                                               .initial = 0.001,
                                               .least = 0,
                                               .keys = Parameter::Keys::attribute,
                                               .help = "resistance to shear; water 0.001, oil 0.1, honey 10"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void join(PairFormulas& formulas) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  ViscousForce force_;
  Property<float> mu_, weight_;
  std::span<const float> rho_, R_;
};

}  // namespace fondue
