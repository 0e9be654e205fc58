// What coarse levels are worth in a solve (unit tests have what they propose).

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "support/resumed.h"

namespace fondue::test_large_bodies {
namespace {

using namespace testing_support;

constexpr float dx = 0.1f;

/// A block of wax of n x n x n particles, just put on the floor.
WorldSetup wax_on_floor(int n) {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(
      object("wax", make_box(Vec3::Zero(), Vec3::Constant(static_cast<float>(n) * dx)), dx,
             {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 20.0f}}),
              track("viscosity", {{Viscosity::dynamic_viscosity, 1e5f},
                                  {Viscosity::scheme, static_cast<int>(ViscosityScheme::implicit_)}})}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
  return setup;
}

TEST(LargeBodies, TakeFewIterations) {
  // Without levels it would be the most that is allowed, 60, in every step. Some of the first step are made before it
  // turns out that they are needed.
  World world(wax_on_floor(28));
  world.step(1);
  int all = 0;
  for (int k = 0; k != 8; ++k) {
    world.step(1);
    all += world.solve_result().iterations;
    EXPECT_LT(world.solve_result().error, 0.21);
  }
  EXPECT_LE(all, 8 * 20);
}

TEST(LargeBodies, AreResumedToTheLastBit) {
  const WorldSetup setup = wax_on_floor(28);
  World world(setup);
  world.step(1);
  ASSERT_TRUE(world.state().contains("solve.steps with levels"));
  expect_resumed_the_same(setup, 1e-6, 10 * world.time());
}

}  // namespace
}  // namespace fondue::test_large_bodies
