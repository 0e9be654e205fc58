#pragma once
// Monaghan's artificial viscosity (DC96 5, L09 3.11-3.13), which acts on approaching pairs only:
//
//   a_i = -sum_j m_j Pi_ij grad W,   Pi = (-alpha c mu + beta mu^2) / rho_mean,   mu = h v_ij.x_ij / (r^2 + 0.01 h^2),
//   h = R/2
//
// alpha damps and steadies, beta keeps particles from passing through each other at high speed. Walls count with their
// own velocity, times 1 - slip. Conserves linear and angular momentum; nothing happens in rigid motion. Stable for dt
// <= 0.4 R/(c (1 + 0.6 alpha)).

#include "behaviours/behaviour.h"

namespace fondue {

class ArtificialViscosity final : public Behaviour {
 public:
  static constexpr Parameter alpha{.name = "alpha",
                                   .initial = 0.05,
                                   .least = 0,
                                   .most = 10,
                                   .keys = Parameter::Keys::attribute,
                                   .help = "linear term: shear and bulk damping"};
  static constexpr Parameter beta{.name = "beta",
                                  .initial = 0,
                                  .least = 0,
                                  .most = 10,
                                  .keys = Parameter::Keys::attribute,
                                  .help = "quadratic term: keeps fast particles from interpenetrating"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void rates(const Row& row, Rates& rates) const override;
  float largest_step(Index i) const override { return 0.4f * R_[i] / (c_[i] * (1 + 0.6f * alpha_(i))); }

 private:
  const Walls* walls_ = nullptr;
  Property<float> alpha_, beta_;
  std::span<const Vec3> v_;
  std::span<const float> m_, rho_, c_, R_;
};

}  // namespace fondue
