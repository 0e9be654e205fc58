// How many iterations the solve for velocities takes, and what it may leave over.

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "support/setups.h"

namespace fondue::test_solve {
namespace {

using namespace testing_support;

constexpr float dx = 0.05f, g = 9.81f;

/// A block of wax of 8 x 8 x 8 particles, so viscous that dt eta/(rho dx^2) is some thousands.
WorldSetup wax_block(float speed_of_sound) {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(
      object("wax", make_box(Vec3::Zero(), Vec3::Constant(8 * dx)), dx,
             {track("gravity"), track("fluid", {{Fluid::speed_of_sound, speed_of_sound}}),
              track("viscosity", {{Viscosity::dynamic_viscosity, 1e5f},
                                  {Viscosity::scheme, static_cast<int>(ViscosityScheme::implicit_)}})}));
  return setup;
}

WorldSetup standing(float speed_of_sound) {
  WorldSetup setup = wax_block(speed_of_sound);
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
  return setup;
}

struct Effort {
  double iterations = 0, steps = 0;
};

/// Of the time from 0.1 s to 0.2 s.
Effort effort(World& world) {
  while (world.time() < 0.1) world.step(0.1);
  Effort sum;
  for (; world.time() < 0.2; ++sum.steps) {
    world.step(0.2);
    sum.iterations += world.solve_result().iterations;
  }
  return sum;
}

TEST(Solve, OfAStandingBlockTakesFewIterations) {
  World world(standing(20));
  const Effort all = effort(world);
  EXPECT_LE(all.iterations, 3 * all.steps);
}

TEST(Solve, WithALowerSpeedOfSoundTakesNoMoreIterationsInAll) {
  World fast(standing(20)), slow(standing(5));
  const Effort of_fast = effort(fast), of_slow = effort(slow);
  EXPECT_LT(of_slow.steps, 0.3 * of_fast.steps);
  EXPECT_LT(of_slow.iterations, of_fast.iterations);
}

TEST(Solve, OfAFallingBlockIsLateByAFifthOfAStepAtMost) {
  World world(wax_block(20));
  for (int k = 0; k != 20; ++k) {
    world.step(1);
    EXPECT_LE(world.solve_result().iterations, 3);
  }
  // The velocity lacks what is left over: no more than a fifth of what gravity adds in a step.
  const auto v = world.particles()[columns::velocity], left = world.particles()[columns::solve_remainder];
  const auto m = world.particles()[columns::mass];
  double mass = 0, momentum = 0, remainder = 0;
  for (Index i = 0; i != v.size(); ++i) {
    mass += m[i];
    momentum += double{m[i]} * double{v[i].z()};
    remainder += double{m[i]} * double{left[i].z()};
  }
  EXPECT_NEAR((momentum + remainder) / mass, -g * world.time(), 1e-4 * g * world.time());
  EXPECT_LE(std::abs(remainder) / mass, 0.2 * g * world.time() / 20);
}

TEST(Solve, HasTheSameSteadyFlowHoweverEarlyItEnds) {
  // A block that sags: each step ends with a remainder, and yet its height follows that of explicit steps, which have
  // none.
  const auto sagged = [](ViscosityScheme scheme) {
    WorldSetup setup = world_setup(3, dx);
    setup.objects.push_back(object(
        "wax", make_box(Vec3::Zero(), Vec3::Constant(6 * dx)), dx,
        {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 10.0f}}),
         track("viscosity", {{Viscosity::dynamic_viscosity, 400.0f}, {Viscosity::scheme, static_cast<int>(scheme)}})}));
    setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
    World world(setup);
    const auto height = [&] {
      double sum = 0;
      for (const Vec3& x : world.particles()[columns::position]) sum += x.z();
      return sum / world.particles().size();
    };
    const double before = height();
    while (world.time() < 0.2) world.step(0.2);
    return before - height();
  };
  const double exact = sagged(ViscosityScheme::explicit_), solved = sagged(ViscosityScheme::implicit_);
  EXPECT_GT(exact, 0.02 * 3 * dx);
  EXPECT_NEAR(solved, exact, 0.02 * exact);
}

}  // namespace
}  // namespace fondue::test_solve
