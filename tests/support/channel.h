#pragma once
// Flows between plates, and how fast they are.

#include <cmath>

#include "support/setups.h"

namespace fondue::testing_support {

/// A channel along x between y = 0 and 1, periodic, with solid walls.
inline WorldSetup channel(float dx, std::vector<Track> tracks, float support_ratio = 3) {
  WorldSetup setup = world_setup(2, dx);
  setup.support_ratio = support_ratio;
  setup.domain = Box{Vec3(0, -0.5f, 0), Vec3(0.5f, 1.5f, 0)};
  setup.periodic = {true, false, false};
  setup.objects.push_back(object("fluid", rectangle(0, 0, 0.5f, 1), dx, std::move(tracks)));
  setup.objects.back().filling = Filling::blue_noise;
  setup.colliders.push_back(solid("floor", rectangle(-1, -0.5f, 1.5f, 0)));
  setup.colliders.push_back(solid("ceiling", rectangle(-1, 1, 1.5f, 1.5f)));
  return setup;
}

/// Mean velocity along x within a spacing of a height.
inline double velocity_at(const World& world, float y, float within) {
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  double sum = 0, count = 0;
  for (std::size_t i = 0; i != x.size(); ++i)
    if (std::abs(x[i].y() - y) < within) {
      sum += v[i].x();
      count += 1;
    }
  return sum / count;
}

}  // namespace fondue::testing_support
