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

/// What is left of the mean speed of a slab of thickness H on a wall at rest, with a film without mass of thickness
/// d between them: series of the heat equation with q tan q = H/d, each root within a half period of its own.
double left_of_speed(double t, double nu, double H, double d) {
  double sum = 0;
  for (int k = 0; k != 40; ++k) {
    double low = k * std::numbers::pi, high = low + 0.5 * std::numbers::pi;
    for (int round = 0; round != 60; ++round) {
      const double q = 0.5 * (low + high);
      (q * std::tan(q) < H / d ? low : high) = q;
    }
    const double B = H / d;
    sum += 2 * B * B / (low * low * (low * low + B * B + B)) * std::exp(-low * low * nu * t / (H * H));
  }
  return sum;
}

/// The slab begins half a row below the centres of its first one, 0.4 spacings above the sheet; what is between them
/// has no mass. Four rows are known to a few per cent: their exchange is within 3 %, and that of free rows stiffer.
TEST(ViscousOnSheets, AFilmSlowsDownAsOnAWallWithoutSlip) {
  const double H = rows * static_cast<double>(dx), d = 0.4 * static_cast<double>(dx);
  for (const auto& [eta, scheme] : {std::pair{20.0f, ViscosityScheme::explicit_},
                                    {20.0f, ViscosityScheme::implicit_},
                                    {100.0f, ViscosityScheme::implicit_}}) {
    WorldSetup setup = slab(eta, scheme, 0.1f);
    setup.pins = {pin("all", make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)))};
    setup.pins[0].object = 0;
    World world(setup);
    const double nu = static_cast<double>(eta) / 1000;
    for (const double T : {0.1, 0.3}) {
      const double before = momentum(world, 1).x(), end = T * (H + d) * (H + d) / nu;
      double given = 0;
      while (world.time() < end) {
        const double from = world.time();
        world.step(end);
        given += (world.time() - from) * static_cast<double>(world.force_on_pin(0).x());
      }
      const double exact = left_of_speed(world.time(), nu, H, d);
      EXPECT_NEAR(mean_velocity_x(world, 1) / 0.1, exact, 0.05 * exact) << eta << " Pa s, nu t/H^2 = " << T;
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
