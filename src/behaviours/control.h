#pragma once
// Control (Thuerey et al. 2006, L09 7.2.3): matter is drawn into moving shapes and carried along with them, and goes on
// to flow as what it is. The shapes of [[controls]] are filled with control points p_c on a lattice, of volume V_c and
// the velocity v_c of the shape there. They take up no room. Points of a deforming mesh go with it; the particles of
// another object can be the points too: a cloth then drives what lies on it. With W of the influence radius h:
//
// clang-format off
//   covered_c = sum_j V_j W(|x_j - p_c|)                       the matter that is there already
//   v_low,c   = sum_j V_j v_j W(|x_j - p_c|) / covered_c       its mean velocity
//
//   a_i = attraction sum_c V_c (1 - min(1, covered_c)) (p_c - x_i)/|p_c - x_i| W(|x_i - p_c|)
//       + matching   sum_c V_c (v_c - v_low,c) W(|x_i - p_c|)
// clang-format on
//
// Points that have enough matter attract none, so nothing is pressed together. Only the mean velocity around a point is
// matched: what is finer than the influence radius, waves and drops, survives. Thuerey's forces are not scaled by V_c;
// with it `attraction` is an acceleration that is approached deep in an empty shape, however fine the lattice is.
//
// The particles of a sheet stand for a layer so thick that sum_c V_c W is 1 on it: V_c = h/1.4 times their part of its
// area (the cubic spline of radius h, integrated over a plane through its centre, is 1.4/h).
//
// The column `controlled` is weight sum_c V_c W, at most 1: a weight over it lets matter in the reach of a control
// behave in another way, for instance without gravity.
//
// Forces from outside: momentum is not conserved. Explicit, stable for steps below 0.5/matching.

#include "behaviours/behaviour.h"
#include "shapes/mesh_sequence.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> controlled{"controlled", "1", "how far it is in the reach of controls: 0 to 1", 0, true};
}

class Control final : public Behaviour {
 public:
  static constexpr Parameter attraction{.name = "attraction",
                                        .unit = "m/s^2",
                                        .initial = 20,
                                        .least = 0,
                                        .keys = Parameter::Keys::attribute,
                                        .help = "acceleration towards parts of the shape that have no matter yet"};
  static constexpr Parameter matching{.name = "matching",
                                      .unit = "1/s",
                                      .initial = 10,
                                      .least = 0,
                                      .keys = Parameter::Keys::attribute,
                                      .help = "how fast its mean velocity follows that of the shape"};
  /// Of [[controls]].
  static constexpr Parameter region_radius{
      .name = "radius",
      .unit = "m",
      .initial = 0,
      .least = above_zero,
      .keys = Parameter::Keys::time,
      .required = true,
      .help = "influence radius: how far it reaches beyond its shape, and the size of what it leaves alone"};
  static constexpr Parameter region_strength{.name = "strength",
                                             .initial = 1,
                                             .least = 0,
                                             .keys = Parameter::Keys::time,
                                             .help = "factor of attraction and matching"};
  static constexpr Parameter region_object{
      .name = "object",
      .kind = Parameter::Kind::text,
      .help = "an object whose particles are the control, instead of a shape; it is not controlled itself"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override { particles.require(columns::controlled); }
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_rates(const Slots& slots, const Accelerations& rates) const override;
  void limit_steps(const Slots& slots, float* limits) const override;

 private:
  /// The control points of a region in its own frame, made once; those of a deforming mesh go with it.
  struct Lattice {
    const Shape* shape;
    float spacing;
    std::vector<Vec3> points;
    std::shared_ptr<const CarriedPoints> carried;
  };
  /// Control points now.
  struct Points {
    std::vector<Vec3> position, velocity;
    std::vector<float> volume;
    /// Index of the object they belong to, or one that no object has.
    Index object;
  };
  const Lattice& lattice_of(const Region& region, float radius, int dimension);
  Points points_of(const Evaluation& evaluation, const Region& region, float radius);
  void add_region(const Evaluation& evaluation, const Region& region);

  std::vector<Lattice> lattices_;
  Property<float> attraction_, matching_, weight_;
  /// Control points per radius.
  static constexpr float points_per_radius = 2;
  /// By particle, for an attraction and a matching of 1: directions towards what is not covered, and velocities.
  std::vector<Vec3> pull_, lag_;
};

}  // namespace fondue
