#pragma once
// XSPH (Monaghan 1989; P06 9, P09 11): particles move with a velocity smoothed over their neighbours, which keeps them
// orderly.
//
//   dx_i/dt = v_i + eps sum_j 2 m_j / (rho_i + rho_j) (v_j - v_i) W_ij
//
// The symmetric mean density makes sum m_i dx_i/dt exactly the momentum. Velocities themselves are not changed.

#include "behaviours/behaviour.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec3> drift{"drift", "m/s", "velocity added by XSPH to the motion", 0, true};
}

struct SmoothedMotion : FormulaWeight {
  Field epsilon, mass;

  template <class P, class S>
  FONDUE_INLINE void pair(const P& p, S& sums) const {
    const auto eps = p.i(epsilon) + p.j(epsilon);
    sums.drift -= (eps * p.j(mass) / (p.density_i() + p.density_j()) * p.W()) * p.v_ij();
  }
  /// Walls do not take part.
  template <class B, class S>
  FONDUE_INLINE void wall(const B&, S&) const {}
};

class Xsph final : public Behaviour {
 public:
  static constexpr Parameter epsilon{
      .name = "epsilon",
      .initial = 0.5,
      .least = 0,
      .most = 1,
      .keys = Parameter::Keys::attribute,
      .help = "0 moves particles with their own velocity, 1 with that of their neighbourhood"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override { particles.require(columns::drift); }
  void begin(const Evaluation& evaluation) override;
  void join(PairFormulas& formulas) const override;

 private:
  SmoothedMotion motion_;
};

}  // namespace fondue
