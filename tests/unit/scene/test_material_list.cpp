// A list of materials becomes tracks of behaviours: what several have in common acts once.

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "scene_texts.h"

namespace fondue {
namespace {

/// Lines 1 to 18.
const std::string three_materials = R"([scene]
spacing = 0.1
[time]
duration = 6
frames_per_second = 25
[materials.sand]
gravity = {}
fluid = {}
sand = {}
[materials.water]
gravity = {}
fluid = {}
artificial_viscosity = { alpha = 0.03 }
[materials.honey]
gravity = {}
fluid = { rest_density = 1400 }
viscosity = { dynamic_viscosity = 20 }
look = "honey"
)";

/// With the list in line 21.
std::string block_of(const std::string& list, const std::string& more = "") {
  return three_materials + "[[objects]]\nname = \"block\"\nmaterials = " + list +
         "\nshape = { type = \"box\", min = [0, 0, 0], max = [1, 1, 1] }\n" + more;
}

const std::string one_after_another =
    "[ { material = \"sand\" }, { material = \"water\", from = 1, fade = 0.5 }, { material = \"honey\", from = 3, fade "
    "= "
    "2 } ]";

std::vector<Track> tracks_named(const Scene& scene, const std::string& behaviour) {
  std::vector<Track> result;
  for (const Track& track : scene.world.objects.at(0).tracks)
    if (track.behaviour == behaviour) result.push_back(track);
  return result;
}

TEST(MaterialList, WeightsAreThoseOfClipsThatFadeIntoEachOther) {
  const Scene scene = parsed(block_of(one_after_another));
  const std::vector<MaterialShare>& shares = scene.materials.at(0);
  ASSERT_EQ(shares.size(), 3u);
  const auto at = [&](double time) {
    return std::vector<float>{shares[0].weight.at(time), shares[1].weight.at(time), shares[2].weight.at(time)};
  };
  EXPECT_EQ(at(0), (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(at(1), (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(at(1.25), (std::vector<float>{0.5f, 0.5f, 0}));
  EXPECT_EQ(at(2), (std::vector<float>{0, 1, 0}));
  EXPECT_EQ(at(4), (std::vector<float>{0, 0.5f, 0.5f}));
  EXPECT_EQ(at(9), (std::vector<float>{0, 0, 1}));
}

TEST(MaterialList, WhatAllHaveInTheSameWayActsOnceAndThroughout) {
  const Scene scene = parsed(block_of(one_after_another));
  const std::vector<Track> gravity = tracks_named(scene, "gravity");
  ASSERT_EQ(gravity.size(), 1u);
  EXPECT_TRUE(gravity[0].weight.constant());
  EXPECT_EQ(gravity[0].weight.at(0), 1);
}

TEST(MaterialList, WhatTheyHaveWithOtherParametersIsATrackForEach) {
  const Scene scene = parsed(block_of(one_after_another));
  const std::vector<Track> fluid = tracks_named(scene, "fluid");
  ASSERT_EQ(fluid.size(), 3u);
  EXPECT_EQ(fluid[2].values.number(Fluid::rest_density).at(0), 1400);
  for (const double time : {0.0, 1.1, 1.3, 2.0, 3.7, 5.0})
    EXPECT_FLOAT_EQ(fluid[0].weight.at(time) + fluid[1].weight.at(time) + fluid[2].weight.at(time), 1) << time;
}

TEST(MaterialList, WhatOneHasActsWithItsWeight) {
  const Scene scene = parsed(block_of(one_after_another));
  const std::vector<Track> sand = tracks_named(scene, "sand"), honey = tracks_named(scene, "viscosity");
  ASSERT_EQ(sand.size(), 1u);
  ASSERT_EQ(honey.size(), 1u);
  EXPECT_EQ(sand[0].weight.at(1.25), 0.5f);
  EXPECT_EQ(honey[0].weight.at(1.25), 0);
  EXPECT_EQ(honey[0].values.number(Viscosity::dynamic_viscosity).at(0), 20);
}

TEST(MaterialList, ACutTakesNoTime) {
  const Scene scene = parsed(block_of("[ { material = \"sand\" }, { material = \"water\", from = 1 } ]"));
  const Keyable<float>& sand = scene.materials.at(0)[0].weight;
  EXPECT_EQ(sand.at(0.999999), 1);
  EXPECT_EQ(sand.at(1), 0);
}

TEST(MaterialList, TimesCanBeFrames) {
  const Scene scene = parsed(
      block_of("[ { material = \"sand\" }, { material = \"water\", from = \"25 frames\", fade = \"25 frames\" } ]"));
  EXPECT_EQ(scene.materials.at(0)[1].weight.at(1.5), 0.5f);
}

TEST(MaterialList, WeightsRunOverAnAttribute) {
  const Scene scene = parsed(
      block_of("[ { material = \"sand\", weight = { over = \"temperature\", at = [300, 350], value = [1, 0] } }, "
               "{ material = \"honey\", weight = { over = \"temperature\", at = [300, 350], value = [0, 1] } } ]",
               "temperature = 300\nheat = {}\n"));
  const std::vector<Track> sand = tracks_named(scene, "sand");
  ASSERT_EQ(sand.size(), 1u);
  EXPECT_EQ(sand[0].weight.over(), "temperature");
  const std::vector<Track> heat = tracks_named(scene, "heat");
  ASSERT_EQ(heat.size(), 1u) << "given for the object, it acts throughout";
  EXPECT_TRUE(heat[0].weight.constant());
}

TEST(MaterialList, TheObjectChangesParametersOfAllItsMaterials) {
  const Scene scene = parsed(block_of(one_after_another, "fluid = { rest_density = 1200, compressibility = 0.02 }\n"));
  const std::vector<Track> fluid = tracks_named(scene, "fluid");
  ASSERT_EQ(fluid.size(), 1u) << "now the same for all";
  EXPECT_EQ(fluid[0].values.number(Fluid::rest_density).at(0), 1200);
}

TEST(MaterialList, LooksFadeWithTheMaterials) {
  const LookSetup look = parsed(block_of(one_after_another)).looks.at(0);
  EXPECT_EQ(look.sequence, (std::vector<Look>{Look::sand, Look::water, Look::water, Look::honey}));
  EXPECT_EQ(look.place.curve().keys(), (std::vector<double>{1, 1.5, 3, 5}));
  EXPECT_TRUE(parsed(block_of(one_after_another, "look = \"paint\"\n")).looks.at(0).sequence.empty());
}

TEST(MaterialList, TheEffectiveSceneIsTheSameScene) {
  for (const std::string& list :
       {one_after_another,
        std::string("[ { material = \"sand\", weight = { frame = [0, 25, 50], value = [1, 0.5, 1], "
                    "interpolation = \"smooth\", repeat = true } }, { material = \"water\", weight = { "
                    "frame = [0, 25, 50], value = [0, 0.5, 0], interpolation = \"smooth\", repeat = "
                    "true } } ]")}) {
    const Scene scene = parsed(block_of(list, "viscosity = { dynamic_viscosity = 3 }\n"));
    const Scene again = parsed(scene.effective);
    EXPECT_EQ(again.effective, scene.effective);
    ASSERT_EQ(again.world.objects[0].tracks.size(), scene.world.objects[0].tracks.size());
    for (std::size_t t = 0; t != scene.world.objects[0].tracks.size(); ++t)
      for (const double time : {0.0, 0.7, 1.2, 3.3, 5.1})
        EXPECT_EQ(again.world.objects[0].tracks[t].weight.at(time), scene.world.objects[0].tracks[t].weight.at(time));
  }
}

TEST(MaterialList, AnEmitterHasOneToo) {
  const Scene scene =
      parsed(three_materials + "[[emitters]]\nname = \"jet\"\nradius = 0.2\nmaterials = " + one_after_another + "\n");
  EXPECT_EQ(scene.materials.at(0).size(), 3u);
  EXPECT_EQ(tracks_named(scene, "gravity").size(), 1u);
  EXPECT_EQ(parsed(scene.effective).effective, scene.effective);
}

TEST(MaterialList, MistakesSayWhatWouldBeRight) {
  const auto mistake = [](const std::string& list, const std::string& more = "") {
    return mistake_of(block_of(list, more));
  };
  EXPECT_EQ(mistake("[ { material = \"sand\" }, { material = \"watr\", from = 1 } ]"),
            "test.toml:21:38: 'material' in object 'block' names an unknown material 'watr'; did you mean 'water'?");
  EXPECT_EQ(
      mistake("\"sand\""),
      "test.toml:21:13: 'materials' in object 'block' needs a list, such as [ { material = \"sand\" }, { material "
      "= \"water\", from = 2, fade = 0.5 } ], got a string");
  EXPECT_EQ(mistake("[ { material = \"sand\" } ]", "material = \"sand\"\n"),
            "test.toml:21:13: 'materials' in object 'block' and 'material' exclude each other: give one of them");
  EXPECT_EQ(
      mistake("[ { material = \"sand\", from = 1 } ]"),
      "test.toml:21:15: material 'sand' in object 'block' is the first of the list and there from the start; leave "
      "out 'from' and 'fade'");
  EXPECT_EQ(mistake("[ { material = \"sand\" }, { material = \"water\" } ]"),
            "test.toml:21:38: material 'water' in object 'block' needs 'from', the time at which it begins");
  EXPECT_EQ(mistake("[ { material = \"sand\" }, { material = \"water\", from = 1, fade = 2 }, { material = \"honey\", "
                    "from = 2 } ]"),
            "test.toml:21:82: material 'honey' in object 'block' begins at 2 s, when the one before it has not been "
            "there yet: that fades in until 3 s");
  EXPECT_EQ(mistake("[ { material = \"sand\", weight = 1 }, { material = \"water\", from = 1 } ]"),
            "test.toml:21:50: material 'water' in object 'block' needs a 'weight', as others of the list have one");
  EXPECT_EQ(
      mistake("[ { material = \"sand\", weight = 1.0, fade = 1 } ]"),
      "test.toml:21:15: material 'sand' in object 'block' has a 'weight' beside 'from' or 'fade'; give the one or "
      "the others");
  EXPECT_EQ(mistake("[ { material = \"sand\", weight = -0.5 } ]"),
            "test.toml:21:45: 'weight' in object 'block' > materials 1 must be between 0 and 1, got -0.5");
}

TEST(MaterialList, WeightsMustAddUpToOneEverywhere) {
  const auto mistake = [](const std::string& sand, const std::string& water) {
    return mistake_of(block_of("[ { material = \"sand\", weight = " + sand +
                               " }, { material = \"water\", weight = " + water + " } ]"));
  };
  EXPECT_EQ(mistake("{ time = [1, 2], value = [1, 0] }", "{ time = [1, 2], value = [0, 1] }"), "");
  EXPECT_EQ(mistake("0.3", "0.7"), "");
  EXPECT_EQ(mistake("{ time = [1, 2], value = [1, 0] }", "{ time = [2, 3], value = [0, 1] }").substr(0, 73),
            "test.toml:21:13: the weights of the materials in object 'block' add up to")
      << "a gap between 1 s and 3 s";
  EXPECT_EQ(mistake("{ time = [1, 2], value = [1, 0], interpolation = \"step\" }", "0.0"),
            "test.toml:21:13: no material in object 'block' has a weight at 2 s; weights must add up to 1 everywhere");
  EXPECT_EQ(
      mistake("{ time = [1, 2], value = [1, 0] }", "{ over = \"pressure\", at = [1, 2], value = [0, 1] }"),
      "test.toml:21:13: the weights of the materials in object 'block' run over pressure and time; all weights of a "
      "list run over the same");
}

TEST(MaterialList, WhatCannotChangeDuringARunMustBeTheSame) {
  const std::string jumpy = "[materials.jumpy]\nfluid = { compressibility = 0.05 }\ngravity = {}\n";
  const std::string list = "[ { material = \"sand\" }, { material = \"jumpy\", from = 1, fade = 1 } ]";
  EXPECT_EQ(
      mistake_of(block_of(list) + jumpy),
      "test.toml:21:38: materials 'sand' and 'jumpy' in object 'block' differ in 'fluid > compressibility', 0.01 and "
      "0.05, which cannot change during a run; give both the same, or give it once for the object: fluid = { "
      "compressibility = 0.01 }");
  EXPECT_EQ(mistake_of(block_of(list, "fluid = { compressibility = 0.01 }\n") + jumpy), "");
  const std::string fading =
      "[materials.fading]\ngravity = {}\nfluid = {}\nxsph = { weight = { time = [0, 1], value = [0, 1] } }\n";
  EXPECT_EQ(mistake_of(block_of("[ { material = \"sand\" }, { material = \"fading\", from = 1, fade = 1 } ]") + fading),
            "test.toml:21:38: material 'fading' in object 'block' has 'xsph' with a weight that is a curve, and fades "
            "itself; give that behaviour a constant weight, or make another material for each of its states");
  const std::string grainy = "[materials.grainy]\nskin = \"grains\"\ngravity = {}\nfluid = {}\n";
  EXPECT_EQ(mistake_of(block_of("[ { material = \"sand\" }, { material = \"grainy\", from = 1, fade = 1 } ]") + grainy),
            "test.toml:21:38: materials 'sand' and 'grainy' in object 'block' differ in 'skin', which cannot change "
            "during a run; give it once for the object");
}

TEST(MaterialList, ColoursAndClarityFadeWithTheMaterials) {
  const std::string red =
      "[materials.red]\ncolour = [1, 0, 0]\nclarity = 0.2\nlook = \"honey\"\ngravity = {}\nfluid = {}\n";
  const LookSetup look =
      parsed(block_of("[ { material = \"sand\" }, { material = \"red\", from = 1, fade = 1 } ]") + red).looks.at(0);
  EXPECT_FALSE(look.colour);
  ASSERT_EQ(look.sequence, (std::vector<Look>{Look::sand, Look::honey}));
  ASSERT_EQ(look.sequence_colours.size(), 2u);
  EXPECT_FALSE(look.sequence_colours[0]) << "that of sand";
  EXPECT_EQ(look.sequence_colours[1], std::optional(Vec3(1, 0, 0)));
  ASSERT_EQ(look.sequence_clarities.size(), 2u);
  EXPECT_FALSE(look.sequence_clarities[0]);
  EXPECT_EQ(look.sequence_clarities[1], std::optional(0.2f));
  // The object's own colour is that of all.
  const LookSetup own = parsed(block_of("[ { material = \"sand\" }, { material = \"red\", from = 1, fade = 1 } ]",
                                        "colour = [0, 1, 0]\n") +
                               red)
                            .looks.at(0);
  EXPECT_EQ(own.colour, std::optional(Vec3(0, 1, 0)));
  EXPECT_TRUE(own.sequence_colours.empty());
}

TEST(MaterialList, AMaterialThatBeginsAfterTheEndIsDoubtful) {
  const Scene scene = parsed(block_of("[ { material = \"sand\" }, { material = \"water\", from = 7 } ]"));
  ASSERT_EQ(scene.notes.size(), 2u);
  EXPECT_EQ(scene.notes[1], "test.toml:14:12: material 'honey' is used by no object and no emitter");
  EXPECT_EQ(
      scene.notes[0],
      "test.toml:21:38: material 'water' in object 'block' has no effect: it begins at 7 s, and the run ends at 6 "
      "s; begin it earlier, or make 'duration' in [time] longer");
}

}  // namespace
}  // namespace fondue
