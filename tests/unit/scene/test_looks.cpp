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

TEST(SceneLooks, FollowAColumnInTurn) {
  const std::string text =
      with_material("look = { over = \"density\", at = [900, 1000, 1100], value = [\"ice\", \"snow\", \"water\"] }\n") +
      cube;
  const Scene scene = parsed(text);
  for (const LookSetup& look : {scene.looks.at(0), parsed(scene.effective).looks.at(0)}) {
    EXPECT_EQ(look.look, Look::ice);
    EXPECT_EQ(look.sequence, (std::vector{Look::ice, Look::snow, Look::water}));
    EXPECT_EQ(look.place.over(), "density");
    EXPECT_FLOAT_EQ(look.place.curve()(950), 0.5f) << "half-way from ice to snow";
    EXPECT_FLOAT_EQ(look.place.curve()(1075), 1.75f);
  }
}

TEST(SceneLooks, OverAColumnThatNothingMakesAreRefused) {
  const auto over = [](const std::string& column) {
    return with_material("look = { over = \"" + column + "\", at = [0, 1], value = [\"ice\", \"water\"] }\n") + cube;
  };
  EXPECT_NE(mistake_of(over("meltd")).find("'melted'"), std::string::npos) << mistake_of(over("meltd"));
  EXPECT_NE(mistake_of(over("melted")).find("no behaviour of the scene makes"), std::string::npos);
}

TEST(SceneLooks, OfCollidersHaveColourAndClarityAndFollowNothing) {
  const std::string wall =
      "[[colliders]]\nname = \"wall\"\nshape = { type = \"sphere\", centre = [0, 0, -9], radius = 1 }\n";
  const Scene scene =
      parsed(beginning + cube + wall + "look = \"glass\"\nclarity = \"5 cm\"\ncolour = [0.2, 0.9, 0.3]\n");
  ASSERT_TRUE(scene.solid_looks.at(0));
  EXPECT_EQ(scene.solid_looks[0]->look, Look::glass);
  EXPECT_EQ(scene.solid_looks[0]->colour, Vec3(0.2f, 0.9f, 0.3f));
  EXPECT_FLOAT_EQ(scene.solid_looks[0]->clarity.value(), 0.05f);
  EXPECT_FALSE(parsed(beginning + cube + wall).solid_looks.at(0)) << "grey";
  const std::string curve = "look = { over = \"density\", at = [0, 1], value = [\"ice\", \"water\"] }\n";
  EXPECT_NE(mistake_of(beginning + cube + wall + curve).find("is a constant and cannot be keyframed"),
            std::string::npos);
}

TEST(ScenePicture, HasSurroundingsALensAndAShutter) {
  const std::string section =
      "[picture]\nsurroundings = \"outdoor\"\naperture = \"2 cm\"\nfocus = [0, 1, 2]\nshutter = 0.5\n";
  const PictureSetup picture = parsed(beginning + cube + section).picture;
  EXPECT_EQ(picture.surroundings, Surroundings::outdoor);
  EXPECT_FLOAT_EQ(picture.aperture.at(0), 0.02f);
  EXPECT_EQ(picture.focus->at(0), Vec3(0, 1, 2));
  EXPECT_FLOAT_EQ(picture.shutter, 0.5f);
  EXPECT_NE(mistake_of(beginning + cube + "[picture]\nsurroundings = \"kitchen\"\n").find("kitchen-table"),
            std::string::npos);
  EXPECT_NE(mistake_of(beginning + cube + "[picture]\nshutter = 2\n").find("between 0 and 1"), std::string::npos);
}

TEST(SceneLooks, ColoursAreThreeNumbersOrATextAsInDrawingPrograms) {
  const auto colour = [](const std::string& text) { return *parsed(with_material(text) + cube).looks.at(0).colour; };
  EXPECT_EQ(colour("colour = \"#ff8000\"\n"), Vec3(1, 128 / 255.0f, 0));
  EXPECT_EQ(colour("colour = \"#00FF33\"\n"), Vec3(0, 1, 0.2f));
  for (const char* wrong : {"red", "#ff80", "#ff80zz", "ff8000", "#ff80000"})
    EXPECT_NE(mistake_of(with_material(std::string("colour = \"") + wrong + "\"\n") + cube)
                  .find(std::string("[0.9, 0.4, 0] or \"#e66600\", got \"") + wrong),
              std::string::npos)
        << wrong;
}

TEST(SceneFlames, HaveAPlaceAndAHeightOverTime) {
  const std::string flame = "[[flames]]\nname = \"wick\"\nposition = [0, 0, \"80 cm\"]\n";
  const Scene scene = parsed(beginning + cube + flame + "height = { time = [0, 2], value = [\"5 cm\", \"7 cm\"] }\n");
  ASSERT_EQ(scene.flames.size(), 1u);
  EXPECT_EQ(scene.flames[0].position.at(1), Vec3(0, 0, 0.8f));
  EXPECT_FLOAT_EQ(scene.flames[0].height.at(1), 0.06f);
  EXPECT_EQ(parsed(scene.effective).flames.at(0).height.at(2), 0.07f) << "the effective scene has it too";
  EXPECT_NE(mistake_of(beginning + cube + flame).find("'height'"), std::string::npos);
  EXPECT_NE(mistake_of(beginning + cube + flame + "height = 0\n").find("greater than 0"), std::string::npos);
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
