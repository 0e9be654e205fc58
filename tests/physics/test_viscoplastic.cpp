// Viscoplastic matter: the law of its viscosity, how the rate of shear is measured, the implicit solve against the
// explicit scheme, and flows with known solutions: Bingham's channel, the slab on an incline, the block that stands.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Geometry>
#include <cmath>

#include "behaviours/deformation_rate.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "cache/statistics.h"
#include "core/random.h"
#include "support/channel.h"

namespace fondue::test_viscoplastic {
namespace {

using namespace testing_support;

constexpr int jump = static_cast<int>(ViscosityLaw::jump), yield = static_cast<int>(ViscosityLaw::yield);
constexpr int solved = static_cast<int>(ViscosityScheme::implicit_),
              stepped = static_cast<int>(ViscosityScheme::explicit_),
              by_stress = static_cast<int>(ViscosityScheme::stress);

TEST(Rheology, IsTheJumpNumberPlusOneAtRestAndDropsWithTheRate) {
  for (const float J : {0.0f, 15.0f, 150.0f, 1e6f}) {
    const Rheology law{1, 1, 0.5f, J + 1};
    EXPECT_FLOAT_EQ(law.viscosity(0), J + 1);
    EXPECT_NEAR(law.viscosity(1e-12f), J + 1, 1e-3f * (J + 1)) << J;
    // It rises at most as the flowing part does, (J + 1) D^n, and then falls.
    for (float D = 1e-10f; D < 1e6f; D *= 10)
      EXPECT_LE(law.viscosity(10 * D), law.viscosity(D) + 3 * (J + 1) * std::sqrt(D)) << J << " " << D;
  }
  // Far above the yield point the exponential is gone: D^(n-1) + 1/D.
  const Rheology law{1, 1, 0.5f, 151};
  EXPECT_NEAR(law.viscosity(4), 0.5 + 0.25, 1e-6);
}

TEST(Rheology, BothFacesAreOneLaw) {
  // tau = 30 Pa, K = 7 Pa s^n, n = 0.5: gamma1 = (tau/K)^(1/n), eta in units of tau/gamma1, J + 1 = eta0 gamma1/tau.
  constexpr float tau = 30, K = 7, n = 0.5f, eta0 = 2000;
  const float gamma1 = std::pow(tau / K, 1 / n), unit = tau / gamma1;
  const Rheology engineer{tau, K, n, eta0}, animator{1, 1, n, eta0 / unit};
  for (float D = 1e-6f; D < 1e5f; D *= 7)
    EXPECT_NEAR(engineer.viscosity(D) / (unit * animator.viscosity(D / gamma1)), 1, 1e-4) << D;
}

TEST(Rheology, BinghamsStressIsYieldStressPlusViscosityTimesRate) {
  const Rheology bingham{20, 3, 1, 1e6f};
  for (const float D : {0.1f, 1.0f, 10.0f}) EXPECT_NEAR(bingham.viscosity(D) * D, 20 + 3 * D, 1e-3 * (20 + 3 * D));
  const Rheology power{0, 3, 0.5f, 1e6f};
  EXPECT_NEAR(power.viscosity(4), 1.5, 1e-5);
  EXPECT_FLOAT_EQ(power.viscosity(0), 1e6f);
  const Rheology newtonian{0, 3, 1, 1e6f};
  EXPECT_FLOAT_EQ(newtonian.viscosity(0), 3);
}

/// A lump of matter without forces.
WorldSetup lump(int dimension, std::vector<Given> viscosity) {
  WorldSetup setup = world_setup(dimension, 0.1f);
  Track track = testing_support::track("viscosity");
  for (const Given& given : viscosity) track.values.set(*given.parameter, given.number);
  setup.objects.push_back(
      object("lump", make_box(Vec3(0, 0, dimension == 3 ? 0 : -1), Vec3(0.8f, 0.6f, dimension == 3 ? 0.5f : 1)), 0.1f,
             {testing_support::track("fluid", {{Fluid::speed_of_sound, 10}}), track}));
  setup.objects.back().filling = Filling::blue_noise;
  return setup;
}

TEST(DeformationRate, LinearVelocitiesAreMeasuredExactlyAndRotationIsNone) {
  for (const int dimension : {2, 3})
    for (const PairLoops* loops : {available_pair_loops().front(), &plain_twin()}) {
      World world(lump(dimension, {{Viscosity::law, jump}}), *loops);
      Mat3 gradient = Mat3::Zero();
      gradient << 0.3f, 1.2f, -0.4f, 0.1f, -0.2f, 0.7f, 0.5f, -0.6f, -0.1f;
      if (dimension == 2) gradient.row(2).setZero(), gradient.col(2).setZero();
      const Mat3 D = gradient + gradient.transpose();
      const double expected = std::sqrt(0.5 * (D * D).trace());
      const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
      for (Index i = 0; i != x.size(); ++i) v[i] = Vec3(1, 2, 0) + gradient * x[i];
      world.evaluate();
      // Corners included; in float, with a matrix that is inverted.
      for (const float rate : world.particles()[columns::strain_rate]) EXPECT_NEAR(rate, expected, 2e-4 * expected);
      for (Index i = 0; i != x.size(); ++i)
        v[i] = Vec3(dimension == 3 ? 0.3f : 0, dimension == 3 ? 1 : 0, 2).cross(x[i]);
      world.evaluate();
      for (const float rate : world.particles()[columns::strain_rate]) EXPECT_LT(rate, 1e-3);
    }
}

/// Shear between two halves that move against each other, periodic.
WorldSetup shear_layers(int scheme, float viscosity, float step_factor) {
  WorldSetup setup = world_setup(2, 0.05f);
  setup.domain = Box{Vec3(0, 0, 0), Vec3(1, 1, 0)};
  setup.periodic = {true, true, false};
  setup.step_factor = step_factor;
  setup.objects.push_back(
      object("fluid", rectangle(0, 0, 1, 1), 0.05f,
             {track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 10}}),
              track("viscosity", {{Viscosity::dynamic_viscosity, viscosity}, {Viscosity::scheme, scheme}})}));
  setup.objects.back().filling = Filling::blue_noise;
  return setup;
}

