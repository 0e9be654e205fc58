// Frames before the first effect of a change are frames of the changed scene too, bit for bit.

#include <gtest/gtest.h>

#include "scene/scene_text.h"
#include "simulation/simulation.h"
#include "simulation/unchanged_past.h"

namespace fondue {
namespace {

const char* const drop = R"(
[scene]
dimension = 2
spacing = 0.1
[time]
duration = 1.0
frames_per_second = 20
[materials.water]
gravity = {}
fluid = { rest_density = { time = [0.2, 0.5], value = [1000, 800] } }
artificial_viscosity = { alpha = 0.1, weight = { time = [0.1, 0.3, 0.6], value = [1, 0.5, 1] } }
[[objects]]
name = "drop"
material = "water"
shape = { type = "box", min = [0.3, 0.5], max = [0.9, 1.1] }
[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [0, 0], max = [1.2, 1.2] }
[[colliders]]
name = "lid"
shape = { type = "sphere", radius = 0.1 }
position = { time = [0, 0.4, 0.8], value = [[0.2, 0.2], [0.3, 0.2], [0.4, 0.2]], interpolation = "smooth" }
)";

Scene changed(const std::string& path, const std::string& value) {
  SceneText text(drop);
  text.set(path, value);
  return parse_scene(text.text(), "drop.toml");
}

double until(const std::string& path, const std::string& value) {
  return unchanged_until(parse_scene(drop, "drop.toml"), changed(path, value));
}

TEST(UnchangedPast, IsAllOfItForChangesOfPicturesAndLength) {
  EXPECT_EQ(until("picture.width", "640"), all_time);
  EXPECT_EQ(until("materials.water.colour", "[1, 0, 0]"), all_time);
  EXPECT_EQ(until("time.duration", "2"), all_time);
  EXPECT_EQ(until("scene.spacing", "0.1"), all_time) << "no change";
}

TEST(UnchangedPast, EndsAtTheKeyBeforeTheFirstThatDiffers) {
  const std::string weight = "materials.water.artificial_viscosity.weight";
  EXPECT_EQ(until(weight + ".value.2", "0"), 0.3);
  EXPECT_EQ(until(weight + ".time.2", "0.7"), 0.3);
  EXPECT_EQ(until(weight + ".value.1", "0.25"), 0.1);
  EXPECT_EQ(until(weight + ".time.0", "0.05"), 0.05) << "constant before the first key of both";
  EXPECT_EQ(until(weight + ".value.0", "0.9"), 0);
  EXPECT_EQ(until(weight + ".interpolation", "\"step\""), 0.1);
  EXPECT_EQ(until("materials.water.fluid.rest_density.time.1", "0.7"), 0.2);
}

TEST(UnchangedPast, IsNothingForWhatActsFromTheStart) {
  EXPECT_EQ(until("materials.water.artificial_viscosity.alpha", "0.2"), 0);
  EXPECT_EQ(until("objects.drop.velocity", "[1, 0]"), 0);
  EXPECT_EQ(until("materials.water.artificial_viscosity.weight", "1"), 0) << "a curve becomes a constant";
  EXPECT_EQ(until("materials.water.fluid.rest_density.value.1", "700"), 0) << "the lightest density sets the step";
  EXPECT_EQ(until("colliders.lid.position.value.2", "[9, 0.2]"), 0) << "the expected speed changes";
}

TEST(UnchangedPast, HoldsBitForBit) {
  const Scene before = parse_scene(drop, "drop.toml");
  for (const auto& [path, value] : {std::pair{"materials.water.artificial_viscosity.weight.time.2", "0.4"},
                                    std::pair{"materials.water.fluid.rest_density.time.1", "0.7"},
                                    std::pair{"colliders.lid.position.value.2", "[0.35, 0.2]"}}) {
    const Scene after = changed(path, value);
    const double time = unchanged_until(before, after);
    ASSERT_GT(time, 0) << path;
    Simulation old_one(before), new_one(after);
    int last = 0;
    while (old_one.frame_time(last + 1) < time) ++last;
    ASSERT_GT(last, 0);
    old_one.run_to(last);
    new_one.run_to(last);
    EXPECT_TRUE(old_one.save() == new_one.save()) << path;
    Simulation continued(after, old_one.save().frame());
    continued.run_to(18);
    new_one.run_to(18);
    old_one.run_to(18);
    EXPECT_TRUE(continued.save() == new_one.save()) << path;
    EXPECT_FALSE(old_one.save() == new_one.save()) << path << " has no effect at all";
  }
}

}  // namespace
}  // namespace fondue
