#pragma once
// Springs between neighbours: the simplest matter that remembers its shape. When particles enter, every two of the same
// object that lie within a support radius are bonded at their present distance L, free of stress:
//
//   m_i a_i = -sum_j c_ij [(r - L)/L + tau v_ij.n] n,   n = x_ij/r,   c_ij = E_ij (V_i/n_i + V_j/n_j)/L
//
// with n_i the number of bonds of i, E_ij the mean stiffness of both, and tau = damping L/c, c = sqrt(E/rho). A body
// stretched by e in all directions stores E e^2/2 per unit of volume. Distances alone count: springs resist stretching
// and shearing in every direction, with a Poisson ratio that is that of the lattice (about 1/4), and do not know which
// way round a body is. Bodies that bend, dent and break come with `elastic`.
//
// Conserves linear and angular momentum exactly; the energy of the springs is that of a gradient, without damping.
// Stable for dt <= 0.5 sqrt(m_i / sum_j c_ij/L). Bonds reach through no periodic side.

#include "behaviours/behaviour.h"
#include "behaviours/bond.h"

namespace fondue {

struct SpringForce : Formula, NoSums {
  static constexpr Pass pass = Pass::bonds;
  BondList bonds;
  /// By directed bond: L and (V_i/n_i + V_j/n_j)/L.
  const float *length = nullptr, *share = nullptr;
  Field stiffness, damping, mass, density;

  template <class B, class F>
  FONDUE_INLINE void bond(const B& b, PairForce<F>& force) const {
    const F L = b.of(length), E = 0.5f * (b.i(stiffness) + b.j(stiffness));
    const F rho = 0.5f * (b.i(density) + b.j(density));
    const F tau = 0.5f * (b.i(damping) + b.j(damping)) * L * square_root(rho / max(E, F(1e-30f)));
    const F strain = b.r / L - 1, rate = dot(b.v_ij, b.x_ij) * b.inverse_r / L;
    force.central -= (1 / b.i(mass)) * E * b.of(share) * (strain + tau * rate) * b.inverse_r;
  }
};

class Springs final : public Behaviour {
 public:
  using Formulas = TypeList<SpringForce>;

  static constexpr Parameter stiffness{.name = "stiffness",
                                       .unit = "Pa",
                                       .initial = 1e5,
                                       .least = 0,
                                       .keys = Parameter::Keys::attribute,
                                       .help = "resistance to stretching; jelly 1e3, rubber 1e6"};
  static constexpr Parameter damping{.name = "damping",
                                     .initial = 0.2,
                                     .least = 0,
                                     .most = 1,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "how fast oscillations die; 0 never, 1 at once"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  SpringForce force_;
  Property<float> stiffness_, weight_;
  std::span<const float> m_;
  const BondSet* bonds_ = nullptr;
};

}  // namespace fondue
