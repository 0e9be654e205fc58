#pragma once
// Weakly compressible fluid: density, state equation and the symmetric pressure force (L09 3.4-3.10, PHYSICS 1).
//
// Everything is written with rest volumes V and the compression s = rho/rho0, so that fluids of different rest density
// meet without a false density step between them. For particles of one size this is the number-density form of
// Solenthaler & Pajarola 2008, for a single fluid it is L09's equations letter by letter.
//
// clang-format off
//   summation    s_i = sum_j V_j W_ij + sum_b V_b W_ib                        (L09 3.4)
//   normalised   s_i / (sum_j V_j/s_j W_ij + sum_b V_b W_ib)                  (L09 3.5)
//   continuity   ds_i/dt = s_i sum_j V_j/s_j (v_i - v_j).grad W               (P06 6, P09 9)
//                pulled to the normalised sum at a given rate because it drifts; advanced with the velocities of the
//                middle of the step, as positions are
//
//   tait         p = rho0 c^2/7 (s^7 - 1)                                     (L09 3.6-3.7)
//   linear       p = rho0 c^2 (s - 1)                                         (P06, P09)
//   cohesive     the same, never clamped: long-range attraction holds matter together (DC96 s. 3.1, k = c^2)
//
//   a_i = -1/rho0_i [ sum_j V_j (p_i/s_i^2 + p_j/s_j^2) grad W + sum_b V_b 2 p_i/s_i^2 grad W ]
//                                                                             (L09 3.10; walls: Akinci 2012)
// clang-format on
//
// A sticky wall attracts matter within reach of its boundary particles (after Akinci 2013), most at half a support:
//
//   a_i = -1/rho0_i sum_b k V_b q (1 - q)^2 x_ib/R,   q = r/R,
//
// with k such that a flat wall pulls with its stickiness per unit area.
//
// A rest density that is keyframed changes the volume of the particles and keeps their mass, or the other way round if
// `mass_follows_density` says so. Volumes change by at most `largest_volume_change` per step, so that sound can carry
// the change away.
//
// Conserves linear and angular momentum exactly. Stable for dt <= 0.4 R/c, with the larger of c and
// sqrt(stickiness/rho0).

#include "behaviours/behaviour.h"

namespace fondue {

/// s_i, the self contribution included.
struct CompressionSum : Formula {
  static constexpr Pass pass = Pass::density;
  /// V of the particles the fluid acts on, 0 of others.
  Field volume;
  /// Result, by slot.
  float* summed = nullptr;

  template <class L>
  struct Sums {
    L s = 0.0f;
  };
  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    sums.s += folded(p.W_times(p.j(volume)));
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    sums.s += b.W_times(b.volume());
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(summed + first, sums.s, count);
  }
};

/// The sum of a field that is one everywhere, and the continuity equation.
struct NormalisedCompression : Formula {
  static constexpr Pass pass = Pass::gradient;
  /// V_j over the summed compression.
  Field share;
  /// Some material advances its density; V_j/s_j, and velocities of the middle of the step: with those of its end sound
  /// waves would grow.
  bool continuity = false;
  Field share_of_present, middle_vx, middle_vy, middle_vz;
  /// Results, by slot.
  float *one = nullptr, *rate = nullptr;

  template <class L>
  struct Sums {
    L one = 0.0f, rate = 0.0f;
  };
  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    sums.one += folded(p.W_times(p.j(share)));
    if (!continuity) return;
    const LaneVector v_ij = {p.i(middle_vx) - p.j(middle_vx), p.i(middle_vy) - p.j(middle_vy),
                             p.i(middle_vz) - p.j(middle_vz)};
    sums.rate += folded(p.j(share_of_present) * p.gradW_factor() * dot(v_ij, p.x_ij));
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    sums.one += b.W_times(b.volume());
    if (!continuity) return;
    const LaneVector<L> v_ib = {b.i(middle_vx) - b.wall.vx, b.i(middle_vy) - b.wall.vy, b.i(middle_vz) - b.wall.vz};
    sums.rate += b.volume() * b.gradW_factor() * dot(v_ib, b.x_ij);
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(one + first, sums.one, count);
    FONDUE_ISA::store(rate + first, sums.rate, count);
  }
};

/// -1/rho0_i sum_j V_j (p_i/s_i^2 + p_j/s_j^2) grad W, and d/dt of the summed compression if it is wanted.
struct PressureForce : Formula {
  static constexpr Pass pass = Pass::rates;
  Field volume, inverse_rest_density;
  /// By slot: d/dt of the summed compression; null if it is not wanted.
  float* rate = nullptr;
  /// k by collider; null if none is sticky.
  const float* pulls = nullptr;

