#pragma once
// What is worth knowing of every step: how much matter there is, how it moves, what its behaviours measure, and what
// limits the step.

#include <string>
#include <string_view>
#include <vector>

#include "cache/table.h"
#include "world/world.h"

namespace fondue {

struct Statistics {
  double time = 0, step = 0, step_size = 0, particles = 0;
  double mass = 0;
  Vec3d momentum = Vec3d::Zero();
  double kinetic_energy = 0, largest_speed = 0;
  /// By behaviour, in the order of the registry, and of the solve where there is one.
  std::vector<Statistic> names;
  std::vector<double> values;
  /// What limits the next step: a behaviour (or what StepLimit::cause says) and an object.
  std::string limited_by, limiting_object;

  /// One of `values`; an error if no behaviour of the scene measures it.
  double operator[](std::string_view name) const;
  std::vector<double> row() const;
  std::vector<std::string> words() const { return {limited_by, limiting_object}; }
};

/// Columns of row() and words() for this world.
std::vector<TableColumn> statistics_columns(const World& world);

Statistics measure(const World& world);

}  // namespace fondue
