#pragma once
// Probes: numbers of a run over time that one compares with a measurement.
//
//   point   pressure, density, velocity and, if there is one, temperature at a place, interpolated from the particles
//           around it, A = sum V A W / sum V W; not a number where it is dry
//   front   how far the matter reaches along a direction: the furthest particle that is not spray, and half a spacing
//   height  how high it stands above a place along a direction, within a spacing of the line
//   force   force on a collider

#include <vector>

#include "cache/table.h"
#include "scene/scene.h"
#include "world/world.h"

namespace fondue {

class Probes {
 public:
  /// InputError if a probe is of something the world has not.
  Probes(const std::vector<ProbeSetup>& setups, const World& world);

  bool empty() const { return probes_.empty(); }
  /// Time and every value of every probe.
  std::vector<TableColumn> table_columns() const;
  std::vector<double> measure(World& world) const;

 private:
  struct Probe {
    ProbeSetup setup;
    /// Object or collider; all_objects for a front of everything.
    Index of;
  };
  std::vector<Probe> probes_;
  bool with_temperature_;
};

}  // namespace fondue
