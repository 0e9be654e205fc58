#pragma once
// Fracture of matter with bonds that remember a shape, elastic bodies, shells and cloth: a bond breaks for good when it
// is stretched by more than a limit,
//
//   |x_ij| > (1 + limit) |X_ij|,   limit of a bond: the smaller of those of its ends
//
// A particle that has lost most of its bonds carries no energy of its own (elastic_shape.h, shell_shape.h); one without
// bonds is a loose grain. In a sheet the triangles on both sides of a broken edge go with it: there it is open.
// Regions paint parts of a body weaker or stronger when it becomes brittle: they multiply its limit.
//
// Conserves momentum and angular momentum; takes the energy of the broken bonds. Stable for any step.

#include "behaviours/behaviour.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> fracture_factor{"fracture_factor", "1", "factor of its limit of fracture", 1, true};
}

class Fracture final : public Behaviour {
 public:
  static constexpr Parameter limit{
      .name = "limit",
      .initial = 0.15,
      .least = above_zero,
      .keys = Parameter::Keys::attribute,
      .help = "stretch at which it tears: glass 0.001, biscuit 0.01, bread and cloth 0.15, rubber 3"};
  static constexpr Parameter region_factor{
      .name = "factor", .least = 0, .required = true, .help = "multiplies the limit; below 1 it breaks here first"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  void paint(const Evaluation& evaluation);
  template <class Length>
  void break_bonds(const Evaluation& evaluation, std::string_view set, const Length& length) const;

  /// Ids of particles that have entered and are not painted yet.
  std::vector<Index> unpainted_;
};

}  // namespace fondue
