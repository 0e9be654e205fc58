// Rigid bodies and joints in scene files, and mistakes in them.

#include <gtest/gtest.h>

#include "scene_texts.h"

namespace fondue {
namespace {

/// Lines 1 to 5 and what is given: the body's keys begin in line 5.
std::string scene(const std::string& body, const std::string& more = "") {
  return "[scene]\nspacing = 0.1\n[[bodies]]\nname = \"box\"\n" + body + "\n" + more;
}

const std::string unit_box = "shape = { type = \"box\", min = [0, 0, 0], max = [1, 1, 1] }";

TEST(SceneRigid, ABodyAloneIsAScene) {
  const Scene read = parse_scene(scene("density = 500\n" + unit_box), "test.toml");
  ASSERT_EQ(read.world.colliders.size(), 1u);
  EXPECT_EQ(read.world.colliders[0].rigid->density, 500.0f);
  EXPECT_FLOAT_EQ(read.world.colliders[0].rigid->gravity.at(0).z(), -9.81f);
}

TEST(SceneRigid, TheEffectiveSceneIsTheSame) {
  const std::string more =
      "[[joints]]\nname = \"axle\"\nkind = \"hinge\"\nbody = \"box\"\naxis = [0, 1, 0]\nspeed = { time = [0, 1], value "
      "= "
      "[0, 2] }\nstrength = 5\n";
  const Scene first = parse_scene(
      scene("mass = 2\nlook = \"wood\"\ndynamic = { time = [0, 1], value = [false, true] }\n" + unit_box, more),
      "test.toml");
  const Scene second = parse_scene(first.effective, "test.toml");
  EXPECT_EQ(first.effective, second.effective);
  ASSERT_EQ(second.world.joints.size(), 1u);
  EXPECT_EQ(second.world.joints[0].speed->at(1), 2.0f);
  EXPECT_EQ(second.world.joints[0].strength, 5.0f);
  EXPECT_EQ(second.world.colliders[0].rigid->mass, 2.0f);
  EXPECT_EQ(second.world.colliders[0].rigid->dynamic.at(0), 0.0f);
  EXPECT_EQ(second.solid_looks[0]->look, Look::wood);
}

TEST(SceneRigid, MassAndDensityAreOneThing) {
  EXPECT_EQ(mistake_of(scene("density = 500\nmass = 2\n" + unit_box)),
            "test.toml:6:8: 'mass' in body 'box' is given beside 'density'; give one of them");
  EXPECT_EQ(mistake_of(scene(unit_box)), "test.toml:3:1: body 'box' needs 'density' or 'mass'");
  EXPECT_NE(mistake_of(scene("density = 0\n" + unit_box)).find("test.toml:5:"), std::string::npos);
  EXPECT_NE(mistake_of(scene("mass = -1\n" + unit_box)).find("test.toml:5:"), std::string::npos);
}

TEST(SceneRigid, AShapeMustBeASolidWithAnEnd) {
  const auto mistake = [](const std::string& shape) { return mistake_of(scene("density = 500\nshape = " + shape)); };
  EXPECT_NE(mistake("{ type = \"plane\", point = [0, 0, 0], normal = [0, 0, 1] }").find("has no end"),
            std::string::npos);
  EXPECT_NE(
      mistake("{ type = \"difference\", of = [{ type = \"sphere\", radius = 1 }, { type = \"sphere\", radius = 2 }] }")
          .find("test.toml:6:9: 'shape' in body 'box' has no volume"),
      std::string::npos);
  EXPECT_NE(mistake("{ type = \"box\", min = [0, 0, 0], max = [1, 1, 0.05] }").find("is too thin"), std::string::npos);
}

TEST(SceneRigid, JointsNameBodiesThatAreThere) {
  const std::string body = "density = 500\n" + unit_box;
  const auto mistake = [&](const std::string& joint) {
    return mistake_of(scene(body, "[[joints]]\nname = \"axle\"\n" + joint));
  };
  EXPECT_EQ(mistake("kind = \"hinge\"\nbody = \"box\""), "");
  EXPECT_EQ(mistake("kind = \"hinge\"\nbody = \"bix\""),
            "test.toml:10:8: 'body' in joint 'axle' names an unknown body 'bix'; did you mean 'box'?");
  EXPECT_NE(mistake("kind = \"hinge\"\nbody = \"box\"\nto = \"nothing\"").find("test.toml:11:"), std::string::npos);
  EXPECT_NE(mistake("kind = \"hinge\"\nbody = \"box\"\nto = \"box\"").find("is the body itself"), std::string::npos);
  EXPECT_NE(mistake("kind = \"ball\"\nbody = \"box\"\nspeed = 2").find("is for hinges and sliders"), std::string::npos);
  EXPECT_NE(mistake("kind = \"hinge\"\nbody = \"box\"\nstrength = 2").find("needs 'speed'"), std::string::npos);
  EXPECT_NE(mistake("kind = \"hinge\"\nbody = \"box\"\naxis = [0, 0, 0]").find("must not be 0"), std::string::npos);
  EXPECT_NE(mistake("body = \"box\"").find("needs 'kind'"), std::string::npos);
}

TEST(SceneRigid, CollidersAndBodiesHaveDifferentNames) {
  EXPECT_NE(
      mistake_of(scene("density = 500\n" + unit_box, "[[colliders]]\nname = \"box\"\n" + unit_box)).find("must differ"),
      std::string::npos);
}

TEST(SceneRigid, IndividualStepsAreRefused) {
  EXPECT_NE(mistake_of(scene("density = 500\n" + unit_box, "[time]\nindividual_steps = true\n")).find("one time step"),
            std::string::npos);
}

}  // namespace
}  // namespace fondue
