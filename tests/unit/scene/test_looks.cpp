// Looks, skins and surfaces in scene files.

#include <gtest/gtest.h>

#include "scene_texts.h"

namespace fondue {
namespace {

/// The beginning with something added to its material.
std::string with_material(const std::string& lines) {
  std::string text = beginning;
  text.insert(text.find("gravity"), lines);
  return text;
}

TEST(SceneLooks, FollowFromTheBehavioursIfNotGiven) {
  EXPECT_EQ(parsed(beginning + cube).looks.at(0).look, Look::water);
  std::string cohesive = beginning;
  cohesive.insert(cohesive.find("rest_density"), "state_equation = \"cohesive\", ");
  EXPECT_EQ(parsed(cohesive + cube).looks.at(0).look, Look::clay);
  EXPECT_FALSE(parsed(beginning + cube).looks.at(0).colour);
}

TEST(SceneLooks, OfAnObjectReplacesThatOfItsMaterialKeyByKey) {
  std::string text = with_material("look = \"wax\"\ncolour = [1, 0.5, 0]\n");
  text += cube;
  text += "look = \"paint\"\nskin = \"carried\"\n";
  const LookSetup look = parsed(text).looks.at(0);
  EXPECT_EQ(look.look, Look::paint);
  EXPECT_EQ(look.skin, Skin::carried);
  EXPECT_EQ(look.colour, Vec3(1, 0.5f, 0));
}

TEST(SceneLooks, EmittersHaveTheLookOfTheirMaterial) {
  const std::string jet = R"([[emitters]]
name = "jet"
material = "water"
centre = [0, 0, 2]
radius = 0.3
)";
  const Scene scene = parsed(with_material("look = \"lava\"\n") + cube + jet);
  ASSERT_EQ(scene.looks.size(), 2u);
  EXPECT_EQ(scene.looks[1].look, Look::lava);
}

TEST(SceneLooks, AColourHasThreeNumbersAlsoIn2D) {
  std::string text = flat(with_material("colour = [0.1, 0.2, 0.3]\n"));
  text +=
      "[[objects]]\nname = \"disc\"\nmaterial = \"water\"\nshape = { type = \"circle\", centre = [0, 0], radius = 1 "
      "}\n";
  EXPECT_EQ(mistake_of(text), "");
  EXPECT_EQ(parsed(text).looks.at(0).colour, Vec3(0.1f, 0.2f, 0.3f));
  text.insert(text.find("colour"), "skin = \"grains\"\n");
  EXPECT_NE(mistake_of(text).find("must be \"extracted\" in two dimensions"), std::string::npos) << mistake_of(text);
}

TEST(SceneLooks, InvalidOnesAreRefused) {
  EXPECT_NE(mistake_of(with_material("look = \"watr\"\n") + cube).find("'water'"), std::string::npos);
  EXPECT_NE(mistake_of(with_material("colour = [2, 0, 0]\n") + cube).find("between 0 and 1"), std::string::npos);
  EXPECT_NE(mistake_of(with_material("lok = \"wax\"\n") + cube).find("'look'"), std::string::npos);
}

TEST(SceneSurface, IsReadAndItsMistakesAreNamed) {
  const std::string section =
      "[surface]\nfield = \"distance\"\ncell = 0.4\nsmoothing = 3\nattributes = [\"density\"]\n";
  const Scene scene = parsed(beginning + cube + section);
  EXPECT_EQ(scene.surface.field, SurfaceField::distance);
  EXPECT_EQ(scene.surface.cell, 0.4f);
  EXPECT_EQ(scene.surface.smoothing, 3);
  EXPECT_EQ(scene.surface.attributes, std::vector<std::string>{"density"});
  EXPECT_EQ(parsed(scene.effective).surface.attributes, scene.surface.attributes) << scene.effective;
  EXPECT_NE(mistake_of(beginning + cube + "[surface]\nattributes = [\"densty\"]\n").find("density"), std::string::npos);
  EXPECT_NE(mistake_of(beginning + cube + "[surface]\ncell = 0\n").find("0.1"), std::string::npos);
}

TEST(SceneSurface, TheEffectiveSceneHasTheSameLooks) {
  std::string text = with_material("look = \"wax\"\ncolour = [1, 0.5, 0]\n");
  text += cube;
  text += "skin = \"carried\"\n";
  const Scene scene = parsed(text), again = parsed(scene.effective);
  EXPECT_EQ(again.looks.at(0).look, Look::wax);
  EXPECT_EQ(again.looks.at(0).skin, Skin::carried);
  EXPECT_EQ(again.looks.at(0).colour, Vec3(1, 0.5f, 0));
}

}  // namespace
}  // namespace fondue
