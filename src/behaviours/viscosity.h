#pragma once
// Viscosity, of water, of honey, and of wax, clay and lava, which stand like solids and flow when pushed hard enough.
//
// Three laws give the viscosity eta [Pa s] of a particle from the rate it is sheared with, D (deformation_rate.h):
//
//   newtonian  eta = dynamic_viscosity
//   jump       eta = dynamic_viscosity (1 - exp(-(J + 1) D)) (D^(n-1) + 1/D)               (P06 3, P09 4; D in 1/s)
//   yield      eta = (1 - exp(-eta0 D/tau)) (K D^(n-1) + tau/D)                            (Mendes 2007, with units)
//
// The last two are one law: in units of gamma1 = (tau/K)^(1/n) for D and tau/gamma1 for eta, J + 1 = eta0 gamma1/tau.
// At rest eta is eta0, or J + 1 times the scale; it drops steeply once the shear stress passes tau. With n = 1 this is
// the regularised Bingham fluid, with any n Herschel and Bulkley's. Where tau = 0 it is a power law.
//
// Forces between particles are frictions along the line between two, which also conserve angular momentum
// (viscous_weight.h has the source, the constant k, and why there is no r^2 below):
//
//   a_i = sum_j m_j eta_ij / (rho_i rho_j) k / R^2 (v_ij.x_ij) grad W,
//   eta_ij = 2 eta_i eta_j / (eta_i + eta_j)
//
// They replace L09 (3.9), which has the wrong sign and is not Galilean invariant. eta_i is divided by chi_i
// (deformation_rate.h), measured in every step, which makes the dissipation in a linear flow exact for any arrangement
// of the neighbours: channels are then within 3 % at R = 2 dx (without chi within 5 %), and near the yield stress a few
// per cent of the stress are a multiple of that in the rate. `stress` does without chi. Walls are no-slip at their
// surface: the velocity of a boundary particle is extrapolated beyond it (Morris 1997), times 1 - slip. What is left
// of the error is disorder, which lets particles evade the mean flow.
//
// Explicit steps are stable for dt <= 0.1 R^2 rho / (6 eta), which is hopeless for a wax that stands. The implicit
// scheme solves for the velocities at the end of the step (world/solve.h), and no step is too long for it;
// `automatic` takes it as soon as explicit steps would have to be shorter than a third of what sound allows, until they
// could be as long. `stress`
// is the explicit form of the sources (P06, P09), a_i = sum_j m_j/(rho_i rho_j) (S_i + S_j) grad W with S = eta D, kept
// to compare with: it conserves momentum, but not angular momentum.

#include "behaviours/behaviour.h"
#include "behaviours/deformation_rate.h"
#include "behaviours/viscosity_column.h"
#include "behaviours/viscous_weight.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> strain_rate{"strain_rate", "1/s", "rate of shear, where the viscosity depends on it"};
inline constexpr Column<float> shear_sum{"shear_sum", "", "viscous sum over its integral, where it is measured", 1};
}  // namespace columns

struct ViscousForce : Formula, NoSums {
  static constexpr Pass pass = Pass::rates;
  /// k
  float constant = 0;
  Field viscosity, mass;

  /// Coefficient of (v_ij.x_ij) grad W.
  template <class P>
  FONDUE_INLINE auto drag(const P& p) const {
    const auto eta_i = p.i(viscosity), eta_j = p.j(viscosity), R = p.mean_R();
    const auto below = (eta_i + eta_j + 1e-30f) * (p.density_i() * p.density_j()) * (R * R);
    return (2 * constant) * p.j(mass) * eta_i * eta_j / below;
  }
  template <class B>
  FONDUE_INLINE auto wall_drag(const B& b) const {
    const auto strength = (b.shear_scale() * constant) * b.i(viscosity) / (b.density_i() * (b.R() * b.R()));
    return b.grip() * b.volume() * strength * continued_beyond_surface(b);
  }

  template <class P, class F, class S>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, S&) const {
    force.along_gradient += drag(p) * dot(p.v_ij(), p.x_ij);
  }
  template <class B, class L, class S>
  FONDUE_INLINE void wall(const B& b, PairForce<L>& force, S&) const {
    force.along_gradient += wall_drag(b) * dot(b.v_ij_in_frame(), b.x_ij);
  }
};

/// The same force, where the velocities at the end of the step are solved for.
struct ImplicitViscousForce : ViscousForce {
  static constexpr Pass pass = Pass::solve;
};

/// sum_j m_j/(rho_i rho_j) (S_i + S_j) grad W
struct StressForce : Formula, NoSums {
  static constexpr Pass pass = Pass::rates;
  Field mass;
  /// S: xx, yy, zz, xy, xz, yz.
  Field stress[6];
  ViscousForce at_walls;

