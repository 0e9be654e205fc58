#pragma once
// Weakly compressible fluid: density, state equation and the symmetric pressure force (L09 3.4-3.10, PHYSICS 1).
//
// Everything is written with rest volumes V and the density ratio s = rho/rho0, so that fluids of different rest
// density meet without a false density step between them. For particles of one size this is the number-density form of
// Solenthaler & Pajarola 2008, for a single fluid it is L09's equations letter by letter.
//
// clang-format off
//   summation    s_i = sum_j V_j W_ij + G_i                                   (L09 3.4)
//                G_i = w tr f(M_i/w),  M_i = sum_b V_b W_ib n_b (x) n_b       boundary particles b with normals n_b
//                f(X) = 2 X^3/(1 + X^2)
//   normalised   s_i / (sum_j V_j/s_j W_ij + sum_b V_b W_ib)                  (L09 3.5)
//   continuity   ds_i/dt = s_i sum_j V_j/s_j (v_i - v_j).grad W               (P06 6, P09 9)
//                pulled to the normalised sum at a given rate because it drifts; advanced with the velocities of the
//                middle of the step, as positions are; density_diffusion.h smooths it
//
//   tait         p = rho0 c^2/7 (s^7 - 1), its tangent above s = 1.05         (L09 3.6-3.7)
//   linear       p = rho0 c^2 (s - 1)                                         (P06, P09)
//   cohesive     the same, never clamped: long-range attraction holds matter together (DC96 s. 3.1, k = c^2)
//
//   a_i = -1/rho0_i [ sum_j V_j (p_i/s_i^2 + p_j/s_j^2) grad W + p_i/s_i^2 grad G_i ],                      (L09 3.10)
//   grad G_i = sum_b V_b n_b.f'(M_i/w) n_b grad W
// clang-format on
//
// Walls do no work: the force of a wall is minus the gradient of the energy that its part G of the density ratio
// stores, so what a bounce takes out of the motion it gives back. Boundary particles are Akinci's (2012); w is what the
// missing half space would add to the density ratio of the row at a flat wall. In that row the sum over boundary
// particles is w by the choice of their volumes, and since f(1) = 1 and f'(1) = 2, G = w and grad G is twice the
// gradient of the sum: density and pressure are both complete. (The usual sum with twice its gradient has the same
// values there, but is no gradient of anything and creates energy: a dam break gained as much as it had. The sum with
// its own gradient lets the row sink to .3 of its spacing.) The normals let walls at a right angle add up, as they
// should in a corner: G = 2 w there. f' is at most 2.25, so a drop that is pressed against a wall does not ask for
// short steps.
//
// A sticky wall attracts matter within reach of its boundary particles (after Akinci 2013), most at half a support:
//
//   a_i = -1/rho0_i sum_b k V_b q (1 - q)^2 x_ib/R,   q = r/R,
//
// with k such that a flat wall pulls with its stickiness per unit area.
//
// Solid bodies made of particles (contact.h) complete the sums of a fluid as if they were more of it: their particles k
// have volumes V_k, a density ratio by the fluid alone, and the pressure that belongs to it,
//
//   s_k = 1 + sum_(fluid j) V_j W_kj - free_k,
//
// where free_k is what its own body leaves of its surroundings: 0.15 at a flat side, more at edges, 0 inside. So fluid
// that fills what is left measures s = 1 on both sides, and the symmetric force below needs nothing else: it acts
// between fluid and solids with its exact reaction, does no work of its own, and Archimedes follows.
//
// A sheet of another object (particles/sheets.h) stands for the row of the fluid that it takes the place of: at a
// distance d it adds G = w q^4 (5 - 2 q)/3, q = 1.9 - d/dx, to the density ratio, which is w at the distance of
// contact, 0.9 dx. It presses by contact alone (world/sheet_contacts.h): a pressure would throw light sheets about.
//
// The speed of sound c is given, or follows the motion (followed_speed.h).
//
// A rest density that is keyframed changes the volume of the particles and keeps their mass, or the other way round if
// `mass_follows_density` says so. Volumes change by at most `largest_volume_change` per step, so that sound can carry
// the change away.
//
// Conserves linear and angular momentum exactly. Stable for dt <= 0.6 R/c (acoustic_step.h), with the larger of c and
// sqrt(stickiness/rho0), and at walls for dt <= 1.7/omega, the frequency with which a particle would swing at the wall
// by itself (PHYSICS 1). With g = -dw/d(distance/dx), grad G is about 2 g (G/w)^0.4/dx and at most 3.3 g/dx, so
//
//   omega^2 = (c/dx)^2 [ (2 g)^2 (G/w)^0.8 d(P/s^2)/ds + g^2/w P/s^2 ],   P = p/(rho0 c^2).
//
// While it presses on solid bodies steps are 0.7 of that. Bodies move in substeps with the pressure held
// (world/substeps.h): if it alone would swing a particle by s = omega dt and the body by theta, amplitudes grow where
// |cos theta - s^2/(2 theta) sin theta| > 1 (Biesiadecki & Skeel 1993). At the full step s is about 1.8, and whatever
// has theta between 1.5 and pi would hum for ever; at 0.7 of it little is left, and damping along bonds takes that.

