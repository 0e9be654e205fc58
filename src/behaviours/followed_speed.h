#pragma once
// The speed that the automatic sound of fluids is chosen by: that of what moves and presses now, not of a fall through
// the whole scene (PHYSICS 1). Sound ten times as fast keeps the compression at one per cent.
//
// clang-format off
//   v^2 = max( <v^4>/<v^2>,                            how fast the bulk of the moving matter is
//              min( 2 g 2 (mean height - lowest height),     what a column as deep as the matter presses with
//                   3 <q^2>/<q> ) ),   q = p/rho0            what the matter presses with; less where viscosity or
//                                                            walls carry the weight
// clang-format on
//
// with means over all particles inside matter (compression above 0.7), weighted by mass; both forms of the pressure are
// 2 g H for a column of height H at rest. Spray does not count: single fast particles would drive the speed up. It
// falls by a hundredth per step at most, because waves need some steps to settle, and rises at once. It stays between a
// quarter of the speed expected in the scene and that speed, with one exception, which keeps the promise of the
// parameter compressibility: when the mean compression comes near to it, the speed rises as far as is needed.
//
// The sums are made block by block in the order of slots, so they do not depend on threads or on how particles are
// stored. Its memory is one number.

#include <vector>

#include "core/vec.h"

namespace fondue {

class FollowedSpeed {
 public:
  /// Sums over the particles of one block of slots.
  struct Sums {
    double mass = 0, v2 = 0, v4 = 0, q = 0, q2 = 0, height = 0, lowest = 1e300;
    /// Mass of all particles, and times how much they are compressed.
    double all_mass = 0, compression = 0;

    void add(double m, const Vec3& v, float s, double pressure_over_density, float its_height) {
      all_mass += m;
      compression += m * (s > 1 ? s - 1 : 0);
      if (s < 0.7f) return;
      const double speed2 = v.squaredNorm();
      mass += m;
      v2 += m * speed2;
      v4 += m * speed2 * speed2;
      q += m * pressure_over_density;
      q2 += m * pressure_over_density * pressure_over_density;
      height += m * static_cast<double>(its_height);
      lowest = its_height < lowest ? its_height : lowest;
    }
    void add(const Sums& other);
  };

  /// Before an evaluation: takes over what the sums of the last one ask for, if this one is of a step.
  void begin(float expected_speed, float acceleration, float compressibility, std::size_t blocks, bool of_a_step);
  void set(std::size_t block, const Sums& sums) { blocks_[block] = sums; }

  float speed() const { return speed_; }
  /// What the sums made since begin() ask for: the speed of the next step, and what a run continues from.
  float next() const;
  void restore(float speed) {
    speed_ = speed;
    blocks_.clear();
  }

 private:
  float speed_ = -1, expected_ = 0, acceleration_ = 0, compressibility_ = 0;
  std::vector<Sums> blocks_;
};

}  // namespace fondue
