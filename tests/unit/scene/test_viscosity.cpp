// Viscosity in scene files, and mistakes in it.

#include <gtest/gtest.h>

#include "behaviours/viscosity.h"
#include "scene_texts.h"

namespace fondue {
namespace {

std::string with_viscosity(const std::string& parameters, const std::string& rest = "") {
  std::string text = beginning;
  text.replace(text.find("viscosity = {}"), 14, "viscosity = { " + parameters + " }");
  return text + cube + rest;
}

void expect_mistake(const std::string& text, const std::string& part) {
  EXPECT_NE(mistake_of(text).find(part), std::string::npos) << mistake_of(text);
}

TEST(SceneViscosity, HasAJumpNumberOverTheTemperature) {
  const Scene scene = parsed(
      with_viscosity("law = \"jump\", jump_number = { over = \"temperature\", at = [310, 340], value = [150, 0] }",
                     "temperature = 300\n"));
  const Track& track = scene.world.objects[0].tracks[2];
  EXPECT_EQ(track.values.choice(Viscosity::law), static_cast<int>(ViscosityLaw::jump));
  EXPECT_FLOAT_EQ(track.values.number(Viscosity::jump_number).curve()(325), 75);
}

TEST(SceneViscosity, InvalidNumbersAreRefused) {
  expect_mistake(with_viscosity("law = \"jump\", jump_number = -1"), "'jump_number'");
  expect_mistake(with_viscosity("law = \"jump\", index = 0"), "'index'");
  expect_mistake(with_viscosity("law = \"yield\", index = -0.5"), "'index'");
  expect_mistake(with_viscosity("law = \"yield\", yield_stress = -2"), "'yield_stress'");
  expect_mistake(with_viscosity("law = \"jmup\""), "jump");
  EXPECT_EQ(mistake_of(with_viscosity("law = \"jump\", jump_number = 1e6")), "");
}

TEST(SceneViscosity, MeltingNeedsIncreasingTemperatures) {
  const auto melting = [](const std::string& at) {
    return with_viscosity("law = \"jump\", jump_number = { over = \"temperature\", at = " + at + ", value = [150, 0] }",
                          "temperature = 300\n");
  };
  expect_mistake(melting("[340, 310]"), "jump_number");
  expect_mistake(melting("[310, 310]"), "jump_number");
  // The object has no temperature.
  expect_mistake(with_viscosity("jump_number = { over = \"temperature\", at = [310, 340], value = [150, 0] }"),
                 "temperature");
}

TEST(SceneViscosity, CannotBeSolvedForWithIndividualSteps) {
  expect_mistake(with_viscosity("scheme = \"implicit\"", "[time]\nindividual_steps = true\n"), "individual_steps");
  EXPECT_EQ(mistake_of(with_viscosity("scheme = \"explicit\"", "[time]\nindividual_steps = true\n")), "");
}

TEST(SceneViscosity, HasOneSchemeForAllObjects) {
  const std::string other =
      "[materials.oil]\nfluid = {}\nviscosity = { scheme = \"stress\" }\n[[objects]]\nname = \"oil\"\nmaterial = "
      "\"oil\"\nshape = { type = \"box\", min = [2, 0, 0], max = [3, 1, 1] }\n";
  expect_mistake(with_viscosity("scheme = \"explicit\"", other), "another scheme of viscosity than object 'cube'");
  EXPECT_EQ(mistake_of(with_viscosity("dynamic_viscosity = 1", other)), "");
}

TEST(SceneViscosity, LawsDoNotBlend) {
  const auto fading = [](const std::string& first, const std::string& second) {
    std::string text = beginning;
    text.replace(text.find("viscosity = {}"), 14, "viscosity = [{ " + first + " }, { " + second + " }]");
    return text + cube;
  };
  expect_mistake(fading("law = \"newtonian\"", "law = \"jump\""), "different 'law', which cannot blend");
  EXPECT_EQ(mistake_of(fading("dynamic_viscosity = 1", "dynamic_viscosity = 2")), "");
}

}  // namespace
}  // namespace fondue
