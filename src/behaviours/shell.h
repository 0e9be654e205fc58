#pragma once
// Thin shells: a sheet (particles/sheets.h) that is stretched and bent like a wall of its thickness and goes back to
// the shape in which it became a shell, flat or curved. shell_force.h has the equations, shell_shape.h the reference
// shape.
//
// Conserves linear and angular momentum exactly; without damping the energy within 2 %. Its forces are taken in
// substeps (world/substeps.h) of at most
//
//   h = 0.9 (sqrt(g^2 + 4 w^2) - g)/w^2,   w^2 = 2 sum_j k_ij (s_i + s_j)/m,   s = max((lambda + 2 mu) h A/M_least, a)
//
// and g the same of the damping: w is a bound of the fastest oscillation, because a least-squares fit never leaves more
// than what it fits. Water is kept on its side by world/sheet_contacts.h. `plastic` lets it keep dents, `fracture` lets
// it tear.

#include "behaviours/behaviour.h"
#include "behaviours/shell_force.h"

namespace fondue {

class Shell final : public Behaviour {
 public:
  using SubstepFormulas = TypeList<ShellForce>;

  static constexpr Parameter youngs_modulus{.name = "youngs_modulus",
                                            .unit = "Pa",
                                            .initial = 1e7,
                                            .least = above_zero,
                                            .keys = Parameter::Keys::attribute,
                                            .help = "stiffness of what it is made of: rubber 1e6, plastic 1e9"};
  static constexpr Parameter poissons_ratio{
      .name = "poissons_ratio",
      .initial = 0.3,
      .least = -0.95,
      .most = 0.5,
      .keys = Parameter::Keys::attribute,
      .help = "how much it narrows when stretched: cork 0, metal 0.3, rubber 0.5; bending has 1/3 in any case"};
  static constexpr Parameter damping{.name = "damping",
                                     .initial = 0.1,
                                     .least = 0,
                                     .most = 1,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "how fast oscillations die; 0 never, 1 fast"};
  static constexpr Parameter friction{.name = "friction",
                                      .initial = 0.3,
                                      .least = 0,
                                      .help =
                                          "Coulomb's coefficient with colliders, other sheets and bodies; water slides "
                                          "freely"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation&) override {}
  void begin_substeps(const SubstepEvaluation& evaluation, fondue::SubstepFormulas& formulas) override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  void renew(const SubstepEvaluation& evaluation);
  void find_coefficients(const SubstepEvaluation& evaluation);
  void find_longest(const SubstepEvaluation& evaluation) const;
  ShellForce formula(const SubstepEvaluation& evaluation);

  /// What ShellForce says.
  struct {
    std::vector<float> own[3], other[3], k, k_d;
  } by_entry_;
  struct {
    std::vector<float> inverse_moment[3], lambda, mu, a, b, a_rate, energies;
    /// Smallest eigenvalue of M/A and m4, of the reference shape; s and d.
    std::vector<float> least, fourth, stiffest, d;
  } by_place_;
  std::vector<float> records_;
};

}  // namespace fondue
