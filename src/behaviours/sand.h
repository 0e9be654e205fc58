#pragma once
// Sand: matter that flows, piles up at its angle of friction, and stops (after L09 5 and Zhu & Bridson 2005, with the
// stress stored as Bui et al. 2008 do). The pressure and the volume are those of `fluid` (summation density,
// clamped state equation); this behaviour adds the deviator of the stress, which survives at rest. One step:
//
//   1. p from the fluid; corrected gradients, rate of deformation, S, yield with tan(phi) p + cohesion  sand_stress.h
//   2. the force of the stress, tension, order among particles, artificial viscosity                    sand_force.h
//   3. walls: normal pressure p - n.S n where they press, contact of single grains, Coulomb friction    below
//
// G = 3 K (1 - 2 nu)/(2 (1 + nu)) with nu = 0.3 and K = rho0 c^2 of the fluid. With Y = tan(phi) p + cohesion in the
// deviator, phi is the angle of repose: at constant volume the textbook constants of Drucker and Prager would let a
// slope of phi = 30 degrees stand at 25.6.
//
// Cohesive sand carries tension: where a particle is surrounded by others (tr M/d > 0.93) the pressure that the fluid
// clamps at zero may fall to q = -cohesion/tan(phi), the tip of the yield surface (tan(phi) at least 0.1).
//
// Contact with walls, in terms of the mean distance u, normal n and velocity of the boundary particles within reach, of
// those whose surface the grain is above:
//
// clang-format off
//   a_n = max(0, sqrt(k) (min(sqrt(k) (dx/2 - u), 0.03 c) - v_n)) where u < dx/2,   k = (c/(2 dx))^2
//         keeps single grains off the wall; lifts those that are too close without throwing them
//   z  += dt v_t,   a_t = -(k z + sqrt(k) v_t),   |a_t| <= tan(phi) grip N,   |k z| <= the same
//   N   = a_n + what p - n.S n adds
// clang-format on
//
// The bristle z bends until friction carries the load, so what has stopped does not creep; what slides is slowed by
// tan(phi) N whatever its speed. Walls and rigid bodies get the exact reaction.
//
// Elastic bodies and other solids made of particles are as rough as sand, with the exact reaction (sand_stress.h). On
// sheets sand has the friction tan(phi) (world/sheet_contacts.h).
//
// Conserves linear and angular momentum. S is advanced with the velocity predicted for the end of the step, which damps
// shear waves instead of feeding them. Stable for dt <= 0.6 R/(c_p (1 + 7.5 damping)), c_p^2 = c^2 + 4 G/(3 rho0).
// The compression and the splash of an impact are those of the fluid.
//
// Dilatancy (off by default): dense sand needs more room when it is sheared, until it is in the critical state
// (Schofield & Wroth 1968):
//
//   V += V dn,   dn = tan(psi) (1 - n/n_c) dg,   n_c = 0.1,   psi <= phi
//
// with dg the shear that yields (sand_stress.h) and n the column `loosening`. Shear takes tan(phi) p dg, of which
// tan(psi) p dg lifts what lies above: energy does not rise. The support stays: n_c changes a spacing by 3 %.

#include "behaviours/sand_force.h"
#include "behaviours/slot_arrays.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec6> sand_stress{"sand_stress", "Pa", "deviator of the stress of sand: xx, yy, zz, xy, xz, yz",
                                          0, true};
inline constexpr Column<float> loosening{"loosening", "1", "part by which shear has enlarged its volume", 0, true};
inline constexpr Column<Vec3> wall_slip{"wall_slip", "m",  "how far its contact with a wall is bent by friction",
                                        0,           true, MergeRule::keep};
}  // namespace columns

class Sand final : public Behaviour {
 public:
  using Formulas = TypeList<SandStress, SandForce>;

  static constexpr Parameter friction_angle{
      .name = "friction_angle",
      .unit = "degrees",
      .initial = 30,
      .least = 0,
      .most = 60,
      .keys = Parameter::Keys::attribute,
      .help = "angle at which a dry pile comes to rest; smooth beads 22, sand 30 to 35, gravel 40"};
  static constexpr Parameter cohesion{.name = "cohesion",
                                      .unit = "Pa",
                                      .initial = 0,
                                      .least = 0,
                                      .keys = Parameter::Keys::attribute,
                                      .help = "shear stress carried without pressure; dry sand 0, moist sand 500"};
  static constexpr Parameter dilatancy_angle{
      .name = "dilatancy_angle",
      .unit = "degrees",
      .initial = 0,
      .least = 0,
      .most = 30,
      .keys = Parameter::Keys::attribute,
      .help =
          "its tangent is the volume that dense sand gains per shear, up to a tenth; loose sand 0, dense sand 5 to 15"};
  static constexpr Parameter damping{
      .name = "damping",
      .initial = 0.02,
      .least = 0,
      .most = 10,
      .keys = Parameter::Keys::attribute,
      .help = "artificial viscosity between approaching particles, and of what has nearly stopped five times as much"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  void after_pass(Pass pass, const Slots& slots) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  bool advance(const Slots& slots) override;
  void limit_steps(const Slots& slots, float* limits) const override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  void find_solids(const Evaluation& evaluation);
  void begin_stress(const Evaluation& evaluation, const Formula& acting);
  void find_moduli(const Evaluation& evaluation);
  void begin_force(const Evaluation& evaluation, const Formula& acting);
  float sound_speed(Index slot) const;
  bool is_solid(Index i) const { return !left_free_.empty() && left_free_[i] >= 0; }
  float tension(Index slot, Index i) const;
  Vec3 contact_with_walls(Index slot, Index i);

  SandStress stress_;
  SandForce force_;
  SlotArrays by_slot_;
  float *tension_ = nullptr, *contact_[3] = {};
  std::vector<SandRecord> records_;
  bool walls_ = false;
  std::span<const Index> object_;
  /// Solids among the sand: those of the fluid, and by object where sand and solids are.
  std::span<const float> left_free_;
  std::vector<std::uint8_t> acts_on_;
  AmongSolids solids_;
  /// Largest tan(phi) and shear modulus of sand, for the solids in it.
  float roughest_ = 0, stiffest_ = 0;
  float spacing_over_support_ = 0.5f;
  /// Speed of sound of the first particle, for the statistics.
  float sound_ = 0;
  Elapsed elapsed_;
  Property<float> angle_, cohesion_, dilatancy_, damping_, weight_;
  std::span<const float> R_, m_, s_, p_;
  std::span<float> V_, loosening_;
  std::span<const Vec3> v_;
  std::span<Vec6> S_;
  std::span<Vec3> slip_;
};

}  // namespace fondue
