#pragma once
// What has happened to matter, as columns that weights and parameters can run over: events that change a material.
//
//   age       seconds since it was made
//   touched   seconds since it first touched a body, 0 until then
//   wetted    seconds since it first touched fluid of another object or absorbed some, 0 until then
//   mark      what zones have made of it, 0 at the start
//
// A particle touches a body, or fluid, that has a (boundary) particle within `reach` spacings of it. In a zone the mark
// m approaches the zone's value at its rate, dm/dt = rate (value - m), integrated exactly.
//
// It moves nothing. Each of touched and wetted costs a search around the particles that have not touched anything yet.

#include "behaviours/behaviour.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> age{"age", "s", "time since it was made", 0, true};
inline constexpr Column<float> touched{"touched", "s", "time since it first touched a body; 0 until then", 0, true};
inline constexpr Column<float> wetted{
    "wetted", "s", "time since it first touched fluid of another object or absorbed some; 0 until then", 0, true};
inline constexpr Column<float> mark{"mark", "1", "what zones have made of it; 0 at the start", 0, true};
}  // namespace columns

class History final : public Behaviour {
 public:
  static constexpr Parameter reach{.name = "reach",
                                   .initial = 1.3,
                                   .least = above_zero,
                                   .help = "how near a body or a fluid is touched, in spacings"};
  /// Of [[zones]].
  static constexpr Parameter zone_value{.name = "value",
                                        .initial = 1,
                                        .keys = Parameter::Keys::time,
                                        .help = "what the column mark of matter in it becomes"};
  static constexpr Parameter zone_rate{.name = "rate",
                                       .unit = "1/s",
                                       .initial = 1000,
                                       .least = 0,
                                       .keys = Parameter::Keys::time,
                                       .help = "how fast it does: after 1/rate two thirds of the change are done"};
  static constexpr Parameter zone_body{
      .name = "body",
      .kind = Parameter::Kind::text,
      .help = "a collider or rigid body: what touches it is in the zone, instead of what is in a shape"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void begin(const Evaluation& evaluation) override;
  bool advance(const Slots& slots) override;

 private:
  struct Zone {
    Region place;
    float value, rate;
    /// By particle, of a zone at a body: whether it touches it.
    std::vector<std::uint8_t> touching;
  };
  using Flags = std::vector<std::uint8_t>;
  /// Which of the seeking particles have a point within their reach.
  Flags near(std::span<const Vec3> points, const Flags& seeking) const;
  Flags touching_fluid(const Evaluation& evaluation, const Flags& seeking) const;

  Property<float> reach_, weight_;
  Elapsed elapsed_;
  float support_ratio_ = 2;
  std::vector<Zone> zones_;
  Flags touching_, wet_;
  std::span<const Vec3> x_;
  std::span<const float> R_;
  std::span<float> age_, touched_, wetted_, mark_;
};

}  // namespace fondue