/// Amplitude of the velocity sin(2 pi y) along x after some time.
double amplitude_after(const WorldSetup& setup, double seconds) {
  World world(setup);
  const auto phase = [](const Vec3& at) { return std::sin(2 * static_cast<float>(M_PI) * at.y()); };
  auto x = world.particles()[columns::position];
  auto v = world.particles()[columns::velocity];
  for (Index i = 0; i != x.size(); ++i) v[i] = Vec3(phase(x[i]), 0, 0);
  run_until(world, seconds);
  x = world.particles()[columns::position];
  v = world.particles()[columns::velocity];
  double sum = 0;
  for (Index i = 0; i != x.size(); ++i) sum += v[i].x() * phase(x[i]);
  return 2 * sum / static_cast<double>(x.size());
}

TEST(ImplicitViscosity, AgreesWithTheExplicitScheme) {
  // The same operator, so only the order in time differs: nu k^2 dt/2 is 1 % of the decay at these steps.
  const double reference = amplitude_after(shear_layers(stepped, 0.05f, 1), 0.3);
  const double implicit = amplitude_after(shear_layers(solved, 0.05f, 1), 0.3);
  EXPECT_NEAR(implicit, reference, 0.02 * reference);
  EXPECT_NEAR(implicit, std::exp(-4 * M_PI * M_PI * 0.05 * 0.3), 0.1);
  // The stress form of the sources is another sum for the same thing, and sees the rows of particles otherwise.
  EXPECT_NEAR(amplitude_after(shear_layers(by_stress, 0.05f, 1), 0.3), reference, 0.15 * reference);
}

TEST(ImplicitViscosity, ConvergesToTheExplicitSchemeInFirstOrder) {
  const double reference = amplitude_after(shear_layers(stepped, 0.2f, 0.25f), 0.1);
  const double coarse = std::abs(amplitude_after(shear_layers(solved, 0.2f, 1), 0.1) - reference);
  const double fine = std::abs(amplitude_after(shear_layers(solved, 0.2f, 0.25f), 0.1) - reference);
  EXPECT_LT(fine, 0.4 * coarse) << coarse << " " << fine;
}

