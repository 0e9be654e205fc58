#pragma once
// Wind carries along what lies at the surface: a_i = k e_i (u - v_i), with the exposure e_i from the open part of the
// particle's neighbourhood, e = clamp((1 - s_i) / 0.3), s the density ratio: 0 inside a fluid, 1 at its surface and in
// spray. Stable for dt <= 1 / k.

#include "behaviours/behaviour.h"

namespace fondue {

class Wind final : public Behaviour {
 public:
  static constexpr Parameter velocity{.name = "velocity",
                                      .kind = Parameter::Kind::vector,
                                      .unit = "m/s",
                                      .initial_vector = {5, 0, 0},
                                      .keys = Parameter::Keys::time,
                                      .help = "velocity of the air"};
  static constexpr Parameter strength{.name = "strength",
                                      .unit = "1/s",
                                      .initial = 1,
                                      .least = 0,
                                      .keys = Parameter::Keys::attribute,
                                      .help = "how fast an exposed particle takes on the wind's velocity"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  Property<Vec3> u_;
  Property<float> strength_, weight_;
  std::span<const Vec3> v_;
  std::span<const float> s_;
};

}  // namespace fondue
