// Keyframes that can have no effect are named with their place.

#include <gtest/gtest.h>

#include "scene_texts.h"

namespace fondue {
namespace {

/// A cube of water whose run takes 2 s; what is added begins in line 13.
const std::string two_seconds = beginning + "[time]\nduration = 2\n" + cube;

std::string all_notes(const std::string& text) {
  std::string all;
  for (const std::string& note : parsed(text).notes) all += (all.empty() ? "" : "\n") + note;
  return all;
}

TEST(KeyDoubts, AfterTheEndOfTheRun) {
  const auto note = [](const std::string& curve) {
    return all_notes(two_seconds + "fluid = { rest_density = " + curve + " }\n");
  };
  EXPECT_EQ(note("{ time = [0, 1.5, 3], value = [1000, 900, 1000] }"), "")
      << "it is on the way to the last when it ends";
  EXPECT_EQ(
      note("{ time = [0, 2, 3], value = [1000, 900, 1000] }"),
      "test.toml:13:42: the keyframe at 3 s of 'rest_density' in object 'cube' > fluid has no effect: the run ends "
      "at 2 s; move it, or make 'duration' in [time] longer");
  EXPECT_EQ(
      note("{ time = [0, 2], value = [1000, 900], interpolation = \"step\" }"),
      "test.toml:13:39: the keyframe at 2 s of 'rest_density' in object 'cube' > fluid has no effect: the run ends "
      "at 2 s; move it, or make 'duration' in [time] longer");
  EXPECT_EQ(
      note("{ frame = [0, 100, 150], value = [1000, 900, 1000] }"),
      "test.toml:13:45: the keyframe at 3 s of 'rest_density' in object 'cube' > fluid has no effect: the run ends "
      "at 2 s; move it, or make 'duration' in [time] longer")
      << "50 frames a second";
  EXPECT_EQ(note("{ time = [-2, -1, 1], value = [1000, 900, 1000] }"),
            "test.toml:13:36: the keyframe at -2 s of 'rest_density' in object 'cube' > fluid has no effect: the run "
            "begins at 0 s; move it, or remove it");
}

TEST(KeyDoubts, WhileTheWeightIsZero) {
  const std::string weight = "weight = { time = [0.5, 1], value = [1, 0] }";
  const auto note = [&](const std::string& curve) {
    return all_notes(two_seconds + "viscosity = { " + weight + ", dynamic_viscosity = " + curve + " }\n");
  };
  EXPECT_EQ(note("{ time = [0, 1.5], value = [1, 2] }"), "") << "it is on the way while it acts";
  EXPECT_EQ(note("{ time = [0, 1.2, 1.6], value = [1, 2, 3] }"),
            "test.toml:13:99: the keyframe at 1.6 s of 'dynamic_viscosity' in object 'cube' > viscosity has no effect: "
            "the weight of 'viscosity' is 0 then; move it, or remove it");
}

TEST(KeyDoubts, InAMaterialThatIsNotThereThen) {
  const std::string list =
      beginning +
      "[materials.oil]\ngravity = {}\nfluid = {}\nviscosity = { dynamic_viscosity = { time = [0, 0.5, 1.5], value = "
      "[1, 2, 3] } }\n[time]\nduration = 2\n[[objects]]\nname = \"cube\"\nmaterials = [ { material = \"water\" }, { "
      "material = \"oil\", from = 1, fade = 0.5 } ]\nshape = { type = \"box\", min = [0, 0, 0], max = [1, 1, 1] }\n";
  EXPECT_EQ(
      all_notes(list),
      "test.toml:10:45: the keyframe at 0 s of 'dynamic_viscosity' in object 'cube' > viscosity has no effect: the "
      "weight of 'viscosity' is 0 then; move it, or remove it");
}

TEST(KeyDoubts, WhileAnEmitterIsOff) {
  EXPECT_EQ(
      all_notes(two_seconds + "[[emitters]]\nname = \"jet\"\nobject = \"cube\"\nradius = 0.2\ncentre = [0, 0, 3]\n"
                              "on = { time = [0, 1], value = [true, false] }\n"
                              "speed = { time = [0, 1.2, 1.5], value = [1, 2, 3] }\n"),
      "test.toml:19:27: the keyframe at 1.5 s of 'speed' in emitter 'jet' has no effect: it is off then; move it, "
      "or remove it");
}

TEST(KeyDoubts, WhileTheMotionOfABodyIsSolvedFor) {
  const auto note = [](const std::string& dynamic) {
    return all_notes(two_seconds + "[[bodies]]\nname = \"ball\"\ndensity = 500\n" +
                     "shape = { type = \"sphere\", centre = [0.5, 0.5, 3], radius = 0.5 }\n" +
                     "position = { time = [0, 1], value = [[0, 0, 0], [0, 0, 1]] }\n" + dynamic);
  };
  EXPECT_EQ(note(""),
            "test.toml:17:25: the keyframe at 1 s of 'position' in body 'ball' has no effect: its motion is solved for "
            "then; move it, or remove it");
  EXPECT_EQ(note("dynamic = { time = [0, 1], value = [false, true] }\n"), "");
}

TEST(KeyDoubts, TracksThatAddUpToMoreThanOne) {
  EXPECT_EQ(
      all_notes(two_seconds + "xsph = [ { epsilon = 0.1 }, { epsilon = 0.3, weight = { time = [0, 1], value = [0, "
                              "0.5] } } ]\n"),
      "test.toml:13:8: the weights of the tracks of 'xsph' in object 'cube' add up to 1.5 at 1 s: it acts with 1 "
      "and the mean of their parameters; let one fade out while the other fades in");
}

TEST(KeyDoubts, TracksOverAnAttributeThatAddUpToMoreThanOne) {
  EXPECT_EQ(
      all_notes(two_seconds + "xsph = [ { epsilon = 0.1, weight = { over = \"density\", at = [900, 1000], value = "
                              "[1, 0.5] } }, { epsilon = 0.3, weight = { over = \"density\", at = [900, 1000], "
                              "value = [0, 1] } } ]\n"),
      "test.toml:13:8: the weights of the tracks of 'xsph' in object 'cube' add up to 1.5 at a density of 1000: "
      "it acts with 1 and the mean of their parameters; let one fade out while the other fades in");
}

TEST(KeyDoubts, ARegionForWhichThereIsNoMatter) {
  const std::string notes = all_notes(
      two_seconds + "[[controls]]\nname = \"duck\"\nradius = 0.5\nshape = { type = \"sphere\", radius = 1 }\n");
  EXPECT_NE(notes.find("control 'duck' has no effect: no matter has 'control'"), std::string::npos) << notes;
}

TEST(KeyDoubts, ACurveThatJumpsWhenItRepeats) {
  const auto note = [](const std::string& motion) {
    return all_notes(two_seconds +
                     "[[colliders]]\nname = \"paddle\"\nshape = { type = \"box\", min = [2, 0, 0], max = [3, "
                     "1, 1] }\n" +
                     motion);
  };
  EXPECT_EQ(note("position = { time = [0, 1], value = [[0, 0, 0], [1, 0, 0]], repeat = true }\n"),
            "test.toml:16:12: 'position' in collider 'paddle' repeats and jumps from its last value to its first each "
            "time; let it end as it begins unless that is meant");
  EXPECT_EQ(note("rotation = { time = [0, 1], value = [[0, 0, 0], [0, 0, 360]], repeat = true }\n"), "")
      << "a whole turn";
}

}  // namespace
}  // namespace fondue
