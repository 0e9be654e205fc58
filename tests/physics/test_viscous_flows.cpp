// Viscous flows with exact solutions: Couette, Poiseuille, Taylor-Green. Support 3 dx, because the viscous sum of a
// lattice with 2 dx sees too few directions (behaviours/viscosity.h).

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "cache/statistics.h"
#include "support/channel.h"

namespace fondue {
namespace {

using namespace testing_support;

TEST(Couette, VelocityDiffusesFromTheMovingWall) {
  constexpr float dx = 1.0f / 32, nu = 0.1f;
  WorldSetup setup = channel(dx, {track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 10}}),
                                  track("viscosity", {{Viscosity::dynamic_viscosity, nu}})});
  setup.colliders[1].motion.position =
      Keyable<Vec3>(Curve<Vec3>({0, 10}, {Vec3::Zero(), Vec3(10, 0, 0)}, Interpolation::linear), "time");
  World world(setup);
  // The series solution at mid-gap; 0.03 is what this resolution leaves.
  for (const auto& [T, expected] :
       {std::pair{.05, .1138}, std::pair{.1, .2628}, std::pair{.2, .4116}, std::pair{.5, .4954}}) {
    run_until(world, T / nu);
    EXPECT_NEAR(velocity_at(world, 0.5f, 2 * dx), expected, 0.03) << "nu t/h^2 = " << T;
  }
}

TEST(Poiseuille, AForceDrivesAParabola) {
  constexpr float dx = 1.0f / 32, nu = 0.1f, d = 0.5f, f = 0.8f;
  const double u_max = f * d * d / (2 * nu);
  WorldSetup setup = channel(dx, {track("gravity", {{Gravity::acceleration, Vec3(f, 0, 0)}}),
                                  track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 10}}),
                                  track("viscosity", {{Viscosity::dynamic_viscosity, nu}})});
  World world(setup);
  for (const auto& [T, expected] :
       {std::pair{.1, .1978}, std::pair{.2, .3704}, std::pair{.5, .6995}, std::pair{1., .9125}, std::pair{2., .9926}}) {
    run_until(world, T * d * d / nu);
    EXPECT_NEAR(velocity_at(world, 0.5f, dx) / u_max, expected, 0.04) << "nu t/d^2 = " << T;
  }
  // The parabola itself, a quarter from the wall.
  EXPECT_NEAR(velocity_at(world, 0.25f, dx) / u_max, 0.75, 0.04);
}

TEST(TaylorGreen, VorticesDecayAtTheViscousRate) {
  constexpr float dx = 1.0f / 40, Re = 100;
  WorldSetup setup = world_setup(2, dx);
  setup.support_ratio = 3;
  setup.domain = Box{Vec3(0, 0, 0), Vec3(1, 1, 0)};
  setup.periodic = {true, true, false};
  setup.objects.push_back(object("fluid", rectangle(0, 0, 1, 1), dx,
                                 {track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 10}}),
                                  track("viscosity", {{Viscosity::dynamic_viscosity, 1 / Re}})}));
  setup.objects.back().filling = Filling::blue_noise;
  World world(setup);
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  constexpr float k = 2 * std::numbers::pi_v<float>;
  for (std::size_t i = 0; i != x.size(); ++i)
    v[i] = Vec3(-std::cos(k * x[i].x()) * std::sin(k * x[i].y()), std::sin(k * x[i].x()) * std::cos(k * x[i].y()), 0);
  const double energy = measure(world).kinetic_energy;
  const double b = -8 * std::numbers::pi * std::numbers::pi / Re;
  for (const double t : {.5, 1., 2.}) {
    run_until(world, t);
    const double speed = std::sqrt(measure(world).kinetic_energy / energy);
    EXPECT_NEAR(speed, std::exp(b * t), 0.03 * std::exp(b * t) + 0.01) << "t = " << t;
  }
}

}  // namespace
}  // namespace fondue
