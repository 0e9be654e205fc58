#pragma once
// Plastic flow of elastic matter (O'Brien, Bargteil & Hodgins 2002): strain beyond a limit becomes permanent. With the
// deviator e' of the elastic strain (elastic_force.h), its size s = sqrt(2/3) |e'| (the stretch of a bar that keeps its
// volume), and the amount p of plastic strain so far,
//
//   de_p/dt = creep (s - y)/s e'   while s > y = yield + hardening p and p < maximum,    dp/dt = sqrt(2/3) |de_p/dt|
//
// e_p is added to the stored strain. Where it has grown by 0.05 the body's present shape becomes its reference
// (elastic_shape.h), because the part of the energy that resists zero-energy modes remembers the old one; stress stays.
//
// Of a shell (shell_force.h) the same is asked of the strains of both faces, e +- h/2 times the curvature, completed by
// the normal strain -tr(e) of a sheet that yields and keeps its volume. Strain and curvature flow by the same part into
// the reference of each particle (shell_shape.h), which needs no new one.
//
// Conserves momentum, as it only changes where the body is free of stress, and angular momentum; takes energy. Volume
// does not flow. Stable for any step: no more than s - y flows in one.

#include "behaviours/behaviour.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> plastic_strain{"plastic_strain", "1", "amount of plastic strain so far", 0, true};
inline constexpr Column<float> plastic_growth{"plastic_growth", "1", "plastic strain since the last reference shape", 0,
                                              true};
}  // namespace columns

class Plastic final : public Behaviour {
 public:
  static constexpr Parameter yield{.name = "yield",
                                   .initial = 0.05,
                                   .least = 0,
                                   .keys = Parameter::Keys::attribute,
                                   .help = "strain from which it deforms for good: metal 0.002, clay 0.02, putty 0"};
  static constexpr Parameter creep{.name = "creep",
                                   .unit = "1/s",
                                   .initial = 1000,
                                   .least = 0,
                                   .keys = Parameter::Keys::attribute,
                                   .help = "rate at which strain beyond the yield becomes permanent; small: slowly"};
  static constexpr Parameter maximum{.name = "maximum",
                                     .initial = 1e6,
                                     .least = 0,
                                     .keys = Parameter::Keys::attribute,
                                     .help = "amount of plastic strain beyond which it is elastic only"};
  static constexpr Parameter hardening{.name = "hardening",
                                       .initial = 0,
                                       .least = 0,
                                       .keys = Parameter::Keys::attribute,
                                       .help = "growth of the yield for each unit of plastic strain"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  bool advance(const Slots& slots) override;

 private:
  void flow(Index i);
  /// The amount of plastic strain that flows in this step where s is this.
  double flowing(Index i, double s) const;
  void flow_shells(const Evaluation& evaluation);

  Particles* particles_ = nullptr;
  int dimension_ = 3;
  Elapsed elapsed_;
  Property<float> yield_, creep_, maximum_, hardening_, weight_;
};

}  // namespace fondue
