// Matter at rest sleeps (world/sleep.h): it stops costing, loses nothing, and wakes up when something disturbs it.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "behaviours/gravity.h"
#include "support/resumed.h"
#include "support/rigid.h"
#include "support/sand.h"

namespace fondue::test_sleep {
namespace {

using namespace testing_support;

constexpr float dx = 0.02f;

/// A block of sand on a floor between walls, which comes to rest within a second.
WorldSetup block_in_box() {
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("sand", rectangle(0, 0, 0.4f, 0.2f), dx, sand(30)));
  setup.domain = Box{Vec3(-1, -4, -1), Vec3(2, 3, 1)};
  setup.colliders.push_back(solid("floor", rectangle(-0.2f, -0.1f, 0.6f, 0)));
  setup.colliders.push_back(solid("left", rectangle(-0.1f, 0, 0, 1), 1));
  setup.colliders.push_back(solid("right", rectangle(0.4f, 0, 0.5f, 1), 1));
  return setup;
}

std::size_t sleepers(const World& world) {
  return static_cast<std::size_t>(
      std::ranges::count_if(world.particles()[columns::sleep], [](Index state) { return state != 0; }));
}

/// Evaluations per particle and step until a time.
double evaluated_part(World& world, double until) {
  const auto evaluations = world.evaluations(), steps = world.steps();
  run_until(world, until);
  return static_cast<double>(world.evaluations() - evaluations) /
         (static_cast<double>(world.steps() - steps) * static_cast<double>(world.particles().size()));
}

TEST(Sleep, SandAtRestIsNotEvaluated) {
  World world(block_in_box());
  run_until(world, 1.5);
  EXPECT_EQ(sleepers(world), world.particles().size());
  const auto places = places_of(world);
  EXPECT_LT(evaluated_part(world, 1.6), 0.01);
  EXPECT_EQ(moved_since(world, places).most, 0);
}

/// What is taken out is the energy of the last creeping, a billionth of what the block has to fall.
TEST(Sleep, FallingAsleepTakesNoEnergyThatCounts) {
  std::vector<Track> tracks = sand(30);
  tracks[1].values.set(Fluid::speed_of_sound, Keyable<float>(20.0f));
  WorldSetup setup = block_in_box();
  setup.objects[0].tracks = tracks;
  World world(setup);
  const double start = energy_of(world);
  double largest = 0;
  while (world.time() < 1.5) {
    const std::size_t before = sleepers(world);
    const double energy = energy_of(world);
    world.step(1.5);
    if (sleepers(world) > before) largest = std::max(largest, std::abs(energy_of(world) - energy));
  }
  EXPECT_EQ(sleepers(world), world.particles().size());
  EXPECT_LT(largest, 1e-6 * start);
}

TEST(Sleep, WaterDoesNotSleep) {
  WorldSetup setup = block_in_box();
  setup.objects[0].tracks = {track("gravity"), track("fluid")};
  World world(setup);
  run_until(world, 0.1);
  EXPECT_FALSE(world.particles().has(columns::sleep.name));
}

/// Water that sloshes in a tank of its own, far away: its speed of sound follows its motion, that of the sand does not.
TEST(Sleep, WaterThatMovesElsewhereDoesNotWakeSand) {
  WorldSetup setup = block_in_box();
  setup.domain = Box{Vec3(-1, -4, -1), Vec3(8, 6, 1)};
  setup.objects.push_back(object("water", rectangle(5, 0, 5.4f, 0.4f), dx, {track("gravity"), track("fluid")}));
  setup.colliders.push_back(
      solid("tank", make_intersection({make_complement(rectangle(5, 0, 6, 6)), rectangle(4.8f, -0.2f, 6.2f, 5)}), 1));
  World world(setup);
  const std::size_t grains = 200;
  run_until(world, 1.5);
  const std::size_t then = sleepers(world);
  EXPECT_GT(then, grains - 10) << "all but a few that roll";
  std::size_t fewest = grains;
  while (world.time() < 2) {
    world.step(2);
    fewest = std::min(fewest, sleepers(world));
  }
  EXPECT_GE(fewest, then);
  float fastest = 0;
  for (const Vec3& v : world.particles()[columns::velocity]) fastest = std::max(fastest, v.norm());
  EXPECT_GT(fastest, 0.2f) << "the water is still moving";
}

/// The floor is drawn away from below, faster than sand falls.
TEST(Sleep, SandWithoutSupportFalls) {
  WorldSetup setup = block_in_box();
  setup.colliders[0].motion.position = Keyable<Vec3>(
      Curve<Vec3>({1.5, 1.6, 2}, {Vec3(0, 0, 0), Vec3(0, -0.2f, 0), Vec3(0, -2, 0)}, Interpolation::linear), "time");
  World world(setup);
  run_until(world, 1.5);
  ASSERT_EQ(sleepers(world), world.particles().size());
  run_until(world, 1.6);
  EXPECT_EQ(sleepers(world), 0u);
  const auto mean_velocity = [&] {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& v : world.particles()[columns::velocity]) sum += v;
    return Vec3(sum / static_cast<float>(world.particles().size()));
  };
  const Vec3 before = mean_velocity();
  run_until(world, 1.7);
  EXPECT_NEAR(mean_velocity().y() - before.y(), -0.981f, 0.01f);
  EXPECT_NEAR(mean_velocity().y(), -0.2f * 9.81f, 0.15f) << "since the floor went";
}

