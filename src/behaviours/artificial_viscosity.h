#pragma once
// Monaghan's artificial viscosity (DC96 5, L09 3.11-3.13), which acts on approaching pairs only:
//
//   a_i = -sum_j m_j Pi_ij grad W,   Pi = (-alpha c mu + beta mu^2) / rho_mean,   mu = h v_ij.x_ij / (r^2 + 0.01 h^2),
//   h = R/2
//
// alpha damps and steadies, beta keeps particles from passing through each other at high speed. Walls count with their
// own velocity, times 1 - slip. Conserves linear and angular momentum; rigid motion is not damped. Stable for
// dt <= 0.6 R/(c (1 + 1.5 alpha)).

#include "behaviours/behaviour.h"

namespace fondue {

struct ArtificialViscousForce : Formula, NoSums {
  static constexpr Pass pass = Pass::rates;
  Field alpha, beta, sound_speed, mass;
  /// Some beta is not zero.
  bool quadratic = false;

  template <class P, class F, class S>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, S&) const {
    const auto h = 0.5f * p.mean_R();
    const auto approach = min(dot(p.v_ij(), p.x_ij), 0.0f);
    // One division for both mu and Pi: mu = h rho_sum above, Pi = 2 h (beta mu - alpha c) above.
    const auto rho_sum = p.density_i() + p.density_j();
    const auto above = approach / ((p.r2 + 0.01f * h * h) * rho_sum);
    const auto scale = 2 * h * p.j(mass);
    const auto alpha_c = scale * (0.25f * (p.i(alpha) + p.j(alpha)) * (p.i(sound_speed) + p.j(sound_speed)));
    force.along_gradient += alpha_c * above;
    if (quadratic) {
      const auto beta_h = scale * h * (0.5f * (p.i(beta) + p.j(beta)));
      force.along_gradient -= beta_h * rho_sum * (above * above);
    }
  }
  template <class B, class L, class S>
  FONDUE_INLINE void wall(const B& b, PairForce<L>& force, S&) const {
    const auto h = 0.5f * b.R();
    const auto approach = min(dot(b.v_ij(), b.x_ij), 0.0f);
    const auto mu = h * approach / (b.r2 + 0.01f * h * h);
    const auto Pi_rho = (b.i(beta) * mu - b.i(alpha) * b.i(sound_speed)) * mu;
    force.along_gradient -= b.grip() * b.volume() * Pi_rho;
  }
};

class ArtificialViscosity final : public Behaviour {
 public:
  using Formulas = TypeList<ArtificialViscousForce>;

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
  void add_formulas(PairFormulas& formulas) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  ArtificialViscousForce force_;
  Property<float> weight_;
  Field support_;
};

}  // namespace fondue
