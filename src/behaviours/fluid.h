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
// Conserves linear and angular momentum exactly. Stable for dt <= 0.4 R/c.

#include "behaviours/behaviour.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> compression{"compression", "1", "density over rest density", 1, true};
inline constexpr Column<float> compression_rate{"compression_rate", "1/s", "rate of change of compression", 0, true};
inline constexpr Column<float> density{"density", "kg/m^d", "density"};
inline constexpr Column<float> pressure{"pressure", "Pa", "pressure of the state equation"};
inline constexpr Column<float> sound_speed{"sound_speed", "m/s", "speed of sound of the simulated fluid"};
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
  int sums() const override { return any_normalised_ ? 2 : 1; }
  void sum(int pass, const Row& row) override;
  void state(Index i) override;
  void rates(const Row& row, Rates& rates) const override;
  float largest_step(Index i) const override { return 0.4f * R_[i] / c_[i]; }

 private:
  /// What does not blend, one entry an object.
  struct Material {
    DensityEstimator density;
    StateEquation equation;
    bool tension;
    float sound_speed, reinitialise;
  };
  float equation_of_state(const Material& material, float rho0, float s) const;
  float rate_of_sum(const Row& row) const;
  float rate_of_continuity(const Row& row) const;

  std::vector<Material> materials_;
  /// Summed compression before normalising.
  std::vector<float> summed_;
  /// What the continuity equation advances compression to, and its rate.
  std::vector<float> advanced_, rate_;
  bool any_normalised_ = false;
  bool predict_compression_ = false;
  const Kernel* kernel_ = nullptr;
  const Walls* walls_ = nullptr;
  Property<float> rho0_, weight_;
  std::span<const Vec3> v_, a_;
  std::span<const float> V_, R_, used_rate_, elapsed_;
  std::span<const Index> object_;
  std::span<float> s_, rho_, p_, c_, m_;
};

}  // namespace fondue
