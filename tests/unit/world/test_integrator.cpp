// The integrator: second order, but for particles whose velocity is solved for; which of the two is decided for each
// particle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "behaviours/drag.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/springs.h"
#include "behaviours/viscosity.h"
#include "support/setups.h"
#include "world/integrator.h"

namespace fondue::test_integrator {
namespace {

using namespace testing_support;

template <class T>
std::vector<T> by_id(const World& world, const Column<T>& column) {
  const auto id = world.particles()[columns::id];
  std::vector<T> result(world.particles().next_id());
  for (Index i = 0; i != id.size(); ++i) result[id[i]] = world.particles()[column][i];
  return result;
}

/// A drop of water that wobbles and, far away, a block of stiff wax on a floor of its own.
WorldSetup water_and_wax(bool with_wax) {
  WorldSetup setup = world_setup(2, 0.1f);
  setup.largest_step = 1e-3f;
  setup.objects.push_back(object(
      "water", rectangle(0, 0, 0.8f, 0.5f), 0.1f,
      {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 10}}), track("artificial_viscosity"), track("xsph")}));
  if (!with_wax) return setup;
  setup.objects.push_back(object("wax", rectangle(10, 0, 10.6f, 0.6f), 0.1f,
                                 {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 10}}),
                                  track("viscosity", {{Viscosity::dynamic_viscosity, 1e5}, {Viscosity::scheme, 1}})}));
  setup.colliders.push_back(solid("floor", rectangle(9, -1, 12, 0)));
  return setup;
}

/// The water's motion with and without the wax after some steps.
struct Motions {
  World alone, both;
  explicit Motions(const PairLoops& loops, int steps)
      : alone(water_and_wax(false), loops), both(water_and_wax(true), loops) {
    for (World* world : {&alone, &both}) {
      Particles& particles = world->particles();
      for (Index i = 0; i != particles.size(); ++i)
        if (particles[columns::object][i] == 0) particles[columns::position][i].x() *= 0.95f;
      world->evaluate();
    }
    int iterations = 0;
    for (int k = 1; k <= steps; ++k) {
      alone.step(1e-3 * k);
      both.step(1e-3 * k);
      iterations += both.solve_result().iterations;
    }
    EXPECT_EQ(alone.steps(), both.steps());
    EXPECT_EQ(alone.steps(), static_cast<std::uint64_t>(steps)) << "the same steps";
    EXPECT_GT(iterations, 0) << "the wax is solved for";
  }
};

TEST(Integrator, SolvesForWhatIsViscousOnly) {
  for (const PairLoops* loops : available_pair_loops()) {
    const Motions motions(*loops, 20);
    const auto object = by_id(motions.both, columns::object), solved = by_id(motions.both, columns::solved);
    int water = 0, wax = 0;
    for (std::size_t i = 0; i != object.size(); ++i) {
      EXPECT_EQ(solved[i], object[i]) << "0 of the water, 1 of the wax";
      ++(object[i] == 0 ? water : wax);
    }
    ASSERT_TRUE(water > 0 && wax > 0);
  }
}

/// With the plain twin, whose sums are in the order of ids.
TEST(Integrator, WhatIsNotSolvedForHasTheBitsItHasAlone) {
  const Motions motions(plain_twin(), 100);
  for (const auto& column : {columns::position, columns::velocity, columns::acceleration, columns::drift}) {
    const auto expected = by_id(motions.alone, column), got = by_id(motions.both, column);
    // The water was made first.
    for (std::size_t i = 0; i != expected.size(); ++i)
      EXPECT_EQ(std::memcmp(&got[i], &expected[i], sizeof(Vec3)), 0) << column.name << " of " << i;
  }
}

/// The fast loops list neighbours in the order of slots, in which the wax takes part, and round accordingly: 1e-7 of
/// each term, some dozens of which nearly cancel.
TEST(Integrator, WhatIsNotSolvedForMovesAsItDoesAlone) {
  for (const PairLoops* loops : available_pair_loops()) {
    const Motions motions(*loops, 5);
    const auto expected = by_id(motions.alone, columns::acceleration), got = by_id(motions.both, columns::acceleration);
    const auto v = by_id(motions.alone, columns::velocity), v_got = by_id(motions.both, columns::velocity);
    double largest = 0, fastest = 0;
    for (std::size_t i = 0; i != expected.size(); ++i) {
      largest = std::max<double>(largest, expected[i].norm());
      fastest = std::max<double>(fastest, v[i].norm());
    }
    for (std::size_t i = 0; i != expected.size(); ++i) {
      EXPECT_LE((got[i] - expected[i]).norm(), 1e-5 * largest) << loops->name;
      EXPECT_LE((v_got[i] - v[i]).norm(), 1e-5 * fastest) << loops->name;
    }
  }
}

