// The pressure on a disc of a surface, as a transducer measures it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "cache/probes.h"
#include "core/error.h"
#include "support/setups.h"

namespace fondue::test_pressure_probes {
namespace {

using namespace testing_support;

constexpr float dx = 0.025f, width = 0.4f, depth = 0.3f, g = 9.81f;

/// Water in a tank; still after a second, as it is very viscous.
WorldSetup still_water() {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(
      object("water", make_box(Vec3::Zero(), Vec3(width, width, depth)), dx,
             {track("gravity"), track("fluid"), track("artificial_viscosity", {{ArtificialViscosity::alpha, 1.0}})}));
  setup.colliders.push_back(container("tank", make_box(Vec3::Zero(), Vec3(width, width, 2 * depth)), 1));
  return setup;
}

ProbeSetup pressure(const Vec3& at, float radius, float response = 0) {
  return {"p", ProbeKind::pressure, at, Vec3(1, 0, 0), "tank", radius, response};
}

/// Means over the oscillations of a column that begins to carry its weight at the start.
std::vector<double> mean_pressures(World& world, const Probes& probes) {
  run_until(world, 0.5);
  std::vector<double> sum, row = probes.measure(world);
  const double start = world.time();
  while (world.time() < 1) {
    const double before = world.time();
    world.step(1);
    row = probes.measure(world);
    sum.resize(row.size());
    for (std::size_t k = 1; k != row.size(); ++k) sum[k] += row[k] * (world.time() - before);
  }
  for (double& value : sum) value /= world.time() - start;
  return sum;
}

TEST(PressureProbe, ReadsTheWeightOfTheWaterAboveOnFloorWallAndEdge) {
  World world(still_water());
  const float middle = width / 2, radius = 3 * dx;
  // Of a disc around a point of an edge one half is seen; of one on a wall the half above the edge, whose weighted mean
  // height over its radius is 2 int r^2 (1 - r^2)^2 dr / (pi int r (1 - r^2)^2 dr).
  const double half_disc = 2 * (8.0 / 105) / (std::numbers::pi / 6);
  const Probes probes({pressure(Vec3(middle, middle, 0), radius), pressure(Vec3(0, middle, depth / 2), radius),
                       pressure(Vec3(middle, 0.001f, 0), radius), pressure(Vec3(0, middle, 0.001f), radius)},
                      world);
  const std::vector<double> p = mean_pressures(world, probes);
  const double weight = 1000 * g;
  // The pressure of a resting column is known within 5 % of that at its base (Hydrostatics), 10 % in edges (walls.h).
  EXPECT_NEAR(p[1], weight * depth, 0.05 * weight * depth);
  EXPECT_NEAR(p[2], weight * depth / 2, 0.05 * weight * depth);
  EXPECT_NEAR(p[3], weight * depth, 0.1 * weight * depth);
  EXPECT_NEAR(p[4], weight * (depth - half_disc * radius), 0.1 * weight * depth);
}

TEST(PressureProbe, PushesOnABodyAddUpToTheForceOnIt) {
  WorldSetup setup = still_water();
  setup.objects[0].velocity = Vec3(3, 0, 0);
  World world(setup);
  for (const double time : {0.01, 0.05, 0.1}) {
    run_until(world, time);
    const Vec3 force = world.force_on(0);
    Vec3d sum = Vec3d::Zero();
    for (const Push& push : world.pushes_on(0)) sum += push.force;
    EXPECT_GT(force.norm(), 100);
    // The force is rounded to a float.
    EXPECT_LT((sum - force.cast<double>()).norm(), 1e-6 * force.norm());
  }
}

TEST(PressureProbe, FollowsWithTheResponseOfALowPass) {
  // A step from 0 to p is answered by p (1 - exp(-t/T)); the integral of what is missing until then, int (p - P) dt, is
  // T P for any p that varies.
  constexpr float response = 0.02f;
  const Vec3 at(width / 2, width / 2, 0);
  World world(still_water());
  const Probes probes({pressure(at, 3 * dx), pressure(at, 3 * dx, response)}, world);
  std::vector<double> row = {0, 0, 0};
  double missing = 0, largest = 0;
  while (world.time() < 0.1) {
    const double before = world.time();
    world.step(0.1);
    const std::vector<double> next = probes.measure(world, row);
    // Within a step p is constant, and P between its ends decays towards it: the mean of p - P is (P' - P) T / dt.
    missing += (world.time() - before) * (next[1] - (row[2] + next[2]) / 2);
    largest = std::max(largest, next[1]);
    row = next;
  }
  ASSERT_GT(row[2], 1000);
  // The trapezium's error is (dt/T)^2/12 of each part.
  EXPECT_NEAR(missing, response * row[2], 2e-3 * response * largest);
  // The first row has nothing to follow.
  const std::vector<double> first = probes.measure(world);
  EXPECT_EQ(first[2], first[1]);
}

TEST(PressureProbe, APlaceThatAnotherColliderCoversIsRefused) {
  WorldSetup setup = still_water();
  setup.colliders.push_back(solid("block", make_box(Vec3(0.1f, 0.1f, -0.1f), Vec3(0.3f, 0.3f, 0.1f))));
  setup.objects.clear();
  World world(setup);
  EXPECT_THROW(Probes({pressure(Vec3(0.2f, 0.2f, 0), 2 * dx)}, world), InputError);
  EXPECT_NO_THROW(Probes({pressure(Vec3(0.05f, 0.05f, 0), 2 * dx)}, world));
}

}  // namespace
}  // namespace fondue::test_pressure_probes
