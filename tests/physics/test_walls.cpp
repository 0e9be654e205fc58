// Walls and sound: what a wall takes out of a motion it gives back, the row at a wall rests where it should, and the
// automatic speed of sound keeps the mean compression below the one that is allowed.

#include <gtest/gtest.h>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "cache/statistics.h"
#include "support/setups.h"

namespace fondue::test_walls {
namespace {

using namespace testing_support;

/// A square metre of water that runs along a tank without friction.
WorldSetup dam_break(std::vector<Track> tracks, float dx = 0.04f) {
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("water", rectangle(0, 0, 1, 1), dx, std::move(tracks)));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 2.5f, 2), 1));
  return setup;
}

double energy(const World& world) {
  const Statistics now = measure(world);
  return now.kinetic_energy + now["potential energy"] + now["energy of compression"];
}

/// By how much the energy has risen above the lowest it ever was, over what it was at the start.
double largest_rise(World& world, double until) {
  const double start = energy(world);
  double lowest = start, rise = 0;
  while (world.time() < until) {
    world.step(until);
    const double now = energy(world);
    lowest = std::min(lowest, now);
    rise = std::max(rise, now - lowest);
  }
  return rise / start;
}

TEST(Walls, DoNoWork) {
  // Without any friction the energy is constant but for the error of the steps, which falls with their square: a
  // thousandth here, through the impact on the far wall at 0.4 s and everything that follows.
  WorldSetup setup = dam_break({track("gravity"), track("fluid", {{Fluid::speed_of_sound, 40}})});
  setup.step_factor = 0.25f;
  World world(setup);
  const double start = energy(world);
  EXPECT_LT(largest_rise(world, 1.2), 1e-3);
  // Less than a hundredth is lost: single particles that the last guard stops at a wall lose their speed towards it. In
  // runs that differ by rounding or by a per mille of the spacing that is .04 to .75 % of all.
  EXPECT_GT(energy(world), 0.99 * start);
}

TEST(Walls, ADamBreakWithTheDefaultsOnFreeSlipWallsGainsNoEnergy) {
  // With 2,500 particles: of 625, one that splashes with 7 m/s has nearly a hundredth of all energy by itself.
  World world(dam_break({track("gravity"), track("fluid"), track("artificial_viscosity")}, 0.02f));
  EXPECT_LT(largest_rise(world, 2), 5e-3);
}

TEST(Walls, TheRowAtAFloorRestsHalfASpacingAboveItAndCarriesTheWeightOfTheColumn) {
  for (const int dimension : {2, 3}) {
    constexpr float dx = 0.05f, H = 0.5f;
    WorldSetup setup = world_setup(dimension, dx);
    const Vec3 g = dimension == 2 ? Vec3(0, -9.81f, 0) : Vec3(0, 0, -9.81f);
    const Vec3 low(0, dimension == 2 ? 0 : -0.25f, dimension == 2 ? -infinity : 0);
    const Vec3 high(0.5f, dimension == 2 ? H : 0.25f, dimension == 2 ? infinity : H);
    const int up = dimension - 1;
    setup.objects.push_back(object("water", make_box(low, high), dx,
                                   {track("gravity", {{Gravity::acceleration, g}}), track("fluid"),
                                    track("artificial_viscosity", {{ArtificialViscosity::alpha, 0.5}})}));
    Vec3 rim = high;
    rim[up] += 0.2f;
    setup.colliders.push_back(container("tank", make_box(low, rim), 1));
    World world(setup);
    run_until(world, 1.5);
    // A mean over a second: walls take nothing out of the waves that gravity has started.
    double height = 0, ratio = 0, count = 0;
    for (int k = 0; k != 50; ++k) {
      run_until(world, 1.5 + 0.02 * k);
      const auto x = world.particles()[columns::position];
      const auto p = world.particles()[columns::pressure];
      float top = 0;
      for (const Vec3& at : x) top = std::max(top, at[up] + 0.5f * dx);
      for (Index i = 0; i != x.size(); ++i)
        // Away from the edges.
        if (x[i][up] < dx && std::abs(x[i].x() - 0.25f) < 0.15f && (dimension == 2 || std::abs(x[i].y()) < 0.15f)) {
          height += x[i][up] / dx;
          ratio += p[i] / (1000 * 9.81 * (top - x[i][up]));
          count += 1;
        }
    }
    ASSERT_GT(count, 0);
    EXPECT_NEAR(height / count, 0.5, 0.06) << dimension << "D";
    EXPECT_NEAR(ratio / count, 1, 0.1) << dimension << "D";
  }
}

