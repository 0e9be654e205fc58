#pragma once
// XSPH (Monaghan 1989; P06 9, P09 11): particles move with a velocity smoothed over their neighbours, which keeps them
// orderly.
//
//   dx_i/dt = v_i + eps sum_j 2 m_j / (rho_i + rho_j) (v_j - v_i) W_ij
//
// The symmetric mean density makes sum m_i dx_i/dt exactly the momentum. Velocities themselves are not changed.

#include "behaviours/behaviour.h"

namespace fondue {

struct SmoothedMotion : Formula {
  static constexpr Pass pass = Pass::rates;
  Field epsilon, mass;
  /// Results, by slot.
  float *drift_x = nullptr, *drift_y = nullptr, *drift_z = nullptr;

  template <class L>
  struct Sums {
    LaneVector<L> drift{0.0f, 0.0f, 0.0f};
  };
  template <class P, class F, class L>
  FONDUE_INLINE void pair(const P& p, PairForce<F>&, Sums<L>& sums) const {
    const auto eps = p.i(epsilon) + p.j(epsilon);
    sums.drift -= folded((eps * p.j(mass) / (p.density_i() + p.density_j()) * p.W()) * p.v_ij());
  }
  /// Walls do not take part.
  template <class B, class L>
  FONDUE_INLINE void wall(const B&, PairForce<L>&, Sums<L>&) const {}
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(drift_x + first, sums.drift.x, count);
    FONDUE_ISA::store(drift_y + first, sums.drift.y, count);
    FONDUE_ISA::store(drift_z + first, sums.drift.z, count);
  }
};

class Xsph final : public Behaviour {
 public:
  using Formulas = TypeList<SmoothedMotion>;

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
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  bool advance(const Slots& slots) override;

 private:
  SmoothedMotion motion_;
  Property<float> weight_;
  /// By slot.
  std::vector<float> drift_by_slot_[3];
  std::span<Vec3> drift_;
};

}  // namespace fondue
