#pragma once
// Surface tension by cohesion between particles (Becker & Teschner 2007, L09 3.14), made symmetric, resolution
// independent and stable:
//
//   m_i a_i = -sum_j K V_i V_j (1 - r_0/r) x_ij W_ij,   r_0 = 0.35 R
//
// L09's form (r_0 = 0) does not conserve momentum between unequal masses, hides a scale in kappa, and attracts at every
// distance: a drop clumps, swings and falls apart. Repulsion below r_0, as between molecules (DC96 fig. 3), lets it
// come to rest as a disc. Rayleigh's theory of capillarity gives the tension of a pair force f, gamma = pi/8 int f r^4
// dr at unit number density (1/3 int f r^3 dr in 2D), hence
//
//   K = 8 gamma / (pi int (r - r_0) r^4 W dr)  in 3D,     K = 3 gamma / int (r - r_0) r^3 W dr  in 2D.
//
// It takes particles as uncorrelated, so the tension of a real drop is near gamma, not equal to it. Conserves linear
// and angular momentum. Stable for dt <= 0.25 sqrt(rho R^3 / (2 pi gamma)), the capillary wave of a support radius.

#include "behaviours/behaviour.h"

namespace fondue {

struct CohesionForce : Formula, NoSums {
  static constexpr Pass pass = Pass::rates;
  /// r_0 / R: nearer particles repel each other.
  static constexpr float short_range = 0.35f;
  /// K R^3 / gamma.
  float scale = 0;
  Field tension, volume, mass;

  template <class P, class F, class S>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, S&) const {
    const auto R = p.mean_R();
    const auto K = (0.5f * scale) * (p.i(tension) + p.j(tension)) / (R * R * R * p.i(mass));
    const auto pull = 1 - short_range * R * p.inverse_r;
    force.central -= K * p.i(volume) * p.j(volume) * pull * p.W();
  }
  /// Walls neither attract nor repel.
  template <class B, class L, class S>
  FONDUE_INLINE void wall(const B&, PairForce<L>&, S&) const {}
};

class SurfaceTension final : public Behaviour {
 public:
  using Formulas = TypeList<CohesionForce>;

  static constexpr Parameter tension{.name = "tension",
                                     .unit = "N/m",
                                     .initial = 0.072,
                                     .least = 0,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "surface tension; water 0.072"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  CohesionForce force_;
  Property<float> tension_, weight_;
  std::span<const float> R_, rho_;
};

}  // namespace fondue