double largest_mean_compression(const WorldSetup& setup, double until) {
  World world(setup);
  double largest = 0;
  while (world.time() < until) {
    world.step(until);
    largest = std::max(largest, measure(world)["mean compression"]);
  }
  return largest;
}

const std::vector<Track> water = {track("gravity"), track("fluid"), track("artificial_viscosity")};

TEST(Sound, KeepsItsPromiseOverAWholeDamBreak) { EXPECT_LT(largest_mean_compression(dam_break(water), 3), 0.01); }

TEST(Sound, KeepsItsPromiseForABodyThatFallsFromAHeight) {
  constexpr float dx = 0.04f;
  for (const float height : {0.2f, 1.0f}) {
    WorldSetup setup = world_setup(3, dx);
    setup.objects.push_back(
        object("water", make_box(Vec3(-0.2f, -0.2f, height), Vec3(0.2f, 0.2f, height + 0.4f)), dx, water));
    setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ()), 1));
    EXPECT_LT(largest_mean_compression(setup, 0.8), 0.01) << height;
  }
}

TEST(Sound, KeepsItsPromiseWhileAJetFillsATank) {
  constexpr float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("water", nullptr, dx, water));
  EmitterSetup jet;
  jet.name = "jet";
  jet.centre = Vec3(0.2f, 0.3f, 0.8f);
  jet.radius = 0.1f;
  jet.direction = Vec3(1, 0, -0.5f);
  jet.speed = 4.0f;
  setup.emitters.push_back(jet);
  setup.colliders.push_back(container("tank", make_box(Vec3::Zero(), Vec3(0.8f, 0.6f, 1)), 1));
  EXPECT_LT(largest_mean_compression(setup, 2), 0.01);
}

/// Without a domain: matter that starts five times its size above a floor lands on boundary particles, a block's height
/// and more to each side, and not on the last guard alone.
TEST(Walls, AFloorFarBelowHoldsWhatFallsOnIt) {
  constexpr float dx = 0.04f;
  for (const bool endless : {false, true}) {
    WorldSetup setup = world_setup(2, dx);
    setup.objects.push_back(object("water", rectangle(-0.1f, 1, 0.1f, 1.2f), dx, water));
    setup.colliders.push_back(
        solid("floor", endless ? make_plane(Vec3::Zero(), Vec3::UnitY()) : rectangle(-3, -0.2f, 3, 0)));
    World world(setup);
    float left = 0, right = 0;
    for (const Vec3& x : world.bodies().walls().position) {
      left = std::min(left, x.x());
      right = std::max(right, x.x());
    }
    EXPECT_LT(left, -1);
    EXPECT_GT(right, 1);
  }
}

TEST(Sound, IsSlowerWhereLittleMoves) {
  // The same shallow pool in a low and in a high tank: a fall through the tank is not what moves.
  const auto steps = [](float height) {
    constexpr float dx = 0.05f;
    WorldSetup setup = world_setup(2, dx);
    setup.objects.push_back(object("water", rectangle(0, 0, 1, 0.3f), dx, water));
    setup.colliders.push_back(container("tank", rectangle(0, 0, 1, height), 1));
    World world(setup);
    run_until(world, 1);
    return static_cast<double>(world.steps());
  };
  EXPECT_LT(steps(3), 1.3 * steps(0.4f)) << "three times as many with the speed of the fall";
}

}  // namespace
}  // namespace fondue::test_walls
