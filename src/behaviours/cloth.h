#pragma once
// Cloth: a sheet (particles/sheets.h) that resists stretching and hardly bending. cloth_force.h has the equations,
// particles that enter are bonded as they lie, free of stress.
//
// Conserves linear and angular momentum exactly. Its forces are taken in substeps (world/substeps.h) of at most
//
//   h = 0.8 (sqrt(g^2 + 4 w^2) - g)/w^2,   w^2 = (2 |sum_j k_ij e_ij e_ij^T| + (2 sum_j c_ij)^2 B/A)/m,
//
// g the same of the damping, |.| the largest eigenvalue: no mode of bonds with directions e is faster, because
// |u_i - u_j|^2 <= 2 |u_i|^2 + 2 |u_j|^2. The step is that of the other matter in the scene. Water is kept on its side
// by world/sheet_contacts.h. `fracture` lets it tear; along a tear it does not bend, as at its edges.
//
// What presses on it closes its pores (behaviours/porous.h): at a pressure p a part 1/(1 + p/compaction) of their
// volume is left. p is the force at contacts over the area, of layers on both sides (world/sheet_contacts.h), as a mean
// over 0.05 s: folds touch and part in every step.

#include "behaviours/behaviour.h"
#include "behaviours/cloth_force.h"

namespace fondue {

class Cloth final : public Behaviour {
 public:
  using SubstepFormulas = TypeList<ClothForce>;

  static constexpr Parameter stretch{.name = "stretch",
                                     .unit = "N/m",
                                     .initial = 5000,
                                     .least = above_zero,
                                     .keys = Parameter::Keys::attribute,
                                     .help =
                                         "force per width over strain, along warp and weft: knitwear 100, cotton "
                                         "5000, canvas 50000"};
  static constexpr Parameter shear{.name = "shear",
                                   .initial = 0.2,
                                   .least = 0,
                                   .most = 1,
                                   .keys = Parameter::Keys::attribute,
                                   .help =
                                       "resistance to shear over that of a sheet without threads; woven cloth 0.1 "
                                       "to 0.3, foil 1"};
  static constexpr Parameter bending{.name = "bending",
                                     .unit = "N m",
                                     .initial = 1e-4,
                                     .least = 0,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "moment per width over curvature: silk 1e-5, cotton 1e-4, felt 1e-2"};
  static constexpr Parameter damping{
      .name = "damping",
      .initial = 0.1,
      .least = 0,
      .most = 1,
      .keys = Parameter::Keys::attribute,
      .help = "how fast stretching and wrinkling die out, over critical damping of a bond"};
  static constexpr Parameter friction{.name = "friction",
                                      .initial = 0.3,
                                      .least = 0,
                                      .keys = Parameter::Keys::attribute,
                                      .help =
                                          "Coulomb's coefficient with colliders and other cloth: silk 0.1, cotton "
                                          "0.4, velvet 1; water slides freely"};
  static constexpr Parameter adhesion{
      .name = "adhesion",
      .unit = "Pa",
      .initial = 0,
      .least = 0,
      .keys = Parameter::Keys::attribute,
      .help = "pull up to which it stays on a body that it touches: dry 0, wet 20 to 100"};
  static constexpr Parameter compaction{
      .name = "compaction",
      .unit = "Pa",
      .initial = no_default,
      .least = above_zero,
      .help =
          "pressure of folds, or of bodies that it sticks to, at which half the volume of its pores is left: terry "
          "1000; they stay open if absent"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void begin_substeps(const SubstepEvaluation& evaluation, fondue::SubstepFormulas& formulas) override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  void close_pores(const Evaluation& evaluation) const;

  /// By entry: L, k, d, c. By place: 1/A, B, b, curvature at rest.
  std::vector<float> by_entry_[4], by_place_[4], records_;
  /// Of the edges of sheets in the last evaluation.
  std::optional<std::uint64_t> seen_revision_;
};

}  // namespace fondue
