#pragma once
// Wind carries along what lies at the surface: a_i = k e_i (u - v_i), with the exposure e_i from the open part of the
// particle's neighbourhood, e = clamp((1 - s_i) / 0.3), s the density ratio: 0 inside a fluid, 1 at its surface and in
// spray. Stable for dt <= 1 / k.
//
// A sheet (particles/sheets.h) is pressed by the wind across it and hardly dragged along it. With its normal n, its
// mass per area sigma, w = u - v_i, w_n = w.n and w_t = w - w_n n:
//
//   a_i = rho_air/sigma (|w_n| w_n n + 0.01 |w_t| w_t)        rho_air w_n^2: a plate with a drag coefficient of 2
//
// Stable for dt <= sigma / (2 rho_air |w|).

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
  static constexpr Parameter air_density{.name = "air_density",
                                         .unit = "kg/m^3",
                                         .initial = 1.2,
                                         .least = 0,
                                         .keys = Parameter::Keys::time,
                                         .help =
                                             "of what blows on sheets: its pressure is that times the square of "
                                             "its velocity across the sheet"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  void find_normals(const Particles& particles);

  Property<Vec3> u_;
  Property<float> strength_, air_, weight_;
  std::span<const Vec3> v_;
  std::span<const float> s_;
  /// By particle: normal of its sheet over its mass per area, zero for what belongs to none; empty: nothing does.
  std::vector<Vec3> pressed_;
};

}  // namespace fondue
