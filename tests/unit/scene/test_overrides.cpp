#include <gtest/gtest.h>

#include "scene_texts.h"

namespace fondue {
namespace {

const std::string scene_text = beginning + cube + "[time]\nduration = 2\n";

TEST(SceneOverrides, ChangeValuesByPath) {
  const Scene scene =
      parsed(scene_text, {{"time.duration", "5"}, {"scene.kernel", "spiky"}, {"scene.name", "\"other\""}});
  EXPECT_EQ(scene.duration, 5);
  EXPECT_EQ(scene.world.kernel, KernelShape::spiky);
  EXPECT_EQ(scene.name, "other");
}

TEST(SceneOverrides, AccessListsByIndexAndByName) {
  EXPECT_EQ(parsed(scene_text, {{"objects.0.velocity", "[1, 2, 3]"}}).world.objects[0].velocity, Vec3(1, 2, 3));
  EXPECT_EQ(parsed(scene_text, {{"objects.cube.velocity", "[1, 2, 3]"}}).world.objects[0].velocity, Vec3(1, 2, 3));
  EXPECT_TRUE(
      parsed(scene_text, {{"objects.cube.shape.max.2", "4"}}).world.objects[0].shape->contains({0.5f, 0.5f, 3.9f}));
}

TEST(SceneOverrides, AddMissingKeys) {
  const Scene scene = parsed(scene_text, {{"picture.width", "640"}, {"materials.water.drag.linear", "3"}});
  EXPECT_EQ(scene.picture.width, 640);
  EXPECT_EQ(scene.world.objects[0].tracks.size(), 4u);
}

TEST(SceneOverrides, ReplaceAValueByACurve) {
  const std::string curve = "{ time = [0, 1], value = [1000, 500] }";
  const Scene scene = parsed(scene_text, {{"materials.water.fluid.rest_density", curve}});
  const Parameter rest_density{.name = "rest_density"};
  for (const Track& track : scene.world.objects[0].tracks)
    if (track.behaviour == "fluid") {
      EXPECT_FLOAT_EQ(track.values.number(rest_density).at(0.5), 750);
    }
  // And a curve by another, which replaces it completely.
  const std::string other = "{ over = \"density\", at = [0, 1], value = [1, 2] }";
  EXPECT_EQ(mistake_of(scene_text,
                       {{"materials.water.fluid.rest_density", curve}, {"materials.water.fluid.rest_density", other}}),
            "");
}

TEST(SceneOverrides, AreInTheEffectiveScene) {
  const Scene scene = parsed(scene_text, {{"materials.water.fluid.rest_density", "900"}});
  EXPECT_EQ(parsed(scene.effective).effective, scene.effective);
  EXPECT_NE(scene.effective.find("rest_density = 900"), std::string::npos);
}

TEST(SceneOverrides, MistakesNameTheOption) {
  EXPECT_EQ(mistake_of(scene_text, {{"time.duraton", "3"}}),
            "--set time.duraton=3: unknown key 'duraton' in [time]; did you mean 'duration'?");
  EXPECT_EQ(mistake_of(scene_text, {{"tim.duration", "3"}}),
            "--set tim.duration=3: unknown key 'tim' in the scene; did you mean 'time'?");
  EXPECT_EQ(mistake_of(scene_text, {{"objects.cub.velocity", "[0, 0, 1]"}}),
            "--set objects.cub.velocity=[0, 0, 1]: no 'cub' in objects; did you mean 'cube'?");
  EXPECT_EQ(mistake_of(scene_text, {{"materials.watter.fluid.rest_density", "500"}}),
            "--set materials.watter.fluid.rest_density=500: no material 'watter' in the scene; did you mean 'water'?");
  EXPECT_EQ(mistake_of(scene_text, {{"objects.3.velocity", "[0, 0, 1]"}}),
            "--set objects.3.velocity=[0, 0, 1]: no '3' in objects; it has 1");
  EXPECT_EQ(mistake_of(scene_text, {{"time.duration", "-3"}}),
            "--set time.duration=-3: 'duration' in [time] must be greater than 0 s, got -3");
  EXPECT_EQ(mistake_of(scene_text, {{"time.duration", "long"}}),
            "--set time.duration=long: 'duration' in [time] needs a number, got a string");
  EXPECT_EQ(
      mistake_of(scene_text, {{"time..duration", "3"}}).find("--set time..duration=3: the key is not a dotted path"),
      0u);
}

TEST(SceneOverrides, MistakesComeWithThoseOfTheFile) {
  const auto mistakes = mistakes_of(scene_text + "frames = 3\n", {{"time.duraton", "3"}, {"scene.sped", "1"}});
  ASSERT_EQ(mistakes.size(), 3u);
  EXPECT_EQ(mistakes[0].find("test.toml:13:1: unknown key 'frames'"), 0u) << mistakes[0];
  EXPECT_EQ(mistakes[1].find("--set "), 0u);
  EXPECT_EQ(mistakes[2].find("--set "), 0u);
}

}  // namespace
}  // namespace fondue