  template <class P, class F, class S>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, S&) const {
    const auto factor = p.j(mass) * p.gradW_factor() / (p.density_i() * p.density_j());
    const auto sum = [&](int k) { return p.i(stress[k]) + p.j(stress[k]); };
    const auto xy = sum(3), xz = sum(4), yz = sum(5);
    const auto& x = p.x_ij;
    force.acceleration += {factor * (sum(0) * x.x + xy * x.y + xz * x.z), factor * (xy * x.x + sum(1) * x.y + yz * x.z),
                           factor * (xz * x.x + yz * x.y + sum(2) * x.z)};
  }
  template <class B, class L, class S>
  FONDUE_INLINE void wall(const B& b, PairForce<L>& force, S& sums) const {
    at_walls.wall(b, force, sums);
  }
};

enum class ViscosityLaw { newtonian, jump, yield };
enum class ViscosityScheme { automatic, implicit_, explicit_, stress };

/// eta(D) of the header.
struct Rheology {
  float yield_stress, consistency, index, zero_rate_viscosity;
  float viscosity(float shear_rate) const;
};

class Viscosity final : public Behaviour {
 public:
  using Formulas = TypeList<DeformationRate, ViscousForce, StressForce, ImplicitViscousForce>;

  static constexpr std::string_view law_names[] = {"newtonian", "jump", "yield"};
  static constexpr std::string_view scheme_names[] = {"automatic", "implicit", "explicit", "stress"};

  static constexpr Parameter dynamic_viscosity{
      .name = "dynamic_viscosity",
      .unit = "Pa s",
      .initial = 0.001,
      .least = 0,
      .keys = Parameter::Keys::attribute,
      .help = "resistance to shear; water 0.001, oil 0.1, honey 10; of the law \"jump\" the scale of its viscosity"};
  static constexpr Parameter law{.name = "law",
                                 .kind = Parameter::Kind::choice,
                                 .choices = law_names,
                                 .help = "how viscosity follows from the rate of shear"};
  static constexpr Parameter jump_number{
      .name = "jump_number",
      .initial = 100,
      .least = 0,
      .keys = Parameter::Keys::attribute,
      .help = "law \"jump\": how much stiffer at rest than at a shear of 1/s; higher stands higher"};
  static constexpr Parameter index{.name = "index",
                                   .initial = 0.5,
                                   .least = above_zero,
                                   .keys = Parameter::Keys::attribute,
                                   .help = "laws \"jump\" and \"yield\": below 1 it thins with shear, 1 is Bingham's"};
  static constexpr Parameter yield_stress{.name = "yield_stress",
                                          .unit = "Pa",
                                          .initial = 100,
                                          .least = 0,
                                          .keys = Parameter::Keys::attribute,
                                          .help = "law \"yield\": shear stress below which it hardly flows"};
  static constexpr Parameter consistency{.name = "consistency",
                                         .unit = "Pa s^n",
                                         .initial = 10,
                                         .least = 0,
                                         .keys = Parameter::Keys::attribute,
                                         .help = "law \"yield\": resistance once it flows"};
  static constexpr Parameter zero_rate_viscosity{
      .name = "zero_rate_viscosity",
      .unit = "Pa s",
      .initial = 1e5,
      .least = above_zero,
      .keys = Parameter::Keys::attribute,
      .help = "law \"yield\": viscosity at rest, which is how fast it creeps"};
  static constexpr Parameter scheme{.name = "scheme",
                                    .kind = Parameter::Kind::choice,
                                    .choices = scheme_names,
                                    .help = "how it is advanced; \"stress\" is the explicit form of P09"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  void after_pass(Pass pass, const Slots& slots) override;
  void limit_steps(const Slots& slots, float* limits) const override;
  std::vector<double> state() const override { return {static_cast<double>(scheme_)}; }
  void restore(std::span<const double> saved) override { scheme_ = static_cast<ViscosityScheme>(saved[0]); }

 private:
  static void check(const MatterOutline& matter, const ReportMistake& report);
  float viscosity(Index i, float shear_rate) const;
  /// Largest explicit step over the largest that sound allows.
  float explicit_over_sound(Index i) const;
  ViscosityScheme given_scheme(const Properties& properties) const;
  ViscosityScheme chosen_scheme(const Evaluation& evaluation) const;

  std::vector<ViscosityLaw> laws_;
  /// What the scene says, and what is done now.
  ViscosityScheme given_ = ViscosityScheme::automatic, scheme_ = ViscosityScheme::explicit_;
  float fastest_sound_ = 0;
  /// In a step: without one nothing can be solved for, and rates lack what would be.
  bool steps_ = false;
  ViscousForce force_;
  StressForce stress_;
  DeformationRate deformation_;
  /// By slot: intensity of D, chi, D, and what follows from them.
  std::vector<float> intensity_, chi_, tensor_[6];
  std::span<float> eta_by_slot_, stress_by_slot_[6];
  Property<float> mu_, jump_, index_, tau_, K_, eta0_, weight_;
  std::span<const Index> object_;
  std::span<const float> rho_, R_;
  std::span<float> eta_, rate_, shear_sum_;
};

}  // namespace fondue
