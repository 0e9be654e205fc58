#pragma once
// Weakly compressible fluid: density, state equation and the symmetric pressure force (L09 3.4-3.10, PHYSICS 1).
//
// Everything is written with rest volumes V and the compression s = rho/rho0, so that fluids of different rest density
// meet without a false density step between them. For particles of one size this is the number-density form of
// Solenthaler & Pajarola 2008, for a single fluid it is L09's equations letter by letter.
//
//   summation    s_i = sum_j V_j W_ij + sum_b V_b W_ib                        (L09 3.4)
//   normalised   s_i / (sum_j V_j/s_j W_ij + sum_b V_b W_ib)                  (L09 3.5)
//   continuity   ds_i/dt = s_i sum_j V_j/s_j (v_i - v_j).grad W               (P06 6, P09 9), pulled to the normalised
//   sum at
//                a given rate because it drifts; advanced with the velocities of the middle of the step, as positions
//                are
//
//   tait         p = rho0 c^2/7 (s^7 - 1)                                     (L09 3.6-3.7)
//   linear       p = rho0 c^2 (s - 1)                                         (P06, P09)
//   cohesive     the same, never clamped: long-range attraction holds matter together (DC96 s. 3.1, k = c^2)
//
//   a_i = -1/rho0_i [ sum_j V_j (p_i/s_i^2 + p_j/s_j^2) grad W + sum_b V_b 2 p_i/s_i^2 grad W ]     (L09 3.10; walls:
//   Akinci 2012)
//
// A sticky wall pulls matter within reach towards its boundary particles (after Akinci 2013), most at half a support:
//
//   a_i = -1/rho0_i sum_b k V_b q (1 - q)^2 x_ib/R,   q = r/R,   k such that a flat wall pulls with its stickiness a
//   unit area
//
// Conserves linear and angular momentum exactly. Stable for dt <= 0.4 R/c, and R over sqrt(stickiness/rho0) alike.

#include "behaviours/behaviour.h"

namespace fondue {

/// s_i, the self contribution included.
struct CompressionSum {
  bool active = false;
  /// V of the particles the fluid acts on, 0 of others.
  Field volume;
  /// Result, by slot.
  float* summed = nullptr;

  template <class P, class F>
  FONDUE_INLINE void pair(const P& p, F& s) const {
    s += p.W_times(p.j(volume));
  }
  template <class B, class F>
  FONDUE_INLINE void wall(const B& b, F& s) const {
    s += b.W_times(b.volume());
  }
};

/// The sum of a field that is one everywhere, and the continuity equation.
struct NormalisedCompression {
  bool active = false;
  /// V_j over the summed compression.
  Field share;
  /// Some material advances its density; V_j/s_j, and velocities of the middle of the step: with those of its end sound
  /// waves would grow.
  bool continuity = false;
  Field share_of_present, middle_vx, middle_vy, middle_vz;
  /// Results, by slot.
  float *one = nullptr, *rate = nullptr;

  template <class F>
  struct Sums {
    F one = 0.0f, rate = 0.0f;
  };
  template <class P, class F>
  FONDUE_INLINE void pair(const P& p, Sums<F>& sums) const {
    sums.one += p.W_times(p.j(share));
    if (!continuity) return;
    const LaneVector<F> v_ij = {p.i(middle_vx) - p.j(middle_vx), p.i(middle_vy) - p.j(middle_vy),
                                p.i(middle_vz) - p.j(middle_vz)};
    sums.rate += p.j(share_of_present) * p.gradW_factor() * dot(v_ij, p.x_ij);
  }
  template <class B, class F>
  FONDUE_INLINE void wall(const B& b, Sums<F>& sums) const {
    sums.one += b.W_times(b.volume());
    if (!continuity) return;
    const LaneVector<F> v_ib = {b.i(middle_vx) - b.wall.vx, b.i(middle_vy) - b.wall.vy, b.i(middle_vz) - b.wall.vz};
    sums.rate += b.volume() * b.gradW_factor() * dot(v_ib, b.x_ij);
  }
};

/// -1/rho0_i sum_j V_j (p_i/s_i^2 + p_j/s_j^2) grad W, and d/dt of the summed compression if it is wanted.
struct PressureForce : FormulaWeight {
  Field volume, inverse_rest_density;
  bool rate_of_sum = false;
  /// k by collider; null if none is sticky.
  const float* pulls = nullptr;

