#pragma once
// The speed that the automatic sound of fluids is chosen by: that of what moves and presses now, not of a fall through
// the whole scene (PHYSICS 1). Sound is v/sqrt(compressibility): ten times as fast at one per cent.
//
// clang-format off
//   v^2 = max( <v^4>/<v^2>/2,                          the bulk of the moving matter, where it is stopped (Bernoulli)
//              (0.2 <v>)^2/compressibility,            what falls freely as one meets a wall as one
//              min( 2 g 2 (mean height - lowest height),     what a column as deep as the matter presses with
//                   3 <q^2>/<q>,  1.4 sqrt(12 <q^2>),        what the matter presses with, q = p/rho0; less where
//                   20 <q> ) )                               viscosity or walls carry the weight
// clang-format on
//
// with means over all particles inside matter (density ratio above 0.7), weighted by mass; <q^2>/<q> and the root are 2
// g H for a column of height H at rest. (The first is the mean pressure of what is pressed. Where only a few particles
// are, squeezed in a gap, it would make sound for them alone; the second is never below the mean of all, so it keeps
// the mean compression as well. With the third the mean compression is a twentieth of what is allowed; a column at rest
// has a quarter.) Spray does not count: single fast particles would drive the speed up. What matter presses with is a
// mean over the time that sound needs to cross it ten times: stiffness that rose and fell with every swing of a tank's
// water would push the swing. The speed falls by a hundredth per step at most, because waves need some steps to settle,
// and rises at once. It is at least a quarter of the speed expected in the scene, and the first and the last form are
// at most that speed. When the mean compression all the same comes near the parameter compressibility, which is a
// promise, the speed rises by two hundredths per step until it falls again.
//
// Where matter sleeps (world/sleep.h) its pressure follows the speed instead of its weight; so while some does, changes
// of less than 5 % are not made: they would go on by themselves.
//
// Matter that may sleep and matter that never does follow their own motion (fluid.h), and press as deep as the deeper
// of the two.
//
// The sums are made block by block in the order of slots, so they do not depend on threads or on how particles are
// stored. Its memory is two numbers.

#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

class FollowedSpeed {
 public:
  /// Sums over particles.
  template <class Number>
  struct SumsOf {
    Number mass = 0, px = 0, py = 0, pz = 0, v2 = 0, v4 = 0, q = 0, q2 = 0, height = 0, lowest = 1e30f;
    /// Mass of all particles, and times how much they are compressed.
    Number all_mass = 0, compression = 0;
    /// Mass of what sleeps.
    Number asleep = 0;

    void add(float its_mass, const Vec3& v, float s, float pressure_over_density, float its_height) {
      all_mass += its_mass;
      compression += its_mass * (s > 1 ? s - 1 : 0);
      const bool counts = s > 0.7f;
      const float m = counts ? its_mass : 0, speed2 = v.squaredNorm();
      mass += m;
      px += m * v.x();
      py += m * v.y();
      pz += m * v.z();
      v2 += m * speed2;
      v4 += m * speed2 * speed2;
      q += m * pressure_over_density;
      q2 += m * pressure_over_density * pressure_over_density;
      height += m * its_height;
      lowest = counts && its_height < lowest ? its_height : lowest;
    }
    template <class Other>
    void add(const SumsOf<Other>& other);
  };
  using Sums = SumsOf<double>;
  /// Of one block of slots, which are few enough for single precision.
  using BlockSums = SumsOf<float>;

  /// What it remembers: the speed [m/s], and the mean of what the matter presses with [m^2/s^2].
  struct Memory {
    float speed = -1, pressing = -1;
  };
  struct Scene {
    float expected_speed = 0, acceleration = 0, compressibility = 1;
    /// Depth of all matter [m].
    double depth = 0;
  };

  /// Before an evaluation: takes over what the sums of the last one ask for, if this one is of a step.
  void begin(const Scene& scene, std::size_t blocks, float step);
  void set(std::size_t block, const BlockSums& sums) {
    blocks_[block] = {};
    blocks_[block].add(sums);
  }

  float speed() const { return memory_.speed; }
  /// Of the matter in the sums, twice the height of its middle [m].
  double depth() const;
  /// What a run continues from: what is remembered, and the sums that the next step will need.
  static constexpr std::size_t numbers_of_state = 15;
  std::vector<double> state() const;
  void restore(std::span<const double> saved);

 private:
  Sums all() const;
  Memory after(float step) const;

  Memory memory_;
  Scene scene_;
  std::vector<Sums> blocks_;
};

template <class Number>
template <class Other>
void FollowedSpeed::SumsOf<Number>::add(const SumsOf<Other>& other) {
  const auto lower = static_cast<Number>(other.lowest);
  mass += other.mass;
  px += other.px;
  py += other.py;
  pz += other.pz;
  v2 += other.v2;
  v4 += other.v4;
  q += other.q;
  q2 += other.q2;
  height += other.height;
  lowest = lower < lowest ? lower : lowest;
  all_mass += other.all_mass;
  compression += other.compression;
  asleep += other.asleep;
}

}  // namespace fondue
