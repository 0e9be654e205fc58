// Elastic bodies and pins in scene files, and mistakes in them.

#include <gtest/gtest.h>

#include "behaviours/elastic.h"
#include "scene_texts.h"

namespace fondue {
namespace {

/// Lines 1 to 8; the elastic behaviour is in line 4, the shape in line 8.
std::string jelly(const std::string& elastic, const std::string& size = "[1, 1, 1]") {
  return "[scene]\nspacing = 0.1\n[materials.jelly]\n" + elastic +
         "\n[[objects]]\nname = \"cube\"\nmaterial = \"jelly\"\nshape = { type = \"box\", min = [0, 0, 0], max = " +
         size + " }\n";
}

TEST(SceneBodies, ModuliHaveTheirRanges) {
  EXPECT_EQ(mistake_of(jelly("elastic = {}")), "");
  EXPECT_NE(mistake_of(jelly("elastic = { poissons_ratio = 0.5 }")).find("test.toml:4:"), std::string::npos);
  EXPECT_NE(mistake_of(jelly("elastic = { poissons_ratio = -1 }")).find("test.toml:4:"), std::string::npos);
  EXPECT_NE(mistake_of(jelly("elastic = { youngs_modulus = 0 }")).find("test.toml:4:"), std::string::npos);
  EXPECT_NE(mistake_of(jelly("elastic = { youngs_modulus = -5 }")).find("test.toml:4:"), std::string::npos);
}

TEST(SceneBodies, TooThinABodyIsToldWhichSpacingWouldDo) {
  EXPECT_EQ(
      mistake_of(jelly("elastic = {}", "[1, 1, 0.1]")),
      "test.toml:8:9: object 'cube' is too thin for 'elastic': it is about 0.0938 m thick, which takes a spacing of "
      "at most 0.047 m instead of 0.1 m");
  EXPECT_EQ(mistake_of(jelly("elastic = {}", "[1, 1, 0.2]")), "") << "two layers do";
  EXPECT_EQ(mistake_of(jelly("fluid = {}", "[1, 1, 0.1]")), "") << "a fluid may be thin";
}

TEST(SceneBodies, PlasticAndFractureNeedElastic) {
  EXPECT_NE(mistake_of(jelly("plastic = {}")).find("add 'elastic'"), std::string::npos);
  EXPECT_NE(mistake_of(jelly("fracture = {}")).find("add 'elastic'"), std::string::npos);
  EXPECT_NE(mistake_of(jelly("elastic = { strain = \"green\" }\nplastic = {}")).find("corotated"), std::string::npos);
}

const std::string clamp = "[[pins]]\nname = \"clamp\"\n";

TEST(SceneBodies, PinsAreRead) {
  const Scene scene =
      parsed(jelly("elastic = {}") +
             "[[colliders]]\nname = \"hand\"\nshape = { type = \"sphere\", "
             "centre = [0.5, 0.5, 1.2], radius = 0.2 }\n" +
             clamp +
             "shape = { type = \"box\", min = [0, 0, 0], max = [1, 1, 0.2] }\nobject = \"cube\"\nrotation = "
             "{ time = [0, 1], value = [[0, 0, 0], [0, 0, 180]] }\non = { time = [0, 2], value = [true, "
             "false] }\n[[pins]]\nname = \"grip\"\ncollider = \"hand\"\n");
  ASSERT_EQ(scene.world.pins.size(), 2u);
  EXPECT_EQ(scene.world.pins[0].object, 0u);
  EXPECT_NEAR(scene.world.pins[0].motion.rotation.at(1).z(), 3.14159f, 1e-4f);
  EXPECT_LT(scene.world.pins[0].on.at(3), 0.5f);
  EXPECT_EQ(scene.world.pins[1].collider, 0u);
}

TEST(SceneBodies, APinThatHoldsNothingIsAMistake) {
  EXPECT_EQ(
      mistake_of(jelly("elastic = {}") + clamp + "shape = { type = \"sphere\", centre = [5, 0, 0], radius = 1 }\n"),
      "test.toml:9:1: pin 'clamp' holds nothing: at the start no particle is inside its shape");
  EXPECT_NE(mistake_of(jelly("elastic = {}") + clamp + "collider = \"hnd\"\n").find("unknown collider 'hnd'"),
            std::string::npos);
  EXPECT_NE(mistake_of(jelly("elastic = {}") + clamp).find("give a shape or a collider"), std::string::npos);
  EXPECT_NE(mistake_of(jelly("elastic = {}") +
                       "[[bodies]]\nname = \"boat\"\ndensity = 500\nshape = { type = \"sphere\", centre = [0, 0, 3], "
                       "radius = 0.5 }\n" +
                       clamp + "collider = \"boat\"\n")
                .find("names 'boat', a rigid body: pins follow colliders"),
            std::string::npos);
}

}  // namespace
}  // namespace fondue