TEST(ImplicitViscosity, KeepsMomentumAndAngularMomentum) {
  for (const int dimension : {2, 3}) {
    World world(lump(dimension, {{Viscosity::dynamic_viscosity, 1e4}, {Viscosity::scheme, solved}}));
    {
      const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
      for (Index i = 0; i != x.size(); ++i) {
        v[i] = 0.2f * (2 * random_point(3, i) - Vec3::Ones()) + Vec3(3, 0, 0) + Vec3(0, 0, 4).cross(x[i]);
        if (dimension == 2) v[i].z() = 0;
      }
    }
    const auto momenta = [&](Vec3d& momentum, Vec3d& angular, double& scale) {
      const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
      const auto left = world.particles()[columns::solve_remainder];
      const auto m = world.particles()[columns::mass];
      momentum = angular = Vec3d::Zero();
      scale = 0;
      for (Index i = 0; i != x.size(); ++i) {
        const Vec3d p = static_cast<double>(m[i]) * (v[i] + left[i]).cast<double>();
        momentum += p;
        angular += x[i].cast<double>().cross(p);
        scale += p.norm();
      }
    };
    Vec3d momentum, angular, later, later_angular;
    double scale;
    momenta(momentum, angular, scale);
    int iterations = 0;
    while (world.time() < 0.1) {
      world.step(0.1);
      iterations += world.solve_result().iterations;
    }
    EXPECT_GT(iterations, 0);
    momenta(later, later_angular, scale);
    EXPECT_LT((later - momentum).norm(), 1e-5 * scale);
    // Particles move on by v dt = 0.03 while they carry a remainder of up to a fifth of what a step changes.
    EXPECT_LT((later_angular - angular).norm(), 1e-3 * scale)
        << angular.transpose() << " " << later_angular.transpose();
    EXPECT_LT(measure(world)["solve error"], 0.201);
  }
}

TEST(ImplicitViscosity, StepsDoNotDependOnTheViscosity) {
  // 1e9 Pa s is dt eta/(rho dx^2) = 1e6, ten times less than what float can tell from a rigid motion (solve.h).
  for (const float viscosity : {1e3f, 1e5f, 1e7f, 1e8f, 1e9f}) {
    World world(lump(2, {{Viscosity::dynamic_viscosity, viscosity}}));
    run_until(world, 0.1);
    // 0.4 R/c = 8 ms; the first step, before viscosities are known, may be explicit.
    EXPECT_GT(world.last_step(), 0.006) << viscosity;
    // What pushes at the start lasts a step: pressures of a random filling, some 10 m/s^2 in 0.01 s. It does not become
    // a motion of the whole, whose momentum is none.
    for (const Vec3& v : world.particles()[columns::velocity]) EXPECT_LT(v.norm(), 0.1f) << viscosity;
  }
}

TEST(ImplicitViscosity, IsTheSameForAnyThreadsAndContinuesExactly) {
  WorldSetup setup = lump(3, {{Viscosity::law, jump}, {Viscosity::dynamic_viscosity, 50}});
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.colliders.push_back(solid("floor", make_plane(Vec3(0, 0, 0), Vec3(0, 0, 1))));
  const auto positions = [](const World& world) {
    std::vector<Vec3> by_id(world.particles().next_id());
    for (Index i = 0; i != world.particles().size(); ++i)
      by_id[world.particles()[columns::id][i]] = world.particles()[columns::position][i];
    return by_id;
  };
  std::vector<Vec3> alone;
  {
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    World world(setup);
    run_until(world, 0.05);
    run_until(world, 0.1);
    alone = positions(world);
  }
  World first_half(setup);
  run_until(first_half, 0.05);
  World continued(setup, std::move(first_half.particles()), first_half.state());
  run_until(continued, 0.1);
  EXPECT_EQ(positions(continued), alone);
}