/// A jet falls on a block that sleeps: all of it feels the blow, and all of it comes to rest again.
TEST(Sleep, WhatArrivesWakesAndIsCarried) {
  WorldSetup setup = block_in_box();
  EmitterSetup jet;
  jet.name = "jet";
  jet.centre = Vec3(0.2f, 0.8f, 0);
  jet.direction = Vec3(0, -1, 0);
  jet.radius = 0.06f;
  jet.speed = 2.0f;
  jet.on = Keyable<float>(Curve<float>({0, 1.2, 1.25}, {0.0f, 1.0f, 0.0f}, Interpolation::step), "time");
  setup.emitters.push_back(jet);
  World world(setup);
  run_until(world, 1.2);
  ASSERT_EQ(sleepers(world), world.particles().size());
  std::size_t fewest = sleepers(world);
  while (world.time() < 1.7) {
    world.step(1.7);
    fewest = std::min(fewest, sleepers(world));
  }
  EXPECT_GT(world.particles().size(), 210u);
  EXPECT_LT(fewest, 20u);
  run_until(world, 2.7);
  EXPECT_EQ(sleepers(world), world.particles().size());
}

/// Gravity that turns is a parameter that changes.
TEST(Sleep, ChangedParametersWake) {
  WorldSetup setup = block_in_box();
  setup.objects[0].tracks[0].values.set(
      Gravity::acceleration,
      Keyable<Vec3>(Curve<Vec3>({1.5, 1.6}, {Vec3(0, -9.81f, 0), Vec3(6, -7.8f, 0)}, Interpolation::linear), "time"));
  World world(setup);
  run_until(world, 1.5);
  ASSERT_EQ(sleepers(world), world.particles().size());
  const auto places = places_of(world);
  run_until(world, 2.2);
  EXPECT_GT(moved_since(world, places).most, 0.5f) << "spacings: above 30 degrees it slides; asleep it would not move";
}

/// The same when the run was saved, and a friction angle is less when it goes on.
TEST(Sleep, AChangedSceneWakesWhatSlept) {
  World world(sand_on_floor(rectangle(0, 0, 0.3f, 0.2f), dx, sand(35), 1.5f));
  run_until(world, 2);
  ASSERT_EQ(sleepers(world), world.particles().size());
  WorldSetup changed = world.setup();
  changed.objects[0].tracks = sand(15);
  World next(changed, std::move(world.particles()), world.state());
  const auto places = places_of(next);
  run_until(next, 2.5);
  EXPECT_GT(moved_since(next, places).most, 1) << "spacings";
}

/// A sink that takes sand from below.
TEST(Sleep, RemovedNeighboursWake) {
  WorldSetup setup = block_in_box();
  SinkSetup sink;
  sink.name = "drain";
  sink.shape = rectangle(0.1f, 0, 0.3f, 0.05f);
  sink.on = Keyable<float>(Curve<float>({0, 1.5}, {0.0f, 1.0f}, Interpolation::step), "time");
  setup.sinks.push_back(sink);
  World world(setup);
  run_until(world, 1.5);
  const auto places = places_of(world);
  run_until(world, 1.8);
  EXPECT_LT(world.particles().size(), places.size());
  EXPECT_GT(moved_since(world, places).most, 1) << "what was above falls after it";
}

/// Part of a pile sleeps while something happens in another part: the same bits after resuming and with one thread.
TEST(Sleep, RunsDoNotDependOnHowTheyAreRun) {
  WorldSetup setup = sand_on_floor(rectangle(0, 0, 1.6f, 0.1f), dx, sand(30), 2.0f);
  setup.objects.push_back(object("late", rectangle(0.1f, 1.2f, 0.2f, 1.3f), dx, sand(30)));
  World world(setup);
  bool some = false;
  while (world.time() < 1.2) {
    world.step(1.2);
    some |= sleepers(world) > 50 && sleepers(world) + 50 < world.particles().size();
  }
  EXPECT_TRUE(some) << "some sleep while others move";
  expect_resumed_the_same(setup, 0.9, 1.2);
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  World again(setup);
  run_until(again, 1.2);
  expect_same_bits(world, again);
}

/// A ball that sand carries is carried still when the sand around it sleeps.
TEST(Sleep, RigidBodiesKeepTheirSupport) {
  WorldSetup setup = block_in_box();
  setup.colliders.push_back(rigid("ball", make_sphere(Vec3(0.2f, 0.27f, 0), 0.06f), 2400, Vec3(0, -9.81f, 0)));
  World world(setup);
  run_until(world, 2);
  EXPECT_GT(sleepers(world), world.particles().size() / 4);
  EXPECT_GT(world.particles().size(), sleepers(world)) << "what the ball touches is awake";
  const double weight = world.bodies().rigid().properties(3).mass * 9.81;
  EXPECT_NEAR(static_cast<double>(world.load_on(3).force.y()), weight, 0.05 * weight);
  const RigidState then = rigid_state(world, 3);
  run_until(world, 2.5);
  EXPECT_LT((rigid_state(world, 3).centre - then.centre).norm(), 0.02 * static_cast<double>(dx));
}

}  // namespace
}  // namespace fondue::test_sleep
