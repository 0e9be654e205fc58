#pragma once
// Porous matter (L09 6, corrected in PHYSICS 5): bodies, sand or cloth whose pores soak up a fluid, let it flow, and
// give it back where they hold too much. pore_flow.h has the equations of the flow, pore_emission.h how fluid leaves.
//
// A particle's mass is that of the dry matter and of the fluid in its pores, so weight, inertia and buoyancy follow by
// themselves. Its pores hold rho_f phi V of fluid, with phi = phi_0 rho_0/rho of the body (L09 6.4): a body that is
// squeezed gives exactly what no longer fits. The fluid in the pores presses on the body from inside (L09 6.11),
//
//   sigma_eff = sigma - stress_share k_p S,
//
// which makes it swell; everything else that wetness does (a lower modulus, cohesion and friction of sand) is a curve
// over `saturation`. Evaporation takes evaporation (1 - humidity) S per second from a unit of free surface; it is off
// unless asked for.
//
// Free fluid that shrinks or grows keeps its support: the step does not depend
// on absorption. Mass (free, absorbed and evaporated) is conserved to 1e-12 per step, momentum exactly.
//
// Which fluid: the only one of the scene, or the object that `fluid` names. Regions of `porous` give matter that is in
// them when it becomes porous a permeability of its own.

#include "behaviours/exchange.h"
#include "behaviours/pore_emission.h"
#include "behaviours/pore_material.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> saturation{"saturation",   "1", "share of its pores that is filled", 0, true,
                                          MergeRule::keep};
inline constexpr Column<float> absorbed_mass{"absorbed_mass", "kg", "mass of the fluid in its pores", 0, true,
                                             MergeRule::keep};
inline constexpr Column<float> absorbed_remainder{
    "absorbed_remainder", "kg", "what the absorbed mass rounds away", 0, true, MergeRule::keep};
inline constexpr Column<float> emission{"emission", "kg", "fluid at its surface that will be a particle soon",
                                        0,          true, MergeRule::keep};
inline constexpr Column<float> evaporated_mass{"evaporated_mass", "kg", "fluid that it has lost to the air", 0, true,
                                               MergeRule::keep};
inline constexpr Column<float> dry_mass{"dry_mass", "kg", "mass without the fluid in its pores",
                                        0,          true, MergeRule::keep};
inline constexpr Column<float> region_permeability{
    "region_permeability",
    "m^2",
    "permeability by the region in which it became porous; 0: that of its material",
    0,
    true,
    MergeRule::keep};
inline constexpr Column<float> pore_pressure{"pore_pressure", "Pa", "potential of the fluid in its pores", 0, true,
                                             MergeRule::keep};
inline constexpr Column<float> last_pressure{"last_pressure", "Pa",
                                             "pressure of free fluid in the last evaluation, which pores see", 0, true};
inline constexpr Column<Vec3> pore_velocity{"pore_velocity", "m/s", "velocity of the fluid in its pores", 0, true,
                                            MergeRule::keep};
}  // namespace columns

