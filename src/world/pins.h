#pragma once
// Pins hold particles: while a pin is on, those that were in its shape when it was switched on (or at the start) move
// with it and with nothing else. A pin that follows a collider holds what lies within one spacing of the surface. A
// particle held by one pin is not taken by another.

#include <map>
#include <string>
#include <vector>

#include "bodies/bodies.h"
#include "particles/particles.h"
#include "world/setup.h"

namespace fondue {

namespace columns {
inline constexpr Column<Index> pin{"pin", "1", "0, or one more than the index of the pin that holds it", 0, true};
inline constexpr Column<Vec3> pin_place{"pin_place", "m",  "where it is in the frame of its pin",
                                        0,           true, MergeRule::keep};
}  // namespace columns

class Pins {
 public:
  Pins(const WorldSetup& setup);
  bool empty() const { return setup_.pins.empty(); }
  std::size_t count() const { return setup_.pins.size(); }
  void require(Particles& particles) const;
  /// Takes hold of particles, and lets go of them, by what is on at a time. InputError if a pin finds nothing to hold.
  void update(Particles& particles, double time);
  /// Poses of all pins at a time.
  std::vector<Pose> poses(double time) const;

  /// Which pins hold something, under the names of the pins.
  void save(NamedNumbers& numbers) const;
  void restore(const NamedNumbers& numbers);

 private:
  const Motion& motion(const PinSetup& pin) const;
  bool reaches(const PinSetup& pin, const Vec3& local, float spacing) const;

  const WorldSetup& setup_;
  std::vector<std::uint8_t> on_;
};

}  // namespace fondue
