// A blast gives matter the velocity it promises, when it arrives and not before.

#include <gtest/gtest.h>

#include "behaviours/explosion.h"
#include "support/setups.h"

namespace fondue::test_explosion {
namespace {

using namespace testing_support;

/// Single particles along a line, far enough apart not to feel each other, with nothing but the explosion.
World line_of_particles(int dimension) {
  WorldSetup setup = world_setup(dimension, 0.01f);
  setup.largest_step = 0.01f;
  const float far = dimension == 2 ? infinity : 0.006f;
  for (const float x : {0.05f, 0.1f, 0.2f, 0.4f})
    setup.objects.push_back(object("at " + std::to_string(x),
                                   make_box(Vec3(x - 0.006f, -0.006f, -far), Vec3(x + 0.006f, 0.006f, far)), 0.01f,
                                   {track("explosion", {{Explosion::strength, 0.05},
                                                        {Explosion::radius, 0.1},
                                                        {Explosion::start, 0.1},
                                                        {Explosion::speed, 2},
                                                        {Explosion::duration, 0.02}})}));
  return World(setup);
}

TEST(Explosion, GivesTheVelocityThatBelongsToTheDistance) {
  for (const int dimension : {2, 3}) {
    World world = line_of_particles(dimension);
    run_until(world, 0.5);
    const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
    ASSERT_GE(world.particles().size(), 4u);
    for (Index i = 0; i != world.particles().size(); ++i) {
      // The particle moves by a thousandth of its distance while the wave passes.
      const double start = x[i].norm() - v[i].norm() * (0.5 - 0.11 - x[i].norm() / 2);
      const double expected = 0.05 * std::pow(0.1 / std::max(start, 0.1), 2);
      EXPECT_NEAR(v[i].norm(), expected, 0.02 * expected) << "at " << start << " m";
      EXPECT_GT(v[i].dot(x[i]), 0.999f * v[i].norm() * x[i].norm()) << "outward";
    }
  }
}

TEST(Explosion, ArrivesWithItsSpeed) {
  World world = line_of_particles(3);
  // The wave has left at 0.1 s and is 0.15 m away at 0.175 s.
  run_until(world, 0.175);
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  for (Index i = 0; i != world.particles().size(); ++i) {
    if (x[i].norm() > 0.16f) {
      EXPECT_EQ(v[i].norm(), 0) << "not reached yet";
    }
    if (x[i].norm() < 0.14f) {
      EXPECT_GT(v[i].norm(), 0);
    }
  }
}

TEST(Explosion, IsNotJumpedOverByLongSteps) {
  World world = line_of_particles(3);
  // The wave reaches the first particle at 0.125 s; its pulse of 0.02 s takes at least eight steps.
  run_until(world, 0.125);
  const std::uint64_t before = world.steps();
  run_until(world, 0.145);
  EXPECT_GE(world.steps() - before, 8u);
}

}  // namespace
}  // namespace fondue::test_explosion