/// A fluid of Herschel and Bulkley between plates y = 0 and 1, driven along x with G = 0.8.
std::unique_ptr<World> yielding_channel(float yield_stress, float consistency = 0.1f, float index = 1,
                                        float dx = 1.0f / 40) {
  auto world =
      std::make_unique<World>(channel(dx, {track("gravity", {{Gravity::acceleration, Vec3(0.8f, 0, 0)}}),
                                           track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 5}}),
                                           track("viscosity", {{Viscosity::law, yield},
                                                               {Viscosity::yield_stress, yield_stress},
                                                               {Viscosity::consistency, consistency},
                                                               {Viscosity::index, index},
                                                               {Viscosity::zero_rate_viscosity, 100}})}));
  run_until(*world, 4);
  return world;
}

TEST(BinghamChannel, HasAPlugAndAParabolaBesideIt) {
  // G = 0.8, d = 0.5, tau = 0.2: the plug reaches y0 = tau/G = 0.25 from the middle and moves with G (d - y0)^2/(2 mu).
  constexpr double G = 0.8, d = 0.5, tau = 0.2, mu = 0.1, y0 = tau / G;
  const double plug = G * (d - y0) * (d - y0) / (2 * mu);
  const auto channel = yielding_channel(tau);
  const World& world = *channel;
  EXPECT_NEAR(velocity_at(world, 0.5f, 0.03f), plug, 0.1 * plug);
  // The whole plug moves as one...
  for (const float y : {0.32f, 0.4f, 0.6f, 0.68f})
    EXPECT_NEAR(velocity_at(world, y, 0.03f), velocity_at(world, 0.5f, 0.03f), 0.03 * plug) << y;
  // ...and beside it the velocity falls to the walls in a parabola, 1 - ((y0 - y)/(d - y0))^2.
  for (const float y : {0.06f, 0.125f, 0.19f}) {
    const double fraction = (d - y - y0) / (d - y0);
    EXPECT_NEAR(velocity_at(world, y, 0.02f) / plug, 1 - fraction * fraction, 0.1) << y;
  }
}

TEST(BinghamChannel, DoesNotFlowBelowTheYieldStress) {
  // G d = 0.4 < 0.5. What is left is creep at the viscosity at rest, 0.8 d^2/(2 eta0) = 0.001,
  // and somewhat more because the regularised law thins before it yields: by a third at the walls.
  EXPECT_LT(velocity_at(*yielding_channel(0.5f), 0.5f, 0.1f), 0.002);
}

/// Speed in the middle of a channel of half width d: the integral of the rate at which the law carries the stress G y.
double exact_speed(const Rheology& law, double G, double d) {
  constexpr int parts = 2000;
  double speed = 0;
  for (int k = 0; k != parts; ++k) {
    const double stress = G * d * (k + 0.5) / parts;
    double low = 0, high = 1e3;
    for (int halving = 0; halving != 60; ++halving) {
      const double middle = 0.5 * (low + high);
      (law.viscosity(static_cast<float>(middle)) * middle < stress ? low : high) = middle;
    }
    speed += low * d / parts;
  }
  return speed;
}

TEST(HerschelBulkleyChannel, ThePlugHasTheSpeedOfTheExactSolution) {
  // The plug is half as wide as the channel. With an infinite viscosity at rest its speed would be
  // n/(n + 1) (G/K)^(1/n) (d - y0)^((n + 1)/n), y0 = tau/G; the viscosity at rest of 100 adds one per cent for n = 0.5.
  constexpr double G = 0.8, d = 0.5, tau = 0.2, y0 = tau / G;
  for (const auto& [n, K] : {std::pair{0.5, 0.2828}, std::pair{1.5, 0.1414}}) {
    const auto k = static_cast<float>(K), index = static_cast<float>(n);
    const double plug = exact_speed({tau, k, index, 100}, G, d);
    EXPECT_NEAR(plug, n / (n + 1) * std::pow(G / K, 1 / n) * std::pow(d - y0, (n + 1) / n), 0.02 * plug);
    const auto world = yielding_channel(tau, k, index, 1.0f / 60);
    EXPECT_NEAR(velocity_at(*world, 0.5f, 0.03f), plug, 0.1 * plug) << "n = " << n;
  }
}

