// Viscous fluids on sheets: they do not slide, and what they lose the sheet gains.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "support/cloth.h"
#include "support/momenta.h"
#include "support/resumed.h"

namespace fondue::test_viscous_on_sheets {
namespace {

using namespace testing_support;

constexpr float dx = 0.02f;
constexpr int rows = 4;

/// A slab of honey on a cloth, as contact leaves it: the first row lies 0.9 spacings above the cloth.
WorldSetup slab(float eta, ViscosityScheme scheme, float speed) {
  WorldSetup setup = flat_cloth(1.2f, 0.4f, dx, {.stretch = 2000});
  const Track viscosity =
      track("viscosity", {{Viscosity::dynamic_viscosity, eta}, {Viscosity::scheme, static_cast<int>(scheme)}});
  const float low = 0.4f * dx;
  setup.objects.push_back(object("honey", make_box(Vec3(-0.4f, -0.1f, low), Vec3(0.4f, 0.1f, low + rows * dx)), dx,
                                 {track("fluid", {{Fluid::speed_of_sound, 6}}), viscosity}));
  setup.objects[1].velocity = Vec3(speed, 0, 0);
  return setup;
}

/// What is left of the speed of a film of thickness H that slides on a wall at rest (series of the heat equation).
double left_of_speed(double t, double nu, double H) {
  double sum = 0;
  for (int k = 1; k < 40; k += 2) {
    const double q = 0.5 * k * std::numbers::pi;
    sum += 2 / (q * q) * std::exp(-q * q * nu * t / (H * H));
  }
  return sum;
}

/// As a film whose plane without slip lies between the sheet and the first row: it is known to less than a spacing.
/// Four rows behave like a film that begins half a spacing above the sheet.
TEST(ViscousOnSheets, AFilmSlowsDownAsOnAWallWithoutSlip) {
  const double H = (0.4 + rows) * static_cast<double>(dx), thinnest = (rows - 0.5) * static_cast<double>(dx);
  for (const auto& [eta, scheme] : {std::pair{20.0f, ViscosityScheme::explicit_},
                                    {20.0f, ViscosityScheme::implicit_},
                                    {100.0f, ViscosityScheme::implicit_}}) {
    WorldSetup setup = slab(eta, scheme, 0.1f);
    setup.pins = {pin("all", make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)))};
    setup.pins[0].object = 0;
    World world(setup);
    const double nu = static_cast<double>(eta) / 1000;
    for (const double T : {0.1, 0.3}) {
      const double before = momentum(world, 1).x();
      double given = 0;
      while (world.time() < T * H * H / nu) {
        const double from = world.time();
        world.step(T * H * H / nu);
        given += (world.time() - from) * static_cast<double>(world.force_on_pin(0).x());
      }
      const double left = mean_velocity_x(world, 1) / 0.1, t = world.time();
      EXPECT_LT(left, left_of_speed(t, nu, H)) << eta << " Pa s, nu t/H^2 = " << T;
      EXPECT_GT(left, left_of_speed(t, nu, thinnest)) << eta << " Pa s, nu t/H^2 = " << T;
      EXPECT_NEAR(given, before - momentum(world, 1).x(), 1e-3 * before) << "the pins feel it";
    }
  }
}

/// Honey that slides along a free cloth takes it along, in space.
TEST(ViscousOnSheets, BothMomentaAreKept) {
  for (const ViscosityScheme scheme : {ViscosityScheme::explicit_, ViscosityScheme::implicit_}) {
    World world(slab(5, scheme, 1));
    const Vec3d p = momentum(world), L = angular_momentum(world);
    run_until(world, 0.02);
    EXPECT_GT(mean_velocity_x(world, 0), 0.5) << "the light cloth goes with it";
    EXPECT_LT((momentum(world) - p).norm(), 2e-5 * p.norm());
    // Its arm is the length of the cloth.
    EXPECT_LT((angular_momentum(world) - L).norm(), 2e-5 * p.norm() * 0.6);
  }
}

/// What is not viscous slides on as before.
TEST(ViscousOnSheets, WaterSlides) {
  WorldSetup setup = slab(1e-3f, ViscosityScheme::explicit_, 0.5f);
  setup.pins = {pin("all", make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)))};
  setup.pins[0].object = 0;
  World world(setup);
  run_until(world, 0.1);
  EXPECT_GT(mean_velocity_x(world, 1), 0.49);
}

TEST(ViscousOnSheets, ThreadsAndResumingDoNotChangeABit) {
  expect_resumed_the_same(slab(5, ViscosityScheme::implicit_, 1), 0.005, 0.012);
}

}  // namespace
}  // namespace fondue::test_viscous_on_sheets
