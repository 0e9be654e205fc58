#pragma once
// What is worth knowing of every step: how much matter there is, how it moves, how far it is compressed.

#include <vector>

#include "cache/table.h"
#include "world/world.h"

namespace fondue {

struct Statistics {
  double time = 0, step = 0, step_size = 0, particles = 0;
  double mass = 0;
  Vec3d momentum = Vec3d::Zero();
  double kinetic_energy = 0, potential_energy = 0;
  double largest_speed = 0;
  /// Mean and largest of max(0, density / rest density - 1).
  double mean_compression = 0, largest_compression = 0;
  /// Of the implicit viscosity: iterations, and the residual over the change of velocity they ended with.
  double viscosity_iterations = 0, viscosity_error = 0;
  /// Of matter with the behaviour heat, above 0 K: sum of m (c T + L melted).
  double heat = 0;

  static std::vector<TableColumn> table_columns();
  std::vector<double> row() const;
};

Statistics measure(const World& world);

}  // namespace fondue
