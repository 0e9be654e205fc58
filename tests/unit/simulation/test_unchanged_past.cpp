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
  EXPECT_EQ(until("colliders.lid.position.repeat", "true"), 0.8) << "differs after the last key only";
}

/// A weight that is held at 0 or 1 is the same until the hold ends, wherever the key at its end is.
TEST(UnchangedPast, EndsWithTheHoldOfAWeight) {
  SceneText text(drop);
  const std::string weight = "materials.water.artificial_viscosity.weight";
  const auto scene = [&](const std::string& curve) {
    text.set(weight, curve);
    return parse_scene(text.text(), "drop.toml");
  };
  const Scene before = scene("{ time = [0.1, 0.6, 0.7], value = [1, 1, 0] }");
  const Scene sooner = scene("{ time = [0.1, 0.45, 0.7], value = [1, 1, 0] }");
  EXPECT_EQ(unchanged_until(before, sooner), 0.45);
  EXPECT_EQ(unchanged_until(before, scene("{ time = [0.1, 0.8, 0.9], value = [1, 1, 0] }")), 0.6);
  EXPECT_EQ(unchanged_until(before, scene("{ time = [0.1], value = [1] }")), 0.6);
  EXPECT_EQ(unchanged_until(before, scene("{ time = [0.1, 0.6, 0.7], value = [1, 0.9, 0] }")), 0.1) << "no hold";
  EXPECT_EQ(unchanged_until(scene("{ time = [0.1, 0.6], value = [0.3, 0.3] }"),
                            scene("{ time = [0.1, 0.5], value = [0.3, 0.3] }")),
            0.1)
      << "rounding may differ";
  EXPECT_EQ(unchanged_until(scene("{ time = [0.1, 0.6], value = [0.3, 1], interpolation = \"step\" }"),
                            scene("{ time = [0.1, 0.5], value = [0.3, 1], interpolation = \"step\" }")),
            0.5);
  Simulation one(before), other(sooner);
  one.run_to(8);
  other.run_to(8);
  EXPECT_TRUE(one.save() == other.save());
  one.run_to(12);
  other.run_to(12);
  EXPECT_FALSE(one.save() == other.save());
}

/// Materials that follow one another: a change acts when the first of them begins that begins or fades otherwise.
TEST(UnchangedPast, EndsWhereTheFirstMaterialBeginsThatDiffers) {
  SceneText text(drop);
  text.remove("objects.drop.material");
  text.set("materials.oil", "{ gravity = {}, fluid = { rest_density = 1000 }, xsph = {} }");
  text.set("materials.water.fluid.rest_density", "1000");
  text.set("materials.water.artificial_viscosity.weight", "1");
  text.set("objects.drop.materials",
           "[{ material = \"water\" }, { material = \"oil\", from = 0.3, fade = 0.1 }, { material = \"water\", from = "
           "0.6 }]");
  const Scene scene = parse_scene(text.text(), "drop.toml");
  const auto until_change = [&](const std::string& path, const std::string& value) {
    SceneText other = text;
    other.set("objects.drop.materials." + path, value);
    return unchanged_until(scene, parse_scene(other.text(), "drop.toml"));
  };
  EXPECT_EQ(until_change("2.from", "0.7"), 0.6);
  EXPECT_EQ(until_change("2.from", "0.5"), 0.5);
  EXPECT_EQ(until_change("1.fade", "0.2"), 0.3);
  EXPECT_EQ(until_change("2.material", "\"oil\""), 0) << "other behaviours act from then on, with other columns";

  text.set("objects.drop.materials.2.from", "0.7");
  Simulation before(scene), after(parse_scene(text.text(), "drop.toml"));
  for (int frame = 1; frame / 20.0 < 0.6; ++frame) {
    before.run_to(frame);
    after.run_to(frame);
    EXPECT_EQ(before.save().bytes(), after.save().bytes()) << "frame " << frame;
  }
  before.run_to(14);
  after.run_to(14);
  EXPECT_NE(before.save().bytes(), after.save().bytes());
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
