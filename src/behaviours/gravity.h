#pragma once
// Gravity: the same acceleration g for every particle. In two dimensions up is y, so a z component acts along y.

#include "behaviours/behaviour.h"

namespace fondue {

class Gravity final : public Behaviour {
 public:
  static constexpr Parameter acceleration{
      .name = "acceleration",
      .kind = Parameter::Kind::vector,
      .unit = "m/s^2",
      .initial_vector = {0, 0, -9.81f},
      .keys = Parameter::Keys::time,
      .help = "acceleration of everything; in two dimensions its vertical part acts along y"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  int dimension_ = 3;
  Property<Vec3> g_;
  Property<float> weight_;
  /// It is the same for all particles.
  bool everywhere_ = false;
};

}  // namespace fondue
