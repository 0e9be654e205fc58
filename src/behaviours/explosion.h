#pragma once
// An explosion (L09 7.2.1 names it; the formula is derived): a blast wave leaves a point at a time t0 and travels
// outward with a speed u. As it passes, it pushes matter away from the centre with a bell-shaped pulse of duration tau:
//
//   a(x, t) = I(r)/tau g((t - t0 - r/u)/tau) n,   g(s) = 2 sin^2(pi s) for 0 < s < 1,   n = (x - centre)/r
//   I(r) = strength (r0/max(r, r0))^2
//
// The integral of g is 1, so a particle that hardly moves while the wave passes gains the velocity I(r): `strength`
// within the radius r0, falling with the square of the distance beyond it. In the centre itself there is no direction
// and no push.
//
// An external force: momentum is not conserved, but by symmetry that of matter around the centre stays zero. Steps are
// short enough to see the pulse: tau/8 while the wave passes, and none jumps over its arrival.

#include "behaviours/behaviour.h"

namespace fondue {

class Explosion final : public Behaviour {
 public:
  static constexpr Parameter centre{.name = "centre",
                                    .kind = Parameter::Kind::vector,
                                    .unit = "m",
                                    .keys = Parameter::Keys::time,
                                    .help = "where the blast comes from"};
  static constexpr Parameter strength{.name = "strength",
                                      .unit = "m/s",
                                      .initial = 10,
                                      .keys = Parameter::Keys::attribute,
                                      .help = "velocity that matter within the radius gains; negative pulls inward"};
  static constexpr Parameter radius{
      .name = "radius",
      .unit = "m",
      .initial = 0.1,
      .least = above_zero,
      .help = "full strength within it, falling with the square of the distance beyond it"};
  static constexpr Parameter start{
      .name = "start", .unit = "s", .initial = 0, .least = 0, .help = "when the blast leaves the centre"};
  static constexpr Parameter speed{
      .name = "speed", .unit = "m/s", .initial = 100, .least = above_zero, .help = "how fast the blast travels"};
  static constexpr Parameter duration{
      .name = "duration", .unit = "s", .initial = 0.01, .least = above_zero, .help = "how long it pushes as it passes"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  /// When the wave reaches a particle.
  double arrival(Index i) const;

  double time_ = 0;
  Property<Vec3> centre_;
  Property<float> strength_, radius_, start_, speed_, duration_, weight_;
  std::span<const Vec3> x_;
};

}  // namespace fondue