/// What is solved for one step and not the next: the remainder of the solve is not lost, and the order changes at once.
TEST(Integrator, AFadedViscosityGivesTheSecondOrderBack) {
  WorldSetup setup = water_and_wax(true);
  setup.objects[1].tracks[2].weight = {Curve<float>({0.01, 0.02}, {1, 0}, Interpolation::linear), "time"};
  World world(setup);
  for (int k = 1; k <= 30; ++k) {
    world.step(1e-3 * k);
    const auto object = by_id(world, columns::object), solved = by_id(world, columns::solved);
    for (std::size_t i = 0; i != object.size(); ++i)
      EXPECT_EQ(solved[i], object[i] == 1 && world.time() < 0.02 ? 1u : 0u) << "at " << world.time();
    if (world.time() < 0.0205) continue;
    for (const Vec3& left : world.particles()[columns::solve_remainder]) EXPECT_TRUE(left.isZero());
  }
}

/// Two particles and the spring between them, which oscillates as r = L (1 + A cos(omega t)), omega^2 = 4 E/(rho L^2).
class Oscillator {
 public:
  static constexpr double E = 1e5, rho = 1000, L = 0.1, A = 0.1;
  static double omega() { return std::sqrt(4 * E / rho) / L; }

  /// Relative error of the distance after a time, with that many steps.
  static double error(double time, int steps) {
    WorldSetup setup = world_setup(2, 0.1f);
    setup.objects.push_back(object("pair", rectangle(0, 0, 0.2f, 0.1f), 0.1f,
                                   {track("springs", {{Springs::stiffness, E}, {Springs::damping, 0}})}));
    World world(setup);
    EXPECT_EQ(world.particles().size(), 2u);
    const auto x = world.particles()[columns::position];
    x[0].x() = 0;
    x[1].x() = static_cast<float>(L * (1 + A));
    world.evaluate();
    for (int k = 0; k != steps; ++k) world.step(time * (k + 1) / steps);
    EXPECT_EQ(world.steps(), static_cast<std::uint64_t>(steps));
    const double r = (world.particles()[columns::position][0] - world.particles()[columns::position][1]).norm();
    return std::abs(r - L * (1 + A * std::cos(omega() * time))) / (L * A);
  }
};

TEST(Integrator, IsOfSecondOrderForASpring) {
  // Two periods and a quarter, when the distance changes fastest.
  const double time = 2.25 * 2 * std::numbers::pi / Oscillator::omega();
  const double coarse = Oscillator::error(time, 90), middle = Oscillator::error(time, 180),
               fine = Oscillator::error(time, 360);
  // Leapfrog is early by (omega dt)^2/24 of the phase: 0.0144 with 90 steps, 6e-5 of it is rounding.
  EXPECT_NEAR(coarse, 2.25 * 2 * std::numbers::pi * std::pow(2.25 * 2 * std::numbers::pi / 90, 2) / 24, 0.1 * coarse);
  EXPECT_NEAR(coarse / middle, 4, 0.2);
  EXPECT_NEAR(middle / fine, 4, 0.2);
}

/// A particle that falls against a drag, v = g/k (1 - exp(-k t)): the drag is evaluated at a predicted velocity.
double error_of_fall(int steps, bool solved) {
  constexpr double g = 10, k = 5, time = 0.4;
  std::vector<Track> tracks = {track("gravity", {{Gravity::acceleration, Vec3(0, 10, 0)}}),
                               track("drag", {{Drag::linear, k}})};
  // Alone it has nobody to rub against: it is solved for all the same.
  if (solved) tracks.push_back(track("viscosity", {{Viscosity::scheme, 1}}));
  WorldSetup setup = world_setup(2, 1);
  setup.objects.push_back(object("stone", rectangle(0, 0, 1, 1), 1, std::move(tracks)));
  World world(setup);
  const double start = world.particles()[columns::position][0].y();
  for (int n = 0; n != steps; ++n) world.step(time * (n + 1) / steps);
  EXPECT_EQ(world.steps(), static_cast<std::uint64_t>(steps));
  const double fallen = world.particles()[columns::position][0].y() - start;
  return std::abs(fallen - g / k * (time - (1 - std::exp(-k * time)) / k));
}

TEST(Integrator, IsOfSecondOrderForADrag) {
  const double coarse = error_of_fall(10, false), middle = error_of_fall(20, false), fine = error_of_fall(40, false);
  EXPECT_NEAR(coarse / middle, 4, 0.6) << coarse << " " << middle;
  EXPECT_NEAR(middle / fine, 4, 0.6) << middle << " " << fine;
}

TEST(Integrator, IsOfFirstOrderForWhatIsSolvedFor) {
  const double coarse = error_of_fall(10, true), middle = error_of_fall(20, true), fine = error_of_fall(40, true);
  EXPECT_NEAR(coarse / middle, 2, 0.3) << coarse << " " << middle;
  EXPECT_NEAR(middle / fine, 2, 0.3) << middle << " " << fine;
}

}  // namespace
}  // namespace fondue::test_integrator