  template <class L>
  struct Sums {
    L rate = 0.0f;
  };
  template <class P, class F, class L>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, Sums<L>& sums) const {
    const auto volume_over_density = p.j(volume) * p.i(inverse_rest_density);
    force.along_gradient -= volume_over_density * (p.pressure_term_i() + p.pressure_term_j());
    if (rate) sums.rate += folded(p.j(volume) * p.gradW_factor() * dot(p.v_ij(), p.x_ij));
  }
  /// A wall answers with the particle's own pressure and never attracts by it.
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, PairForce<L>& force, Sums<L>& sums) const {
    force.along_gradient -= b.i(inverse_rest_density) * b.volume() * (2 * max(b.pressure_term_i(), 0.0f));
    if (rate) sums.rate += b.volume() * b.gradW_factor() * dot(b.v_ij(), b.x_ij);
    if (!pulls) return;
    const auto inverse_R = b.own.kernel.inverse_R;
    const auto q = b.r * inverse_R, t = max(1 - q, 0.0f);
    const auto pull = b.weight * b.i(inverse_rest_density) * (pulls[b.wall.collider] * b.volume() * b.pull_factor());
    force.central -= pull * inverse_R * (q * t * t);
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    if (rate) FONDUE_ISA::store(rate + first, sums.rate, count);
  }
};

namespace columns {
inline constexpr Column<float> compression{"compression", "1", "density over rest density", 1, true};
inline constexpr Column<float> compression_rate{"compression_rate", "1/s", "rate of change of compression", 0, true};
inline constexpr Column<float> pressure{"pressure", "Pa", "pressure of the state equation"};
}  // namespace columns

enum class DensityEstimator { summation, normalised, continuity };
enum class StateEquation { tait, linear, cohesive };

class Fluid final : public Behaviour {
 public:
  using Formulas = TypeList<CompressionSum, NormalisedCompression, PressureForce>;

  static constexpr std::string_view density_names[] = {"summation", "normalised", "continuity"};
  static constexpr std::string_view state_names[] = {"tait", "linear", "cohesive"};

  static constexpr Parameter rest_density{.name = "rest_density",
                                          .unit = "kg/m^d",
                                          .initial = 1000,
                                          .least = above_zero,
                                          .keys = Parameter::Keys::attribute,
                                          .help = "density at rest"};
  static constexpr Parameter mass_follows_density{
      .name = "mass_follows_density",
      .kind = Parameter::Kind::boolean,
      .help = "a keyframed rest_density changes the mass of particles instead of their volume"};
  static constexpr Parameter density{
      .name = "density", .kind = Parameter::Kind::choice, .choices = density_names, .help = "how density is estimated"};
  static constexpr Parameter state_equation{.name = "state_equation",
                                            .kind = Parameter::Kind::choice,
                                            .choices = state_names,
                                            .help = "how pressure follows from density"};
  static constexpr Parameter speed_of_sound{
      .name = "speed_of_sound",
      .unit = "m/s",
      .initial = 0,
      .least = 0,
      .help = "stiffness of the fluid; 0 takes it from the scene and compressibility"};
  static constexpr Parameter compressibility{
      .name = "compressibility",
      .initial = 0.01,
      .least = 1e-4,
      .most = 1,
      .help = "largest relative change of density the automatic speed of sound allows"};
  static constexpr Parameter allow_tension{.name = "allow_tension",
                                           .kind = Parameter::Kind::boolean,
                                           .help = "keep negative pressures (cohesive fluids always do)"};
  static constexpr Parameter reinitialise{.name = "reinitialise",
                                          .unit = "1/s",
                                          .initial = 5,
                                          .least = 0,
                                          .help = "how fast a continuity density is pulled to the normalised sum"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  void after_pass(Pass pass, const Slots& slots) override;
  bool advance(const Slots& slots) override;
  void predict(Particles& particles, std::size_t begin, std::size_t end, float step) const override;
  void limit_steps(const Slots& slots, float* limits) const override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  /// What does not blend, one entry per object.
  struct Material {
    DensityEstimator density;
    StateEquation equation;
    bool tension;
    float sound_speed, reinitialise;
    /// 0.4 / c, or over the speed that belongs to the stickiest wall.
    float step_over_support;
    /// The rest density is keyframed: it is m/V of each particle, and what it is meant to be changes V or m.
    bool density_changes, mass_follows;
  };
  Material material(const Values& values, float expected_speed, float stickiest) const;
  float rest_density_of(Index i) const;
  float equation_of_state(const Material& material, float rho0, float s) const;
  void normalise(Index slot, Index i);
  void find_state(Index slot, Index i);
  void follow_density(Index i);

  std::vector<Material> materials_;
  CompressionSum compression_;
  NormalisedCompression normalised_;
  PressureForce pressure_;
  /// By slot: summed compression, the sum of one, rate of the continuity equation, rate of the summed compression.
  std::vector<float> summed_, one_, rate_, rate_of_sum_;
  /// By collider: k of its pull.
  std::vector<float> pulls_;
  std::span<float> share_, share_of_present_;
  bool any_normalised_ = false, any_continuity_ = false, any_density_changes_ = false, full_ = true;
  float dimension_ = 3;
  Property<float> rho0_, weight_;
  Elapsed elapsed_;
  std::span<const Index> object_;
  std::span<float> V_, R_, m_, s_, rho_, p_, s_rate_;
  std::span<Record> records_;
};

}  // namespace fondue
