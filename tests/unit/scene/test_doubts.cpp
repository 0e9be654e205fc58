// What a scene says and its author hardly means is named, and does not keep it from running.

#include <gtest/gtest.h>

#include "scene_texts.h"

namespace fondue {
namespace {

std::string notes_of(const std::string& text) {
  std::string all;
  for (const std::string& note : parsed(text).notes) all += (all.empty() ? "" : "\n") + note;
  return all;
}

TEST(Doubts, OrdinaryScenesRaiseNone) { EXPECT_EQ(notes_of(beginning + cube), ""); }

TEST(Doubts, AMaterialThatNothingUsesIsNamed) {
  EXPECT_EQ(notes_of(beginning + cube + "[materials.oil]\ngravity = {}\nfluid = {}\n"),
            "test.toml:11:12: material 'oil' is used by no object and no emitter");
}

TEST(Doubts, ATemperatureInCelsiusIsRecognised) {
  EXPECT_EQ(
      notes_of(beginning + cube + "temperature = 20\nheat = {}\n"),
      "test.toml:11:15: 'temperature' in object 'cube' is 20 K, which is -253.15 degrees Celsius; did you mean 293? "
      "\"20 C\" says so too");
  EXPECT_EQ(notes_of(beginning + cube + "temperature = \"20 K\"\nheat = {}\n"), "") << "said explicitly";
  EXPECT_EQ(notes_of(beginning + cube + "temperature = 293\nheat = {}\n"), "");
}

TEST(Doubts, ATemperatureThatNothingReadsIsNamed) {
  EXPECT_EQ(notes_of(beginning + cube + "temperature = 300\n"),
            "test.toml:10:9: object 'cube' has a temperature, but nothing it does depends on it; its material needs "
            "'heat', or a curve over \"temperature\"");
  EXPECT_EQ(
      notes_of(beginning + cube + "temperature = 300\n" +
               "viscosity = { dynamic_viscosity = { over = \"temperature\", at = [300, 350], value = [10, 1] } }\n"),
      "");
  EXPECT_EQ(notes_of(beginning + cube + "[[colliders]]\nname = \"floor\"\ntemperature = 300\n" +
                     "shape = { type = \"plane\", normal = [0, 0, 1] }\n"),
            "test.toml:1:1: collider 'floor' has a temperature, but no matter has 'heat'");
}

TEST(Doubts, ASceneInCentimetresIsRecognised) {
  const std::string large =
      "[scene]\nspacing = 2\n[materials.water]\ngravity = {}\nfluid = {}\n[[objects]]\nname = \"cube\"\nmaterial = "
      "\"water\"\n"
      "shape = { type = \"box\", min = [0, 0, 0], max = [30, 20, 10] }\n";
  EXPECT_EQ(
      notes_of(large),
      "test.toml:1:1: the scene is 30 m long; if these are centimetres, write \"30 cm\" or 0.3: plain numbers are in "
      "metres");
}

TEST(Doubts, AnOpeningNarrowerThanAParticleIsNamed) {
  const auto jet = [](const std::string& radius) {
    return beginning + cube + "[[emitters]]\nname = \"jet\"\nmaterial = \"water\"\nradius = " + radius + "\n";
  };
  EXPECT_EQ(notes_of(jet("0.4")), "");
  EXPECT_EQ(notes_of(jet("0.02")),
            "test.toml:1:1: the opening of emitter 'jet' is 0.04 m wide, less than the spacing of 0.1 m: single "
            "particles leave it one after the other; a jet needs a spacing of 0.01 m or less");
}

TEST(Doubts, SandDoesNotSleepWithIndividualSteps) {
  const std::string sand =
      "[scene]\nspacing = 0.1\n[materials.water]\ngravity = {}\nfluid = { rest_density = 1600 }\nsand = {}\n" + cube;
  EXPECT_EQ(notes_of(sand), "");
  EXPECT_EQ(
      notes_of(sand + "[time]\nindividual_steps = true\n"),
      "test.toml:10:9: object 'cube' could sleep when it has come to rest, but not with 'time > individual_steps'; "
      "one step for all is usually faster for it");
  EXPECT_EQ(notes_of(beginning + cube + "[time]\nindividual_steps = true\n"), "") << "water does not sleep";
}

TEST(Doubts, AnObjectInsideASolidIsAMistake) {
  EXPECT_EQ(
      mistake_of(beginning + cube + "[[colliders]]\nname = \"rock\"\nshape = { type = \"sphere\", radius = 3 }\n"),
      "test.toml:10:9: object 'cube' lies wholly in the solid 'rock'; move one of them, or make it a container if "
      "matter is meant to be inside");
  EXPECT_EQ(mistake_of(beginning + cube +
                       "[[colliders]]\nname = \"rock\"\ncontainer = true\nshape = { type = \"sphere\", radius = 3 }\n"),
            "");
  EXPECT_EQ(mistake_of(beginning + cube + "[[colliders]]\nname = \"bowl\"\ncontainer = true\n" +
                       "shape = { type = \"sphere\", centre = [9, 0, 0], radius = 3 }\n"),
            "test.toml:10:9: object 'cube' lies wholly outside the container 'bowl', where all is solid");
}

}  // namespace
}  // namespace fondue
