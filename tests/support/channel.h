#pragma once
// Flows between plates, and how fast they are.

#include <cmath>

#include "core/random.h"
#include "support/setups.h"

namespace fondue::testing_support {

/// How the particles of a fluid are arranged at the start; disturbed is a lattice with noise of a quarter of a spacing.
enum class Arrangement { lattice, blue_noise, disturbed };

/// A channel along x between y = 0 and 1, periodic, with solid walls; in three dimensions a few spacings wide.
inline WorldSetup channel(float dx, std::vector<Track> tracks, Arrangement arrangement = Arrangement::blue_noise,
                          int dimension = 2) {
  WorldSetup setup = world_setup(dimension, dx);
  const float length = dimension == 3 ? 6 * dx : 0.5f, width = dimension == 3 ? 6 * dx : 0;
  setup.domain = Box{Vec3(0, -0.5f, 0), Vec3(length, 1.5f, width)};
  setup.periodic = {true, false, dimension == 3};
  const ShapePtr shape = dimension == 3 ? make_box(Vec3(0, 0, 0), Vec3(length, 1, width)) : rectangle(0, 0, length, 1);
  setup.objects.push_back(object("fluid", shape, dx, std::move(tracks)));
  if (arrangement == Arrangement::blue_noise) setup.objects.back().filling = Filling::blue_noise;
  setup.colliders.push_back(solid("floor", rectangle(-1, -0.5f, 1.5f, 0)));
  setup.colliders.push_back(solid("ceiling", rectangle(-1, 1, 1.5f, 1.5f)));
  return setup;
}

inline void disturb(World& world, float by) {
  const auto x = world.particles()[columns::position];
  const Vec3 directions(1, 1, world.setup().dimension == 3 ? 1 : 0);
  for (Index i = 0; i != x.size(); ++i) x[i] += by * (2 * random_point(5, i) - Vec3::Ones()).cwiseProduct(directions);
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