  template <class P, class S>
  FONDUE_INLINE void pair(const P& p, S& sums) const {
    const auto volume_over_density = p.j(volume) * p.i(inverse_rest_density);
    sums.along_gradient -= volume_over_density * (p.push_i() + p.push_j());
    if (rate_of_sum) sums.compression += p.j(volume) * p.gradW_factor() * dot(p.v_ij(), p.x_ij);
  }
  /// A wall answers with the particle's own pressure and never pulls by it.
  template <class B, class S>
  FONDUE_INLINE void wall(const B& b, S& sums) const {
    sums.along_gradient -= b.i(inverse_rest_density) * b.volume() * (2 * max(b.push_i(), 0.0f));
    if (rate_of_sum) sums.compression += b.volume() * b.gradW_factor() * dot(b.v_ij(), b.x_ij);
    if (!pulls) return;
    const auto inverse_R = b.own.kernel.inverse_R;
    const auto q = b.r * inverse_R, t = max(1 - q, 0.0f);
    const auto pull = b.weight * b.i(inverse_rest_density) * (pulls[b.wall.collider] * b.volume() * b.pull_factor());
    sums.central -= pull * inverse_R * (q * t * t);
  }
};

namespace columns {
inline constexpr Column<float> compression{"compression", "1", "density over rest density", 1, true};
inline constexpr Column<float> compression_rate{"compression_rate", "1/s", "rate of change of compression", 0, true};
inline constexpr Column<float> density{"density", "kg/m^d", "density"};
inline constexpr Column<float> pressure{"pressure", "Pa", "pressure of the state equation"};
}  // namespace columns

enum class DensityEstimator { summation, normalised, continuity };
enum class StateEquation { tait, linear, cohesive };

class Fluid final : public Behaviour {
 public:
  static constexpr std::string_view density_names[] = {"summation", "normalised", "continuity"};
  static constexpr std::string_view state_names[] = {"tait", "linear", "cohesive"};

  static constexpr Parameter rest_density{.name = "rest_density",
                                          .unit = "kg/m^d",
                                          .initial = 1000,
                                          .least = above_zero,
                                          .keys = Parameter::Keys::attribute,
                                          .help = "density at rest; mass follows it when it is keyframed"};
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
  void begin(const Evaluation& evaluation) override;
  void join(PairFormulas& formulas) const override;
  int sums() const override { return any_normalised_ ? 2 : 1; }
  void after_sums(int pass, const Slots& slots) override;
  void add_rates(const Slots& slots, const RateArrays& rates) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  /// What does not blend, one entry an object.
  struct Material {
    DensityEstimator density;
    StateEquation equation;
    bool tension;
    float sound_speed, reinitialise;
    /// 0.4 / c, or over the speed that belongs to the stickiest wall.
    float step_over_support;
  };
  float equation_of_state(const Material& material, float rho0, float s) const;
  void normalise(Index slot, Index i);
  void find_state(Index slot, Index i);

  std::vector<Material> materials_;
  CompressionSum compression_;
  NormalisedCompression normalised_;
  PressureForce pressure_;
  /// By slot: summed compression, the sum of one, rate of the continuity equation.
  std::vector<float> summed_, one_, rate_;
  /// By collider: k of its pull.
  std::vector<float> pulls_;
  std::span<float> share_, share_of_present_;
  bool any_normalised_ = false, any_continuity_ = false, full_ = true;
  Property<float> rho0_, weight_;
  Elapsed elapsed_;
  std::span<const float> V_, R_, used_rate_;
  std::span<const Index> object_;
  std::span<float> s_, rho_, p_, m_;
  std::span<Record> records_;
};

}  // namespace fondue
