#pragma once
// Probes: quantities of a run over time, for comparison with measurements.
//
//   point   pressure, density, velocity and, if there is one, temperature at a point, interpolated from nearby
//           particles, A = sum V A W / sum V W; NaN where there are none
//   front   extent of the matter along a direction: the farthest particle that is not spray, plus half a spacing
//   height  height above a point along a direction, from particles within a spacing of the line
//   force   force on a collider

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
  std::vector<double> measure(World& world) const;

 private:
  struct Probe {
    ProbeSetup setup;
    /// Object or collider; all_objects for a front of all objects.
    Index of;
  };
  std::vector<Probe> probes_;
  bool with_temperature_;
};

}  // namespace fondue
