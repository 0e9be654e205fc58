// Editing the text of a scene changes what was asked for and nothing else: comments, order and layout stay.

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "scene/scene.h"
#include "scene/scene_text.h"
#include "scene/template.h"

namespace fondue {
namespace {

const char* const tank = R"(# A tank.
[scene]
spacing = 0.05   # coarse

[materials.water]      # ordinary
gravity = {}
fluid = { rest_density = 1000, state_equation = "tait" }
viscosity.law = "plain"    # dotted
viscosity.dynamic_viscosity = { time = [0, 1], value = [1, 2] }

# The matter.
[[objects]]
name = "left"
material = "water"
shape = { type = "box", min = [0, 0, 0], max = [1, 1, 1] }

[[objects]]
name = "right"   # the other one
material = "water"
velocity = [1, 0, 0]
shape = { type = "difference", of = [
  { type = "sphere", radius = 1 },   # a ball
  { type = "sphere", radius = 0.5 } ] }

[objects.fluid]
rest_density = 900

[picture]
map = "heat"
)";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), with);
}

std::string after_set(const std::string& path, const std::string& value) {
  SceneText text(tank);
  text.set(path, value);
  EXPECT_EQ(text.value(path), value);
  return text.text();
}

TEST(SceneText, SetReplacesTheValueWhereItStandsAndKeepsItsComment) {
  EXPECT_EQ(after_set("scene.spacing", "0.01"), replaced(tank, "0.05   #", "0.01   #"));
  EXPECT_EQ(after_set("materials.water.fluid.rest_density", "\"1 g/cm^3\""),
            replaced(tank, "density = 1000", "density = \"1 g/cm^3\""));
  EXPECT_EQ(after_set("materials.water.viscosity.law", "\"jump\""), replaced(tank, "\"plain\"", "\"jump\""));
  EXPECT_EQ(after_set("materials.water.viscosity.dynamic_viscosity.time.1", "1.5"),
            replaced(tank, "[0, 1]", "[0, 1.5]"));
}

TEST(SceneText, ElementsOfListsAreFoundByNameAndByNumber) {
  EXPECT_EQ(after_set("objects.right.velocity", "[2, 0, 0]"), replaced(tank, "[1, 0, 0]", "[2, 0, 0]"));
  EXPECT_EQ(after_set("objects.1.velocity.0", "3"), replaced(tank, "[1, 0, 0]", "[3, 0, 0]"));
  EXPECT_EQ(after_set("objects.right.shape.of.1.radius", "0.4"), replaced(tank, "radius = 0.5", "radius = 0.4"));
  EXPECT_EQ(after_set("objects.right.fluid.rest_density", "800"), replaced(tank, "= 900", "= 800"));
  try {
    SceneText(tank).set("objects.rihgt.velocity", "[0, 0, 0]");
    ADD_FAILURE() << "an object that is not there";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'right'?"), std::string::npos) << error.what();
  }
}

TEST(SceneText, NewKeysGoWhereTheirSectionEnds) {
  EXPECT_EQ(after_set("scene.seed", "3"), replaced(tank, "# coarse\n", "# coarse\nseed = 3\n"));
  EXPECT_EQ(after_set("materials.water.gravity.weight", "0.5"),
            replaced(tank, "gravity = {}", "gravity = { weight = 0.5 }"));
  EXPECT_EQ(after_set("materials.water.fluid.compressibility", "0.01"),
            replaced(tank, "\"tait\" }", "\"tait\", compressibility = 0.01 }"));
  EXPECT_EQ(after_set("materials.water.viscosity.index", "0.5"),
            replaced(tank, "value = [1, 2] }\n", "value = [1, 2] }\nviscosity.index = 0.5\n"));
  EXPECT_EQ(after_set("materials.water.heat.conductivity", "2"),
            replaced(tank, "value = [1, 2] }\n", "value = [1, 2] }\nheat = { conductivity = 2 }\n"));
  EXPECT_EQ(after_set("objects.left.velocity", "[0, 0, 1]"),
            replaced(tank, "max = [1, 1, 1] }\n", "max = [1, 1, 1] }\nvelocity = [0, 0, 1]\n"));
  EXPECT_EQ(after_set("time.duration", "2"), std::string(tank) + "\n[time]\nduration = 2\n");
  EXPECT_EQ(after_set("materials.wax.fluid.rest_density", "900").substr(std::string(tank).size() - 30).find("wax") !=
                std::string::npos,
            true);
}

