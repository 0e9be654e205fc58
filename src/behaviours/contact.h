#pragma once
// Contact of solid matter: of bodies with each other, of a folded body with itself, of broken pieces. It comes with
// every elastic body. Two particles meet if they belong to different bodies, or to the same one without bonds nearby
// (particles/contact_pairs.h). With kernels W of two spacings:
//
// clang-format off
//   g_i = sum_j V_j W_ij - w_i                                      how much too close others are
//   p_i = K_i/7 ((1 + g)^7 - 1) where g > 0, else 0                 the pressure this gives,
//         times 1 + eta q/(1 + |q|),  q = 100 (R/c) dg/dt, eta = .1  a little less on the way out
//   f_i = -sum_j V_i V_j (p_i + p_j) grad W
//       = -gradient of E = sum_i V_i K_i ((1 + g)^8/8 - 1/8 - g)/7
// clang-format on
//
// w_i is the sum that the surface of another body adds when both touch: half a spacing outside the outer particles.
// Where bonds broke, w_i is larger by what the lost neighbours added, so a crack closes as it opened. The force is
// central and antisymmetric, and but for eta the gradient of an energy: it conserves both momenta, never adds energy,
// pushes only, and acts at no distance. Without eta a stiff body at rest would hum on its contact for ever. Many pairs
// share in a contact, so surfaces slide over each other without bumps.
//
// The stiffness is as high as what meets needs, so that surfaces come closer by about a tenth of a spacing at most:
//
// clang-format off
//   K_i = max( M_i/4,              the modulus of its matter: 4 substeps per step suffice then (substeps.h)
//              25 rho_i v_i^2,     v_i: the fastest approach of others within reach, seen before they touch
//              10 rho_i g H )      the weight of all solid matter, H: twice the height of its centre above its lowest
// clang-format on
//
// v_i is remembered (contact_speed) and falls by a factor e in a quarter of a second. It rises only while nothing is
// pressed yet: a higher K would add energy then, and one that falls takes it away. H changes as slowly as matter moves.
//
// Friction: matter sticks by bristles that bend with the slip since the contact began, up to Coulomb's limit:
//
// clang-format off
//   T_i = sum_j k_ij e e^T,  k_ij = V_i V_j (-W'/r) (K_i + K_j)/8,  e = x_ij/r
//   u_i = tangential part of sum_j k_ij (v_ij.e) e, over S_i,       S_i: mean of T_i in the tangential plane
//   dz_i/dt = u_i,   |z_i| <= friction N_i/(2 S_i)                  N_i: pressing force on i
//   f_i = -sum_j k_ij ((z_i - z_j).e) e                             with z + u dx/(2 c), which damps
// clang-format on
//
// Only relative velocities along the line of a pair count, so rolling is not resisted, and these forces are central
// and antisymmetric too: friction conserves both momenta.
//
// What overlaps when it enters is given the overlap for free at first: w_i is larger by it, and shrinks back within
// half a second. Energy is kept within 1 % for dt <= 0.2 R/c, c = sqrt(K (1 + g)^6/rho), wherever others are in reach,
// and steps in which no solid matter moves by more than a quarter of a spacing relative to the mean of all.

#include "behaviours/behaviour.h"
#include "particles/contact_pairs.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec3> contact_slip{
    "contact_slip", "m", "how far it is bent aside by what it sticks to", 0, true, MergeRule::keep};
inline constexpr Column<float> contact_fill{
    "contact_fill", "1", "part of its surroundings that its own body filled when it became solid", 0, true,
    MergeRule::keep};
inline constexpr Column<float> contact_overlap{
    "contact_overlap", "1", "overlap it began with and that is left", 0, true, MergeRule::keep};
inline constexpr Column<float> contact_speed{
    "contact_speed", "m/s", "how fast other bodies came towards it, fading", 0, true, MergeRule::keep};
}  // namespace columns

class Contact final : public Behaviour {
 public:
  static constexpr Parameter friction{
      .name = "friction",
      .initial = 0.5,
      .least = 0,
      .keys = Parameter::Keys::attribute,
      .help = "Coulomb's coefficient: ice 0.05, wood 0.4, rubber 1; of two bodies the mean"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& out) const override;
  void limit_steps(const Slots& slots, float* limits) const override;
  void measure(const Measured& measured, std::span<double> values) const override;
  std::vector<ObjectNote> notes() const override { return notes_; }

 private:
  /// A particle that has a pair.
  struct Touching {
    /// g, p and K of the header; K (1 + g)^6; the largest of its own and of those it touches.
    float g = 0, p = 0, K = 0, tangent = 0, limiting = 0;
    /// Pressing force, and slip with its damping part.
    Vec3 press = Vec3::Zero(), bend = Vec3::Zero();
  };
  /// Calls visit(place of j, x_ij, r, sqrt(w_i w_j) W, the same of -W'/r) for everything within reach.
  template <class Visit>
  void each_partner(Index place, Visit&& visit) const;

  float free_of_charge(Index i) const;
  float bristle(Index i, Index j, float K_sum, float slope) const;
  ContactPairs::BondSets bonds_of(const Evaluation& evaluation) const;
  void find_candidates(const Evaluation& evaluation);
  void find_surroundings(const Evaluation& evaluation);
  void find_weight(const Evaluation& evaluation);
  void find_pressures(const Evaluation& evaluation);
  void find_overlaps(const Evaluation& evaluation);
  void find_slips(const Evaluation& evaluation);
  void find_fastest();

  ContactPairs pairs_;
  std::vector<Touching> touching_;
  /// Ids of particles that have entered and have no contact_fill yet.
  std::vector<Index> unseen_;
  std::vector<ObjectNote> notes_;
  /// The particles that contact may act on, mostly a small part of all, and the objects that they belong to.
  std::vector<Index> candidates_;
  std::vector<std::uint8_t> acted_on_;
  /// By particle: zero for what takes no part.
  std::vector<float> reach_;
  /// By particle: what its own body fills of the kernel of contact, of the kernel of the scene, and what it leaves free
  /// of the latter; negative for what is not solid.
  std::vector<float> fill_, own_, missing_;
  std::vector<std::uint8_t> exposed_;
  std::vector<std::uint64_t> revisions_;
  /// Largest speed relative to the mean of all solid matter.
  float fastest_ = 0;

  Kernel kernel_{KernelShape::cubic_spline, 3};
  float flat_ = 0, spacing_over_support_ = 0, least_stiffness_over_density_ = 0, largest_spacing_ = 0;
  Property<float> weight_, friction_;
  std::span<const Vec3> x_, v_;
  std::span<const float> V_, m_, R_;
  std::span<const Index> object_;
  std::span<Vec3> slip_;
  std::span<float> overlap_, whole_, speed_;
};

}  // namespace fondue
