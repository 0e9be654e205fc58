// Heat in scene files, and mistakes in it.

#include <gtest/gtest.h>

#include "behaviours/heat.h"
#include "scene_texts.h"

namespace fondue {
namespace {

const std::string warm_cube = beginning + "heat = {}\n" + cube + "temperature = 300\n";

TEST(SceneHeat, ColliderRegionAndPositionAreRead) {
  const Scene scene = parsed(beginning + "heat = {}\n" + cube + R"(
temperature = { over = "z", at = [0, 1], value = [300, 400] }
[[colliders]]
name = "stove"
shape = { type = "box", min = [0, 0, -1], max = [1, 1, 0] }
temperature = { time = [0, 10], value = [300, 500] }
[[hot_regions]]
name = "flame"
shape = { type = "sphere", radius = 0.2 }
temperature = 1200
position = { time = [0, 1], value = [[0, 0, 0], [1, 0, 0]] }
)");
  const Keyable<float>& start = *scene.world.objects[0].initial.find("temperature");
  EXPECT_FLOAT_EQ(at_place(start, Vec3(7, 8, 0.25f)), 325);
  EXPECT_FLOAT_EQ(scene.world.colliders[0].temperature->at(5), 400);
  ASSERT_EQ(scene.world.regions.size(), 1u);
  EXPECT_FLOAT_EQ(scene.world.regions[0].values.number(Heat::region_temperature).at(0), 1200);
  EXPECT_FLOAT_EQ(scene.world.regions[0].values.number(Heat::region_rate).at(0), 1);
  EXPECT_FLOAT_EQ(scene.world.regions[0].motion.position.at(0.5).x(), 0.5f);
}

TEST(SceneHeat, AnEmitterWithoutATemperatureTakesThatOfItsObject) {
  const std::string jet = "[[emitters]]\nname = \"jet\"\nobject = \"cube\"\nradius = 0.1\ncentre = [0, 0, 3]\n";
  EXPECT_FLOAT_EQ(parsed(warm_cube + jet).world.emitters[0].initial.find("temperature")->at(0), 300);
  EXPECT_EQ(mistake_of(beginning + "heat = {}\n" + cube +
                       "temperature = { over = \"x\", at = [0, 1], value = [300, 400] }\n" + jet),
            "test.toml:13:1: emitter 'jet' needs 'temperature'");
}

TEST(SceneHeat, NeedsATemperature) {
  EXPECT_EQ(mistake_of(beginning + "heat = {}\n" + cube),
            "test.toml:10:12: object 'cube' has 'heat', which needs a temperature to start from; add temperature = 293 "
            "to it");
  // Also where another object has one.
  EXPECT_EQ(
      mistake_of(beginning + cube +
                 "temperature = 300\n[materials.oil]\nfluid = {}\nviscosity = { "
                 "dynamic_viscosity = { over = \"temperature\", at = [300, 350], value = [10, "
                 "1] } }\n[[objects]]\nname = \"b\"\nmaterial = \"oil\"\nshape = { type = "
                 "\"sphere\", centre = [3, 0, 0], radius = 1 }\n"),
      "test.toml:17:12: object 'b' has a curve of 'viscosity > dynamic_viscosity' over 'temperature', but it has no "
      "temperature; give it one, or add 'heat'");
}

TEST(SceneHeat, CurvesOverTemperatureNeedNoConduction) {
  EXPECT_EQ(
      mistake_of(beginning + cube +
                 "temperature = 300\nviscosity = { dynamic_viscosity = { over = \"temperature\", at = [300, 350], "
                 "value = [10, 1] } }\n"),
      "");
}

TEST(SceneHeat, OnlyWhatHasLatentHeatMelts) {
  const std::string melts = "viscosity = { dynamic_viscosity = { over = \"melted\", at = [0, 1], value = [10, 1] } }\n";
  const std::string wrong =
      "object 'cube' has a curve of 'viscosity > dynamic_viscosity' over 'melted', but it does not melt; add heat = { "
      "latent_heat = 334000, melting_point = 273.15 }";
  EXPECT_EQ(mistake_of(beginning + cube + "temperature = 300\n" + melts),
            "test.toml:9:12: object 'cube' has a curve of 'viscosity > dynamic_viscosity' over 'melted', but it has no "
            "melted; give it one, or add 'heat'");
  EXPECT_EQ(mistake_of(warm_cube + melts), "test.toml:10:12: " + wrong);
  EXPECT_EQ(mistake_of(warm_cube + melts + "heat = { latent_heat = 1000 }\n"), "");
}

TEST(SceneHeat, TemperaturesAreNotNegative) {
  EXPECT_EQ(mistake_of(beginning + cube + "temperature = -1\n"),
            "test.toml:11:15: 'temperature' in object 'cube' must be at least 0 K, got -1");
  EXPECT_EQ(mistake_of(warm_cube + "heat = { ambient_temperature = -20 }\n"),
            "test.toml:13:32: 'ambient_temperature' in object 'cube' > heat must be at least 0 K, got -20");
  EXPECT_EQ(mistake_of(warm_cube + "heat = { heat_capacity = 0 }\n"),
            "test.toml:13:26: 'heat_capacity' in object 'cube' > heat must be greater than 0 J/(kg K), got 0");
  EXPECT_EQ(mistake_of(warm_cube + "[[hot_regions]]\nname = \"f\"\nshape = { type = \"sphere\", radius = 1 }\n"),
            "test.toml:13:1: hot region 'f' needs 'temperature'");
}

TEST(SceneHeat, KeysOfACurveMustIncrease) {
  EXPECT_EQ(
      mistake_of(warm_cube + "viscosity = { dynamic_viscosity = { over = \"temperature\", at = [350, 300], value "
                             "= [10, 1] } }\n"),
      "test.toml:13:70: 'dynamic_viscosity' in object 'cube' > viscosity has keys that do not increase: 300 after "
      "350");
}

TEST(SceneHeat, HeatIsAFunctionOfTheState) {
  EXPECT_EQ(mistake_of(warm_cube + "heat = { heat_capacity = { time = [0, 1], value = [1, 2] } }\n"),
            "test.toml:13:26: 'heat_capacity' in object 'cube' > heat is a constant and cannot be keyframed");
}

TEST(SceneHeat, InitialValuesVaryOnlyOverPosition) {
  EXPECT_EQ(
      mistake_of(beginning + cube + "temperature = { over = \"density\", at = [0, 1], value = [300, 400] }\n"),
      "test.toml:11:24: 'temperature' in object 'cube' can run only over the position (x, y or z), not over 'density'");
  EXPECT_EQ(mistake_of(beginning + cube + "temperature = { time = [0, 1], value = [300, 400] }\n"),
            "test.toml:11:15: 'temperature' in object 'cube' is an initial value and can vary only over the position: "
            "{ over = "
            "\"x\", at = [...], value = [...] }");
}

}  // namespace
}  // namespace fondue
