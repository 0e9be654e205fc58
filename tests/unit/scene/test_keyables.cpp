#include <gtest/gtest.h>

#include "behaviours/behaviour.h"
#include "scene_texts.h"

namespace fondue {
namespace {

const Parameter& parameter(const std::string& behaviour, const std::string& name) {
  for (const RegisteredBehaviour& registered : behaviour_registry())
    if (registered.info->name == behaviour)
      for (const Parameter* p : registered.info->parameters)
        if (p->name == name) return *p;
  throw std::out_of_range(behaviour + "." + name);
}

const Track& track(const Scene& scene, const std::string& behaviour, std::size_t object = 0) {
  for (const Track& candidate : scene.world.objects.at(object).tracks)
    if (candidate.behaviour == behaviour) return candidate;
  throw std::out_of_range(behaviour);
}

const std::string with_heat = beginning + cube + "temperature = 300\n";

TEST(SceneKeyables, ConstantsDoNotChange) {
  const auto density = track(parsed(beginning + cube), "fluid").values.number(parameter("fluid", "rest_density"));
  EXPECT_TRUE(density.constant());
  EXPECT_EQ(density.at(7), 1000);
}

TEST(SceneKeyables, CurvesOverTimeInterpolate) {
  const auto at_a_quarter = [](const std::string& interpolation) {
    const Scene scene = parsed(beginning + cube + "fluid = { rest_density = { time = [0, 2], value = [1000, 600]" +
                               interpolation + " } }\n");
    const auto density = track(scene, "fluid").values.number(parameter("fluid", "rest_density"));
    EXPECT_TRUE(density.over_time());
    return density.at(0.5);
  };
  EXPECT_FLOAT_EQ(at_a_quarter(""), 900);
  EXPECT_FLOAT_EQ(at_a_quarter(", interpolation = \"linear\""), 900);
  EXPECT_FLOAT_EQ(at_a_quarter(", interpolation = \"step\""), 1000);
  // 3u^2 - 2u^3 at u = 1/4 is 5/32.
  EXPECT_FLOAT_EQ(at_a_quarter(", interpolation = \"smooth\""), 1000 - 400 * 5.0f / 32);
}

TEST(SceneKeyables, CurvesAreKeyedInFrames) {
  const auto density_of = [](const std::string& keys) {
    return track(parsed(beginning + "[time]\nframes_per_second = 25\n" + cube + "fluid = { rest_density = { " + keys +
                        ", value = [1000, 600] } }\n"),
                 "fluid")
        .values.number(parameter("fluid", "rest_density"));
  };
  EXPECT_EQ(density_of("frame = [5, 20]").curve().keys(), (std::vector<double>{0.2, 0.8}));
  EXPECT_EQ(density_of("time = [\"5 frames\", 0.8]").curve().keys(), (std::vector<double>{0.2, 0.8}));
}

TEST(SceneKeyables, CurvesRepeat) {
  const auto density =
      track(parsed(beginning + cube +
                   "fluid = { rest_density = { time = [0, 0.1, 0.2], value = [1000, 600, 1000], repeat = "
                   "true } }\n"),
            "fluid")
          .values.number(parameter("fluid", "rest_density"));
  EXPECT_FLOAT_EQ(density.at(0.1), 600);
  EXPECT_FLOAT_EQ(density.at(0.9), 600);
}

TEST(SceneKeyables, CurvesRunOverAttributes) {
  const Scene scene = parsed(
      with_heat + "viscosity = { dynamic_viscosity = { over = \"temperature\", at = [300, 350], value = [10, 1] } }\n");
  const auto viscosity = track(scene, "viscosity").values.number(parameter("viscosity", "dynamic_viscosity"));
  EXPECT_EQ(viscosity.over(), "temperature");
  EXPECT_FLOAT_EQ(viscosity.curve()(325), 5.5f);
}

TEST(SceneKeyables, VectorsAndBooleansHaveCurves) {
  const Scene scene = parsed(beginning + R"([[emitters]]
name = "jet"
material = "water"
radius = 0.2
direction = { time = [0, 1], value = [[1, 0, 0], [0, 0, 1]] }
on = { time = [0, 1, 2], value = [true, false, true] }
)");
  const EmitterSetup& jet = scene.world.emitters.at(0);
  EXPECT_EQ(jet.direction.at(0.5), Vec3(0.5f, 0, 0.5f));
  EXPECT_EQ(jet.on.at(0.9), 1);
  EXPECT_EQ(jet.on.at(1.1), 0);
  EXPECT_EQ(jet.on.at(2.1), 1);
}

TEST(SceneKeyables, RotationsAreDegreesInTheFileAndRadiansInTheWorld) {
  const Scene scene = parsed(beginning + cube + R"([[colliders]]
name = "paddle"
shape = { type = "box", min = [2, 0, 0], max = [3, 1, 1] }
rotation = { time = [0, 1], value = [[0, 0, 0], [0, 0, 180]] }
)");
  EXPECT_FLOAT_EQ(scene.world.colliders[0].motion.rotation.at(1).z(), 3.14159265f);
  EXPECT_FLOAT_EQ(scene.world.colliders[0].motion.rotation.at(0.5).z(), 1.57079633f);
}

TEST(SceneKeyables, MistakesInCurves) {
  const auto density = [](const std::string& curve) {
    return mistake_of(with_heat + "fluid = { rest_density = " + curve + " }\n");
  };
  const std::string what = "'rest_density' in object 'cube' > fluid ";
  EXPECT_EQ(density("{ time = [0, 1, 1], value = [1, 2, 3] }"),
            "test.toml:12:42: " + what + "has keys that do not increase: 1 after 1");
  EXPECT_EQ(density("{ time = [0, 1], value = [1, 2, 3] }"), "test.toml:12:51: " + what + "has 2 keys but 3 values");
  EXPECT_EQ(density("{ time = [0, nan], value = [1, 2] }"),
            "test.toml:12:39: " + what + "must be a finite number, got nan");
  EXPECT_EQ(density("{ time = [0, 1], value = [1, -2] }"),
            "test.toml:12:55: " + what + "must be greater than 0 kg/m^d, got -2");
  EXPECT_EQ(density("{ time = [], value = [] }"),
            "test.toml:12:35: " + what + "needs a list of numbers after 'time', got an empty one");
  EXPECT_EQ(density("{ time = [0, 1] }"), "test.toml:12:26: " + what + "is a curve without 'value'");
  EXPECT_EQ(density("{ over = \"tempreature\", at = [0, 1], value = [1, 2] }"),
            "test.toml:12:35: " + what + "runs over the unknown attribute 'tempreature'; did you mean 'temperature'?");
  EXPECT_EQ(density("{ time = [0, 1], value = [1, 2], interpolation = \"smoth\" }"),
            "test.toml:12:75: " + what + "has an unknown interpolation 'smoth'; did you mean 'smooth'?");
  EXPECT_EQ(density("{ time = [0, 1], frame = [0, 1], value = [1, 2] }"),
            "test.toml:12:51: " + what + "has keys in seconds and in frames; give 'time' or 'frame', not both");
  EXPECT_EQ(density("{ time = [0, 1], value = [1, 2], repeat = 1 }"),
            "test.toml:12:68: " + what + "needs true or false after 'repeat', got a number");
  EXPECT_EQ(density("{ time = [1], value = [1], repeat = true }"),
            "test.toml:12:26: " + what + "repeats, for which it needs more than one key");
  EXPECT_EQ(density("{ over = \"time\", at = [0, 1], value = [1, 2] }"),
            "test.toml:12:35: " + what + "must be written as { time = [...], value = [...] } to run over time");
  EXPECT_EQ(
      density("{ time = [0, 1], values = [1, 2] }"),
      "test.toml:12:43: unknown key 'values' in the curve of 'rest_density' in object 'cube' > fluid; did you mean "
      "'value'?");
}

TEST(SceneKeyables, TimeOnlyParametersTakeNoAttribute) {
  EXPECT_EQ(
      mistake_of(with_heat + "gravity = { acceleration = { over = \"temperature\", at = [0, 1], value = [[0, 0, 1], "
                             "[0, 0, 2]] } }\n"),
      "test.toml:12:37: 'acceleration' in object 'cube' > gravity can run only over time, not over 'temperature'");
}

TEST(SceneKeyables, ConstantsCannotBeKeyframed) {
  EXPECT_EQ(mistake_of(with_heat + "velocity = { time = [0, 1], value = [[0, 0, 0], [1, 0, 0]] }\n"),
            "test.toml:12:12: 'velocity' in object 'cube' is a constant and cannot be keyframed");
}

TEST(SceneKeyables, AttributesMustExist) {
  const std::string thin = beginning.substr(0, beginning.find("viscosity"));
  EXPECT_EQ(mistake_of(thin + cube + "fluid = { rest_density = { over = \"strain_rate\", at = [0], value = [1] } }\n"),
            "test.toml:8:12: object 'cube' has a curve of 'fluid > rest_density' over 'strain_rate', but it has no "
            "strain_rate; give it one, or add 'viscosity'");
}

}  // namespace
}  // namespace fondue
