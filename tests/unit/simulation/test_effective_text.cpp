// The effective scene follows changes: with a state saved after a change it continues the run.

#include <gtest/gtest.h>

#include "unit/simulation/scenes.h"

namespace fondue {
namespace {

using namespace testing_support;

void expect_text_continues(const Simulation& simulation) {
  const std::string& effective = simulation.scene().effective;
  const Scene again = parse_scene(effective, "effective.toml");
  EXPECT_EQ(again.effective, effective) << "written as a scene file is written out";
  const Snapshot now = simulation.save();
  Simulation one = simulation.branch(now), other(again, now.frame());
  one.run_to(simulation.frame() + 2);
  other.run_to(simulation.frame() + 2);
  EXPECT_TRUE(one.save() == other.save());
}

TEST(EffectiveText, FollowsChangesOfOneObjectAndNotOfOthersOfItsMaterial) {
  const Scene scene = parse_scene(two_blocks, "two.toml");
  Simulation simulation(scene);
  EXPECT_EQ(simulation.scene().effective, scene.effective);
  simulation.run_to(2);
  simulation.set("left", "fluid", "rest_density", 700);
  expect_text_continues(simulation);
  const Scene again = parse_scene(simulation.scene().effective, "effective.toml");
  EXPECT_EQ(again.world.objects[0].tracks[1].values.constant(Fluid::rest_density), 700);
  EXPECT_EQ(again.world.objects[1].tracks[1].values.constant(Fluid::rest_density), 1000);
  EXPECT_EQ(again.looks[0].look, Look::water);
}

TEST(EffectiveText, FollowsSeveralChangesOfObjectsAndEmittedMatter) {
  Simulation simulation(parse_scene(two_blocks, "two.toml"));
  simulation.run_to(1);
  simulation.set("right", "gravity", "acceleration", Vec3(1, -5, 0));
  simulation.set_weight("right", "artificial_viscosity",
                        Keyable<float>(Curve<float>({0, 1}, {1, 0}, Interpolation::smooth), "time"));
  std::vector<Track> tracks = simulation.tracks("jet");
  std::erase_if(tracks, [](const Track& one) { return one.behaviour == "gravity"; });
  simulation.set_tracks("jet", tracks);
  simulation.set("right", "fluid", "rest_density", 1200);
  expect_text_continues(simulation);
}

/// The list gives way to one material with the tracks that it had become, and the looks that follow it.
TEST(EffectiveText, FollowsChangesOfAnObjectWithAListOfMaterials) {
  const Scene scene = parse_scene(R"([scene]
dimension = 2
spacing = 0.05
[time]
duration = 1
[materials.water]
gravity = {}
fluid = {}
[materials.honey]
look = "honey"
gravity = {}
fluid = {}
viscosity = { dynamic_viscosity = 5 }
[[objects]]
name = "block"
shape = { type = "box", min = [0, 0], max = [0.4, 0.4] }
materials = [ { material = "water" }, { material = "honey", from = 0.05, fade = 0.1 } ]
)",
                                  "list.toml");
  Simulation simulation(scene);
  simulation.run_to(2);
  simulation.set("block", "viscosity", "dynamic_viscosity", 9);
  expect_text_continues(simulation);
  const Scene again = parse_scene(simulation.scene().effective, "effective.toml");
  EXPECT_EQ(again.looks[0].sequence, scene.looks[0].sequence);
}

TEST(EffectiveText, OfASceneWithoutTextStaysEmpty) {
  Simulation simulation(tank_in_cpp());
  simulation.set("block", "fluid", "rest_density", 700);
  EXPECT_EQ(simulation.scene().effective, "");
}

}  // namespace
}  // namespace fondue
