#pragma once
// Drag against still surroundings, a_i = -(k1 + k2 |v_i|) v_i, for everything or to calm a scene.
// Stable for dt <= 1 / (k1 + k2 |v|).

#include "behaviours/behaviour.h"

namespace fondue {

class Drag final : public Behaviour {
 public:
  static constexpr Parameter linear{.name = "linear",
                                    .unit = "1/s",
                                    .initial = 0.1,
                                    .least = 0,
                                    .keys = Parameter::Keys::attribute,
                                    .help = "deceleration a unit of speed"};
  static constexpr Parameter quadratic{.name = "quadratic",
                                       .unit = "1/m",
                                       .initial = 0,
                                       .least = 0,
                                       .keys = Parameter::Keys::attribute,
                                       .help = "deceleration a unit of speed squared"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  float rate(Index i) const { return weight_(i) * (linear_(i) + quadratic_(i) * v_[i].norm()); }
  Property<float> linear_, quadratic_, weight_;
  std::span<const Vec3> v_;
};

}  // namespace fondue