#include <atomic>

#include "behaviours/behaviour.h"
#include "behaviours/density_diffusion.h"
#include "behaviours/fluid_formulas.h"
#include "behaviours/followed_speed.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> density_ratio{"density_ratio", "1", "density over rest density", 1, true};
inline constexpr Column<float> density_ratio_rate{"density_ratio_rate", "1/s", "rate of change of density_ratio", 0,
                                                  true};
inline constexpr Column<float> pressure{"pressure", "Pa", "pressure of the state equation"};
}  // namespace columns

enum class DensityEstimator { summation, normalised, continuity };
enum class StateEquation { tait, linear, cohesive };

class Fluid final : public Behaviour {
 public:
  using Formulas = TypeList<DensityRatioSum, NormalisedDensityRatio, DensityDiffusion, PressureForce>;

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
      .help = "stiffness of the fluid; 0: automatic, as fast as the present motion and compressibility ask for"};
  static constexpr Parameter compressibility{
      .name = "compressibility",
      .initial = 0.01,
      .least = 1e-4,
      .most = 1,
      .help = "largest mean compression that the automatic speed of sound allows"};
  static constexpr Parameter allow_tension{.name = "allow_tension",
                                           .kind = Parameter::Kind::boolean,
                                           .help = "keep negative pressures (cohesive fluids always do)"};
  static constexpr Parameter reinitialise{.name = "reinitialise",
                                          .unit = "1/s",
                                          .initial = 5,
                                          .least = 0,
                                          .help = "how fast a continuity density is pulled to the normalised sum"};
  static constexpr Parameter density_diffusion{
      .name = "density_diffusion",
      .initial = 0,
      .least = 0,
      .most = 1,
      .help = "smooths a continuity density and so the pressure; 0.1 is usual"};
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
  std::vector<double> state() const override;
  void restore(std::span<const double> saved) override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  /// What does not blend, one entry per object.
  struct Material {
    DensityEstimator density;
    StateEquation equation;
    bool tension;
    float sound_speed, reinitialise, diffusion;
    /// 0.4 / c, or over the speed that belongs to the stickiest wall.
    float step_over_support;
    /// The rest density is keyframed: it is m/V of each particle, and what it is meant to be changes V or m.
    bool density_changes, mass_follows;
    /// SharedFields::own_density: its rest density is m/V too, and nothing pulls it elsewhere.
    bool own_density;

    /// Above this compression Tait's equation goes on along its tangent. Only splashes and what solids squeeze get
    /// there, and with the full power of seven single particles of them would shorten the step of all.
    static constexpr float largest_tait_compression = 1.05f;

    /// P = p/(rho0 c^2) and dP/ds, before p is clamped.
    struct Pressure {
      float value, slope;
    };
    Pressure pressure(float s) const;
    static Pressure tait(float s);
  };
  Material material(const Values& values, float followed_speed, float stickiest) const;
  float wall_frequency(const Material& material, float s, float G) const;
  void follow_motion(const Evaluation& evaluation);
  float rest_density_of(Index i) const;
  bool takes_tension(const Material& material) const;
  double energy_of_compression(const Material& material, double s) const;
  void normalise(Index slot, Index i);
  float find_state(Index slot, Index i);
  void follow_density(Index i);
  void begin_diffusion(const Evaluation& evaluation);
  Field volume_where_it_acts(const Evaluation& evaluation) const;
  float of_sheets(Index i) const;
  bool find_solids(const Evaluation& evaluation);
  bool is_solid(Index i) const { return !left_free_.empty() && left_free_[i] >= 0; }
  FollowedSpeed::BlockSums find_states(const Slots& slots, const FollowedSpeed::BlockSums& before);
  void find_state_of_solid(const Slots& slots, Index slot, Index i);

  std::vector<Material> materials_;
  /// What solids in the fluid leave free of their surroundings, by particle; negative for others; empty: no solids. And
  /// the objects that these formulas act on, solids included, and those of solids (non-zero).
  std::span<const float> left_free_;
  std::vector<std::uint8_t> acts_on_, solid_objects_;
  /// Distances from sheets, and w of the header for them.
  std::span<const float> sheet_gap_;
  float missing_row_ = 0;
  /// The stiffest of the fluids, and its rest density: what solids answer with.
  Material stiffest_{};
  float stiffest_density_ = 0;
  /// What the automatic speed of sound follows: of matter that never sleeps and of matter that may, each of its own
  /// motion, so that water that moves does not wake the sand beside it; of which an object is one; and the direction
  /// that heights are measured in.
  FollowedSpeed followed_[2];
  std::span<const std::uint8_t> sleeps_;
  bool any_sleeps_ = false;
  Vec3 up_ = Vec3::Zero();
  /// w, g and dx/R of the header.
  float half_space_ = 0, half_space_slope_ = 0, spacing_over_support_ = 0.5f;
  DensityRatioSum density_ratio_;
  NormalisedDensityRatio normalised_;
  DensityDiffusion diffusion_;
  PressureForce pressure_;
  /// By slot: summed density ratio, the part of walls in it, the sum of one, rate of the continuity equation and of its
  /// diffusion, rate of the summed density ratio.
  std::vector<float> summed_, of_walls_, one_, rate_, diffused_, rate_of_sum_;
  /// By slot: f'(M/w) of the header.
  SlotArrays wall_slope_;
  /// By collider: k of its pull.
  std::vector<float> pulls_;
  std::span<float> share_, share_of_present_;
  bool any_normalised_ = false, any_continuity_ = false, any_density_changes_ = false, any_own_density_ = false;
  bool full_ = true, nothing_to_choose_ = false;
  /// Some solid is pressed in this evaluation.
  std::atomic<bool> presses_on_solids_ = false;
  float dimension_ = 3;
  Property<float> rho0_, weight_;
  Elapsed elapsed_;
  std::span<const Index> object_;
  std::span<float> V_, R_, m_, s_, rho_, p_, s_rate_;
  std::span<Record> records_;
};

/// The rest density, or what mass and volume have made of it where it changes.
inline float Fluid::rest_density_of(Index i) const {
  const Material& material = materials_[object_[i]];
  return material.density_changes || material.own_density ? m_[i] / V_[i] : rho0_(i);
}

inline bool Fluid::takes_tension(const Material& material) const {
  return material.tension || material.equation == StateEquation::cohesive;
}

inline Fluid::Material::Pressure Fluid::Material::pressure(float s) const {
  return equation == StateEquation::tait ? tait(s) : Pressure{s - 1, 1};
}

inline Fluid::Material::Pressure Fluid::Material::tait(float s) {
  const float least = std::min(s, largest_tait_compression), s2 = least * least, s6 = s2 * s2 * s2;
  return {(s6 * least - 1) * (1.0f / 7) + s6 * (s - least), s6};
}

}  // namespace fondue
