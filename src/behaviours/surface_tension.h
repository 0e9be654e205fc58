#pragma once
// Surface tension by cohesion between particles (Becker & Teschner 2007, L09 3.14), made resolution independent and
// symmetric:
//
//   m_i a_i = -sum_j K V_i V_j x_ij W_ij
//
// L09's kappa has a scale hidden in it and does not conserve momentum between unequal masses. Rayleigh's theory of
// capillarity gives the tension of such a pair force, gamma = pi/8 int f r^4 dr a unit number density squared (in 2D
// 1/3 int f r^3 dr), so that
//
//   K = 8 gamma / (pi int r^5 W dr)  in 3D,     K = 3 gamma / int r^4 W dr  in 2D.
//
// It takes particles as uncorrelated, so the tension of a real drop is near gamma, not equal to it. Conserves linear
// and angular momentum. Stable for dt <= 0.25 sqrt(rho R^3 / (2 pi gamma)), the capillary wave of a support radius.

#include "behaviours/behaviour.h"

namespace fondue {

class SurfaceTension final : public Behaviour {
 public:
  static constexpr Parameter tension{.name = "tension",
                                     .unit = "N/m",
                                     .initial = 0.072,
                                     .least = 0,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "surface tension; water 0.072"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void rates(const Row& row, Rates& rates) const override;
  float largest_step(Index i) const override;

 private:
  /// K R^3 / gamma.
  float scale_ = 0;
  Property<float> tension_;
  std::span<const float> V_, R_, m_, rho_;
};

}  // namespace fondue
