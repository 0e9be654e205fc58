#pragma once
// Probes: quantities of a run over time, for comparison with measurements.
//
//   point   pressure, density, velocity and, if there is one, temperature at a point, interpolated from nearby
//           particles, A = sum V A W / sum V W; NaN where there are none
//   front   extent of the matter along a direction: the farthest particle that is not spray, plus half a spacing
//   height  height above a point along a direction, from particles within a spacing of the line
//   force   force on a collider
//   pressure  what a transducer in the surface of a collider shows: p = -sum_i f_i.n w(|x_i - x|) over the pushes f_i
//           of particles on the collider at x_i, n the normal there and distances along the surface,
//           w(r) = 3/(pi a^2) (1 - r^2/a^2)^2 up to the radius a (in two dimensions 15/(16 a) (1 - r^2/a^2)^2), over
//           the part of the disc that lies on the surface and is not covered by another collider at the start. It
//           follows this p within a time T: P += (p - P) (1 - exp(-dt/T)).
//
// A point shows the pressure of the particles near it, whatever part of a wall they wet, and all of their sound; a
// pressure is force over area, and a response of the time that sound takes through the matter leaves that out.

#include <span>
#include <vector>

#include "cache/table.h"
#include "scene/scene.h"
#include "world/world.h"

namespace fondue {

class Probes {
 public:
  /// InputError if a probe refers to something that the world does not have.
  Probes(const std::vector<ProbeSetup>& setups, const World& world);

  bool empty() const { return probes_.empty(); }
  /// Time and every value of every probe.
  std::vector<TableColumn> table_columns() const;
  /// Those before say what pressures follow from; empty: this is the first row.
  std::vector<double> measure(World& world, std::span<const double> before = {}) const;

 private:
  struct Probe {
    ProbeSetup setup;
    /// Object or collider; all_objects for a front of all objects.
    Index of;
    /// Of a pressure: place and normal in the frame of its body, radius, and the part of the disc that counts.
    Vec3 place = Vec3::Zero(), normal = Vec3::Zero();
    double radius = 0, share = 1;
  };
  static void lay_on_surface(Probe& probe, const World& world);
  static double pressure_on(const Probe& probe, World& world);
  std::vector<Probe> probes_;
  bool with_temperature_;
};

}  // namespace fondue