class Porous final : public Behaviour {
 public:
  static constexpr Parameter porosity{.name = "porosity",
                                      .initial = 0.5,
                                      .least = 0.001,
                                      .most = 1,
                                      .help = "share of its volume that is pores: sand 0.4, sponge 0.7 to 0.95"};
  static constexpr Parameter permeability{
      .name = "permeability",
      .unit = "m^2",
      .initial = 1e-12,
      .least = above_zero,
      .keys = Parameter::Keys::attribute,
      .help = "how easily fluid flows through: clay 1e-16, sand 1e-12, gravel 1e-9"};
  static constexpr Parameter capillary_strength{.name = "capillary_strength",
                                                .unit = "Pa",
                                                .initial = 15000,
                                                .least = 0,
                                                .keys = Parameter::Keys::attribute,
                                                .help = "pressure with which dry pores draw fluid"};
  static constexpr Parameter capillary_exponent{
      .name = "capillary_exponent",
      .initial = 0.1,
      .least = 0.01,
      .most = 0.99,
      .help = "how late that pressure falls while pores fill: (1 - saturation)^exponent"};
  static constexpr Parameter flow_exponent{.name = "flow_exponent",
                                           .initial = 7,
                                           .least = 0,
                                           .most = 30,
                                           .help = "pores that are not full let less through: saturation^exponent"};
  static constexpr Parameter initial_saturation{
      .name = "saturation",
      .initial = no_default,
      .least = 0,
      .most = 1,
      .keys = Parameter::Keys::place,
      .help = "share of its pores that is filled at the start; dry if absent"};
  static constexpr Parameter emitted_saturation{
      .name = "saturation",
      .initial = no_default,
      .least = 0,
      .most = 1,
      .keys = Parameter::Keys::time,
      .help = "share of the pores of the emitted particles that is filled; that of its object, or none, if absent"};
  static constexpr Parameter viscosity{.name = "viscosity",
                                       .unit = "Pa s",
                                       .initial = 1e-3,
                                       .least = above_zero,
                                       .help = "of the fluid in the pores: water 0.001, oil 0.1"};
  static constexpr Parameter pore_pressure_constant{.name = "pore_pressure_constant",
                                                    .unit = "Pa",
                                                    .initial = 5e4,
                                                    .least = 0,
                                                    .help = "pressure of full pores on the body (k_p of L09)"};
  static constexpr Parameter stress_share{.name = "stress_share",
                                          .initial = 0,
                                          .least = 0,
                                          .most = 1,
                                          .keys = Parameter::Keys::attribute,
                                          .help = "share of that pressure that acts: makes wet bodies swell"};
  static constexpr Parameter fluid{.name = "fluid",
                                   .kind = Parameter::Kind::text,
                                   .help = "object whose fluid it takes and gives; the only fluid if absent"};
  static constexpr Parameter fluid_density{.name = "fluid_density",
                                           .unit = "kg/m^d",
                                           .initial = 1000,
                                           .least = above_zero,
                                           .help = "of the fluid in its pores, in a scene without fluid"};
  static constexpr Parameter evaporation{.name = "evaporation",
                                         .unit = "kg/(m^2 s)",
                                         .initial = 0,
                                         .least = 0,
                                         .keys = Parameter::Keys::attribute,
                                         .help = "drying of a wet surface in dry air; a warm day 1e-4"};
  static constexpr Parameter humidity{.name = "humidity",
                                      .initial = 0,
                                      .least = 0,
                                      .most = 1,
                                      .keys = Parameter::Keys::time,
                                      .help = "of the air around it: nothing dries at 1"};
  static constexpr Parameter region_permeability{.name = "permeability",
                                                 .unit = "m^2",
                                                 .initial = 1e-12,
                                                 .least = above_zero,
                                                 .required = true,
                                                 .help = "of matter that becomes porous in it"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void begin(const Evaluation& evaluation) override;
  void after_pass(Pass pass, const Slots& slots) override;
  void exchange(const Exchange& exchange) override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  void fill_new_pores(const Exchange& exchange) const;
  void choose_sites(const Exchange& exchange);
  PoreSite pore(const Exchange& exchange, Index particle) const;
  PoreSite free_fluid(const Exchange& exchange, Index particle) const;
  void find_most(const Vec3& gravity);
  void close_at_bodies(const Exchange& exchange);
  void write_free_fluid(const Exchange& exchange);
  void evaporate(const Exchange& exchange);
  void write_pores(const Exchange& exchange, std::span<const float> accounts);

  /// Pressure of the fluid; empty: there is none.
  std::span<const float> pressure_;
  std::span<float> last_pressure_;
  /// Of the present flow: by object what fills its pores, and a full particle of it if it is a fluid; sites in the
  /// order of ids and the particles they stand for.
  std::vector<PoreMaterial> materials_;
  Property<float> weight_, permeability_, strength_;
  std::vector<FullParticle> full_;
  std::vector<PoreSite> sites_;
  std::vector<Index> particle_;
  PoreFlow flow_;
};

}  // namespace fondue
