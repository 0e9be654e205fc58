#pragma once
// A point that attracts (or, with negative strength, repels) like a ball of matter of the given radius: inside the pull
// grows with the distance, outside it falls with its square (in 2D as well).
//
//   a_i = strength (c - x_i)/radius          for r < radius
//   a_i = strength (c - x_i)/r (radius/r)^2  beyond

#include "behaviours/behaviour.h"

namespace fondue {

class Attractor final : public Behaviour {
 public:
  static constexpr Parameter centre{.name = "centre",
                                    .kind = Parameter::Kind::vector,
                                    .unit = "m",
                                    .keys = Parameter::Keys::time,
                                    .help = "where it is"};
  static constexpr Parameter strength{.name = "strength",
                                      .unit = "m/s^2",
                                      .initial = 10,
                                      .keys = Parameter::Keys::attribute,
                                      .help = "acceleration at the radius; negative repels"};
  static constexpr Parameter radius{.name = "radius",
                                    .unit = "m",
                                    .initial = 1,
                                    .least = above_zero,
                                    .keys = Parameter::Keys::time,
                                    .help = "distance of the strongest pull"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;

 private:
  Property<Vec3> centre_;
  Property<float> strength_, radius_, weight_;
  std::span<const Vec3> x_;
};

}  // namespace fondue
