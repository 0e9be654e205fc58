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
  void rates(const Row& row, Rates& rates) const override;

 private:
  Property<float> epsilon_;
  std::span<const Vec3> v_;
  std::span<const float> m_, rho_;
};

}  // namespace fondue
