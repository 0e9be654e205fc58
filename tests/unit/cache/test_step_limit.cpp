// What limits the step, and that the statistics of a run say it in the same words.

#include <gtest/gtest.h>

#include <cmath>

#include "behaviours/acoustic_step.h"
#include "behaviours/drag.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/springs.h"
#include "behaviours/viscosity.h"
#include "cache/frame.h"
#include "cache/statistics.h"
#include "support/setups.h"
#include "support/temporary_folder.h"

namespace fondue {
namespace {

using namespace testing_support;

constexpr float spacing = 0.1f, support = 2 * spacing;

/// Calm water and a block of other matter far from it, which limits the step.
WorldSetup water_and(std::vector<Track> tracks) {
  WorldSetup setup = world_setup(2, spacing);
  setup.objects.push_back(
      object("water", rectangle(0, 0, 0.5f, 0.5f), spacing, {track("fluid", {{Fluid::speed_of_sound, 1}})}));
  setup.objects.push_back(object("other", rectangle(5, 0, 5.5f, 0.5f), spacing, std::move(tracks)));
  return setup;
}

/// Everybody says so: the world and its statistics, before and after a step.
void expect_limited(World& world, const std::string& cause, const std::string& object) {
  for (int k = 0; k != 2; ++k) {
    EXPECT_EQ(world.step_limit().cause, cause);
    ASSERT_LT(world.step_limit().object, world.setup().objects.size());
    EXPECT_EQ(world.setup().objects[world.step_limit().object].name, object);
    const Statistics statistics = measure(world);
    EXPECT_EQ(statistics.words(), (std::vector<std::string>{cause, object}));
    EXPECT_EQ(statistics_columns(world).size(), statistics.row().size() + statistics.words().size());
    const double seconds = world.step_limit().seconds;
    world.step(world.time() + 100 * seconds);
    EXPECT_NEAR(world.last_step(), seconds, 1e-5 * seconds) << "and so it is done";
  }
}

TEST(StepLimit, NamesTheStiffestFluid) {
  World world(water_and({track("fluid", {{Fluid::speed_of_sound, 100}})}));
  EXPECT_FLOAT_EQ(world.step_limit().seconds, acoustic_step * support / 100);
  expect_limited(world, "fluid", "other");
}

TEST(StepLimit, NamesTheFirstObjectToo) {
  World world(water_and({track("fluid", {{Fluid::speed_of_sound, 0.5f}})}));
  EXPECT_FLOAT_EQ(world.step_limit().seconds, acoustic_step * support / 1);
  expect_limited(world, "fluid", "water");
}

TEST(StepLimit, NamesStrongSprings) {
  World world(water_and({track("springs", {{Springs::stiffness, 1e8}})}));
  expect_limited(world, "springs", "other");
}

TEST(StepLimit, NamesAnExplicitViscosity) {
  World world(water_and({track("fluid", {{Fluid::speed_of_sound, 1}}),
                         track("viscosity", {{Viscosity::dynamic_viscosity, 1e5}, {Viscosity::scheme, 2}})}));
  expect_limited(world, "viscosity", "other");
}

TEST(StepLimit, ASolvedViscosityLimitsNothing) {
  World world(water_and({track("fluid", {{Fluid::speed_of_sound, 10}}),
                         track("viscosity", {{Viscosity::dynamic_viscosity, 1e5}, {Viscosity::scheme, 1}})}));
  EXPECT_FLOAT_EQ(world.step_limit().seconds, acoustic_step * support / 10);
  expect_limited(world, "fluid", "other");
}

TEST(StepLimit, NamesDrag) {
  World world(water_and({track("drag", {{Drag::linear, 1e4}})}));
  EXPECT_FLOAT_EQ(world.step_limit().seconds, 1e-4f);
  expect_limited(world, "drag", "other");
}

TEST(StepLimit, NamesAHugeAcceleration) {
  World world(water_and({track("gravity", {{Gravity::acceleration, Vec3(1e6f, 0, 0)}})}));
  EXPECT_FLOAT_EQ(world.step_limit().seconds, 0.25f * std::sqrt(support / 1e6f));
  expect_limited(world, "acceleration", "other");
}

TEST(StepLimit, NamesTheLargestStepOfTheScene) {
  WorldSetup setup = water_and({track("fluid", {{Fluid::speed_of_sound, 100}})});
  setup.largest_step = 1e-5f;
  World world(setup);
  EXPECT_EQ(world.step_limit().seconds, 1e-5f);
  EXPECT_STREQ(world.step_limit().cause, "largest_step");
  EXPECT_EQ(measure(world).limited_by, "largest_step");
}

TEST(StepLimit, IsAFractionOfTheStableStep) {
  WorldSetup setup = water_and({track("fluid", {{Fluid::speed_of_sound, 100}})});
  setup.step_factor = 0.25f;
  World world(setup);
  EXPECT_FLOAT_EQ(world.step_limit().seconds, 0.25f * acoustic_step * support / 100);
  expect_limited(world, "fluid", "other");
}

/// The one that limits is found among thousands, in whatever block it is.
TEST(StepLimit, IsThatOfTheWorstParticleOfAll) {
  WorldSetup setup = world_setup(2, spacing);
  setup.objects.push_back(
      object("sea", rectangle(0, 0, 8, 5), spacing, {track("fluid", {{Fluid::speed_of_sound, 1}})}));
  setup.objects.push_back(
      object("stone", rectangle(9, 2, 9.1f, 2.1f), spacing, {track("drag", {{Drag::linear, 1e3}})}));
  World world(setup);
  ASSERT_GT(world.neighbourhood().blocks().size(), 1u);
  expect_limited(world, "drag", "stone");
}

TEST(StepLimit, OfAnEmptyWorldIsTheLargestStep) {
  WorldSetup setup = world_setup(2, spacing);
  setup.objects.push_back(object("jet", nullptr, spacing, {track("gravity")}));
  setup.largest_step = 2e-3f;
  World world(setup);
  EXPECT_STREQ(world.step_limit().cause, "largest_step");
  EXPECT_LE(world.step_limit().seconds, 2e-3f);
  EXPECT_EQ(measure(world).words(), (std::vector<std::string>{"largest_step", "jet"}));
}

/// A continued run knows what limits its next step, as the one it continues did.
TEST(StepLimit, IsTheSameAfterARestart) {
  const WorldSetup setup = water_and({track("springs", {{Springs::stiffness, 1e8}})});
  World world(setup);
  world.step(1e-6);
  const TemporaryFolder folder;
  FrameHeader header;
  header.dimension = setup.dimension;
  header.state = world.state();
  write_frame(folder / "frame.h5", header, world.particles(), {}, {});
  Frame frame = read_frame(folder / "frame.h5");
  const World restored(setup, std::move(frame.particles), frame.header.state);
  EXPECT_EQ(restored.step_limit().seconds, world.step_limit().seconds);
  EXPECT_STREQ(restored.step_limit().cause, world.step_limit().cause);
  EXPECT_EQ(restored.step_limit().object, world.step_limit().object);
  EXPECT_EQ(measure(restored).words(), measure(world).words());
}

}  // namespace
}  // namespace fondue