/// Speed of the surface of a slab on an incline of 30 degrees, endless along the slope.
double slab_speed(float thickness, float yield_stress) {
  constexpr float dx = 0.02f, g = 9.81f, angle = static_cast<float>(M_PI) / 6;
  WorldSetup setup = world_setup(2, dx);
  setup.domain = Box{Vec3(0, -0.2f, 0), Vec3(0.2f, 0.6f, 0)};
  setup.periodic = {true, false, false};
  setup.objects.push_back(
      object("slab", rectangle(0, 0, 0.2f, thickness), dx,
             {track("gravity", {{Gravity::acceleration, Vec3(g * std::sin(angle), -g * std::cos(angle), 0)}}),
              track("fluid", {{Fluid::rest_density, 1000}, {Fluid::speed_of_sound, 15}}),
              track("viscosity", {{Viscosity::law, yield},
                                  {Viscosity::yield_stress, yield_stress},
                                  {Viscosity::consistency, 100},
                                  {Viscosity::index, 1},
                                  {Viscosity::zero_rate_viscosity, 1e6}})}));
  setup.colliders.push_back(solid("slope", rectangle(-1, -0.2f, 1.2f, 0)));
  World world(setup);
  run_until(world, 0.6);
  return velocity_at(world, thickness - dx / 2, dx);
}

TEST(SlabOnAnIncline, StopsBelowTheThicknessItsYieldStressCarries) {
  // tau/(rho g sin 30) = 0.2 m for 981 Pa.
  constexpr double tau = 981, mu = 100, pull = 1000 * 9.81 * 0.5;
  EXPECT_LT(slab_speed(0.16f, tau), 0.002);
  // A thicker one flows as a film does whose sheared layer is h - 0.2 thick: pull (h - h0)^2/(2 mu).
  const double flowing = pull * 0.1 * 0.1 / (2 * mu);
  EXPECT_NEAR(slab_speed(0.3f, tau), flowing, 0.1 * flowing);
}

TEST(StandingBlock, CreepsLessThanAHundredthOfItsHeightInTwoSeconds) {
  constexpr float dx = 0.04f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(
      object("wax", make_box(Vec3(0, 0, 0), Vec3(0.2f, 0.2f, 0.4f)), dx,
             {track("gravity"), track("fluid", {{Fluid::rest_density, 900}}),
              track("viscosity",
                    {{Viscosity::law, jump}, {Viscosity::dynamic_viscosity, 4000}, {Viscosity::jump_number, 1000}})}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3(0, 0, 0), Vec3(0, 0, 1))));
  World world(setup);
  const auto top = [&] {
    float highest = 0;
    for (const Vec3& x : world.particles()[columns::position]) highest = std::max(highest, x.z());
    return highest;
  };
  const float before = top();
  run_until(world, 2);
  EXPECT_LT(before - top(), 0.01f * 0.4f);
  EXPECT_GT(top(), 0);
  EXPECT_LT(measure(world).largest_speed, 1e-3);
}

TEST(JumpNumber, ExtremeValuesRunStably) {
  for (const float J : {0.0f, 1e6f}) {
    WorldSetup setup =
        lump(3, {{Viscosity::law, jump}, {Viscosity::jump_number, J}, {Viscosity::dynamic_viscosity, 100}});
    setup.objects[0].tracks.push_back(track("gravity"));
    setup.colliders.push_back(solid("floor", make_plane(Vec3(0, 0, -0.1f), Vec3(0, 0, 1))));
    World world(setup);
    run_until(world, 0.3);
    // No faster than it could fall.
    EXPECT_LT(measure(world).largest_speed, std::sqrt(2 * 9.81 * 0.7)) << J;
    // What hits the floor after 0.1 m is compressed by its speed over that of sound, 10 m/s.
    EXPECT_LT(measure(world)["largest compression"], std::sqrt(2 * 9.81 * 0.1) / 10) << J;
  }
}

}  // namespace
}  // namespace fondue::test_viscoplastic
