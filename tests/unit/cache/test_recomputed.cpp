// Columns that frames do not store are made again from what they store.

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "cache/recomputed.h"
#include "support/setups.h"
#include "support/temporary_folder.h"

namespace fondue {
namespace {

using namespace testing_support;

TEST(Recomputed, PressureIsThatOfTheRunAndNothingElseChanges) {
  Scene scene;
  scene.world = world_setup(2, 0.05f);
  scene.world.objects = {object("water", rectangle(0, 0, 0.5f, 0.6f), 0.05f, {track("gravity"), track("fluid")})};
  scene.world.colliders = {container("tank", rectangle(0, 0, 1, 1))};
  World world(scene.world);
  while (world.time() < 0.2) world.step(0.2);

  const TemporaryFolder folder;
  FrameHeader header;
  header.dimension = 2;
  header.time = world.time();
  header.state = world.state();
  write_frame(folder / "frame.h5", header, world.particles(), {}, {});
  const Frame stored = read_frame(folder / "frame.h5");
  ASSERT_FALSE(stored.particles.has("pressure"));

  const std::vector<std::string> wanted = {"pressure"};
  const Frame completed = read_frame_with(folder / "frame.h5", scene, wanted);
  ASSERT_TRUE(completed.particles.has("pressure"));
  float highest = 0;
  for (const float p : world.particles()[columns::pressure]) highest = std::max(highest, std::abs(p));
  ASSERT_GT(highest, 1000) << "half a metre of water";
  std::map<Index, float> expected;
  for (Index i = 0; i != world.particles().size(); ++i)
    expected[world.particles()[columns::id][i]] = world.particles()[columns::pressure][i];
  for (Index i = 0; i != completed.particles.size(); ++i) {
    EXPECT_EQ(completed.particles[columns::position][i], stored.particles[columns::position][i]);
    EXPECT_NEAR(completed.particles[columns::pressure][i], expected.at(completed.particles[columns::id][i]),
                0.01f * highest);
  }
}

TEST(Recomputed, WhatTheSceneDoesNotMakeStaysAway) {
  Scene scene;
  scene.world = world_setup(2, 0.05f);
  scene.world.objects = {object("water", rectangle(0, 0, 0.2f, 0.2f), 0.05f, {track("fluid")})};
  World world(scene.world);
  const TemporaryFolder folder;
  FrameHeader header;
  header.dimension = 2;
  header.state = world.state();
  write_frame(folder / "frame.h5", header, world.particles(), {}, {});
  const std::vector<std::string> wanted = {"temperature", "density"};
  EXPECT_FALSE(read_frame_with(folder / "frame.h5", scene, wanted).particles.has("temperature"));
  const std::vector<std::string> shown = columns_to_show({"density"}, scene);
  EXPECT_NE(std::ranges::find(shown, "pressure"), shown.end());
  EXPECT_EQ(std::ranges::count(shown, "density"), 1);
}

}  // namespace
}  // namespace fondue
