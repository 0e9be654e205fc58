#pragma once
// Elastic bodies (L09 4.2, corrected): matter that remembers the shape it had when it became elastic and goes back to
// it. elastic_force.h has the equations, elastic_shape.h the reference shape.
//
// Conserves linear and angular momentum exactly; without damping the energy within 2 %. Its force is taken in substeps
// (world/substeps.h) of at most 0.5 dx/c_p, c_p = sqrt((lambda + 2 mu)/rho), as many as the step needs: no stiffness is
// unstable, and the cost grows with the square root of Young's modulus once its waves are faster than the step. Very
// many substeps give way to an implicit step (`scheme`, world/stiff_step.h), which damps what it does not resolve.
//
// Particles that enter beside matter that is elastic already join it as it is, stress-free; the old matter keeps its
// stress. In two dimensions a body is in plane strain. Bonds reach through no periodic side when they are made.
//
// Young's modulus over an attribute falls at once and rises towards its curve by a factor e in a quarter of a second. A
// higher modulus adds energy to what is strained; where the attribute follows the strain, as the saturation of pores
// that are stretched does, matter would be stiff on its way back and soft on its way out, and drive itself.

#include "behaviours/behaviour.h"
#include "behaviours/elastic_force.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> present_modulus{
    "present_modulus", "Pa", "Young's modulus, which rises slowly where it follows an attribute", 0, true,
    MergeRule::keep};
}

class Elastic final : public Behaviour {
 public:
  using SubstepFormulas = TypeList<ElasticForce>;

  static constexpr std::string_view strain_names[] = {"corotated", "green"};
  static constexpr Parameter youngs_modulus{.name = "youngs_modulus",
                                            .unit = "Pa",
                                            .initial = 1e5,
                                            .least = above_zero,
                                            .keys = Parameter::Keys::attribute,
                                            .help = "stiffness: jelly 1e3 to 1e4, rubber 1e6 to 1e7, wood 1e10"};
  static constexpr Parameter poissons_ratio{
      .name = "poissons_ratio",
      .initial = 0.3,
      .least = -0.95,
      .most = 0.49,
      .keys = Parameter::Keys::attribute,
      .help = "how much it narrows when stretched: cork 0, metal 0.3, jelly and rubber 0.45; it must be below 0.5"};
  static constexpr Parameter damping{.name = "damping",
                                     .initial = 0.1,
                                     .least = 0,
                                     .most = 1,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "how fast oscillations die; 0 never, 1 fast"};
  static constexpr Parameter strain{
      .name = "strain",
      .kind = Parameter::Kind::choice,
      .choices = strain_names,
      .help = "corotated survives being turned inside out; green is that of L09, for comparison"};
  static constexpr std::string_view scheme_names[] = {"automatic", "substeps", "implicit"};
  static constexpr Parameter scheme{
      .name = "scheme",
      .kind = Parameter::Kind::choice,
      .choices = scheme_names,
      .help =
          "how what is faster than the step is advanced; automatic is implicit where many substeps would be spent on "
          "motions too small to be seen"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void prepare_exchange(Particles& particles, int dimension) const override;
  void begin_substeps(const SubstepEvaluation& evaluation, fondue::SubstepFormulas& formulas) override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  void find_moduli(const Evaluation& evaluation);
  void bond(const Evaluation& evaluation);
  void renew(const SubstepEvaluation& evaluation);
  void find_coefficients(const SubstepEvaluation& evaluation);
  ElasticForce formula(const SubstepEvaluation& evaluation, bool any_stored, bool any_damped);

  /// Ids of particles that have entered and have no bonds yet.
  std::vector<Index> unbonded_;
  /// What ElasticForce says. By place also mu and d of the last find_coefficients().
  struct {
    std::vector<float> k, X_ij[3], kX_ij[3], k_mu, k_d;
  } by_entry_;
  struct {
    std::vector<float> X[3], inverse_moment[6], V, lambda, mu, d, sum_kX[3], stored[6], start_moment[9], start_force[3],
        own_force[3], matrix[9], energies, last_mu, last_d;
  } by_place_;
  std::vector<float> records_;
  std::vector<std::uint8_t> holds_, green_;
  /// By particle: lambda + 2 mu.
  std::vector<float> moduli_;
};

}  // namespace fondue
