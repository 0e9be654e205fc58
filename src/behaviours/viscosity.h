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
  void rates(const Row& row, Rates& rates) const override;
  float largest_step(Index i) const override;

 private:
  const Walls* walls_ = nullptr;
  float constant_ = 0;
  Property<float> mu_;
  std::span<const Vec3> v_;
  std::span<const float> m_, rho_, R_;
};

}  // namespace fondue