TEST(SceneText, RemoveTakesTheKeyOrTheSectionAndNothingElse) {
  const auto removed = [](const std::string& path) {
    SceneText text(tank);
    text.remove(path);
    EXPECT_EQ(text.value(path), "");
    return text.text();
  };
  EXPECT_EQ(removed("objects.right.velocity"), replaced(tank, "velocity = [1, 0, 0]\n", ""));
  EXPECT_EQ(removed("materials.water.fluid.rest_density"), replaced(tank, "rest_density = 1000, ", ""));
  EXPECT_EQ(removed("materials.water.fluid.state_equation"), replaced(tank, ", state_equation = \"tait\"", ""));
  EXPECT_EQ(removed("objects.right.fluid"), replaced(tank, "[objects.fluid]\nrest_density = 900\n\n", ""));
  SceneText text(tank);
  text.remove("materials.water.viscosity");
  EXPECT_EQ(text.text().find("viscosity"), std::string::npos);
  text.remove("objects.right");
  EXPECT_EQ(text.text().find("velocity"), std::string::npos);
  EXPECT_EQ(text.text().find("rest_density = 900"), std::string::npos);
  EXPECT_NE(text.text().find("[picture]"), std::string::npos);
  EXPECT_THROW(text.remove("objects.left.nothing"), InputError);
}

TEST(SceneText, AddWritesASectionAfterTheOthersOfItsList) {
  SceneText text(tank);
  text.add("objects", "{ name = \"third\", material = \"water\", shape = { type = \"sphere\", radius = 1 } }");
  EXPECT_EQ(text.text(), replaced(tank, "rest_density = 900\n",
                                  "rest_density = 900\n\n[[objects]]\nname = \"third\"\nmaterial = \"water\"\n"
                                  "shape = { type = \"sphere\", radius = 1 }\n"));
  EXPECT_EQ(text.value("objects.third.shape.radius"), "1");
  text.add("colliders", "{ name = \"floor\" }");
  EXPECT_TRUE(text.text().ends_with("\n[[colliders]]\nname = \"floor\"\n"));
}

/// Lists in brackets grow and shrink element by element; lines, commas and comments of the others stay.
TEST(SceneText, ElementsOfListsInBracketsAreAddedAndRemoved) {
  const std::string block = R"([[objects]]
name = "block"
materials = [
  { material = "sand" },                  # at first
  { material = "honey", from = 2 },
]
colour = [1, 2]
)";
  SceneText text(block);
  text.add("objects.block.materials.1", "{ material = \"water\", from = 1 }");
  EXPECT_EQ(text.text(), replaced(block, "  { material = \"honey\"",
                                  "  { material = \"water\", from = 1 },\n  { material = \"honey\""));
  text.remove("objects.block.materials.1");
  EXPECT_EQ(text.text(), block);
  text.add("objects.block.materials", "{ material = \"wax\" }");
  EXPECT_EQ(text.text(), replaced(block, "from = 2 },\n", "from = 2 },\n  { material = \"wax\" },\n"));
  text.remove("objects.block.materials.0");
  EXPECT_EQ(text.text().find("at first"), std::string::npos) << "with the comment behind it";
  text.add("objects.block.colour", "3");
  text.add("objects.block.colour.0", "0");
  EXPECT_NE(text.text().find("colour = [0, 1, 2, 3]"), std::string::npos) << text.text();
  EXPECT_THROW(text.add("objects.block.name", "1"), InputError);
  SceneText open("[a]\nlist = [\n  1,  # one\n  2   # two\n]\nnone = []\n");
  open.add("a.list", "3");
  open.add("a.none", "4");
  EXPECT_EQ(open.text(), "[a]\nlist = [\n  1,  # one\n  2,   # two\n  3\n]\nnone = [4]\n");
}

TEST(SceneText, RefusesWhatIsNotOneValueAndLeavesTheTextAsItWas) {
  for (const char* value : {"1\nspacing = 2", "", "[1", "1 # comment", "{ a = 1 } x", "\"open", "]"}) {
    SceneText text(tank);
    EXPECT_THROW(text.set("scene.spacing", value), InputError) << value;
    EXPECT_EQ(text.text(), tank);
  }
  for (const char* path : {"", ".", "scene..spacing", "scene.spacing x", "scene.spacing.more", "[scene]"}) {
    SceneText text(tank);
    EXPECT_THROW(text.set(path, "1"), InputError) << path;
    EXPECT_EQ(text.text(), tank);
  }
}

/// Every scene that comes with Fondue: an edit of the text is what --set does to the scene.
TEST(SceneText, EditsAreThoseOfSetForEveryScene) {
  for (const auto& file : std::filesystem::directory_iterator(FONDUE_SOURCE_DIR "/scenes")) {
    if (file.path().extension() != ".toml") continue;
    const std::string path = file.path().string(), before = text_of_file(path);
    for (const Override& change : {Override{"scene.seed", "7"}, Override{"time.duration", "0.25"},
                                   Override{"time.frames_per_second", "40"}, Override{"picture.width", "640"}}) {
      SceneText text(before);
      text.set(change.first, change.second);
      EXPECT_EQ(parse_scene(text.text(), path).effective, parse_scene(before, path, {change}).effective)
          << path << " " << change.first;
      const auto comments = [](const std::string& all) { return std::count(all.begin(), all.end(), '#'); };
      EXPECT_EQ(comments(text.text()), comments(before)) << path;
    }
  }
}

}  // namespace
}  // namespace fondue
