// Two scenes are compared value by value, with the paths that --set takes.

#include <gtest/gtest.h>

#include "scene/differences.h"
#include "scene_texts.h"

namespace fondue {
namespace {

std::string differences_of(const std::string& text, const std::vector<Override>& overrides) {
  return listed(differences(parsed(text).effective, parsed(text, overrides).effective), "before", "now");
}

const std::string two_cubes = beginning + cube + R"([[objects]]
name = "ball"
material = "water"
fluid = { rest_density = 500 }
shape = { type = "sphere", centre = [5, 0, 0], radius = 1 }
)";

TEST(SceneDifferences, ThereAreNoneBetweenAFileAndItsEffectiveScene) {
  const Scene scene = parsed(two_cubes);
  EXPECT_TRUE(differences(scene.effective, parsed(scene.effective).effective).empty());
}

TEST(SceneDifferences, HaveThePathsOfOptions) {
  for (const char* path :
       {"scene.spacing", "materials.water.fluid.rest_density", "objects.ball.fluid.rest_density", "time.step_factor"}) {
    const auto found = differences(parsed(two_cubes).effective, parsed(two_cubes, {{path, "0.25"}}).effective);
    ASSERT_FALSE(found.empty()) << path;
    EXPECT_TRUE(std::ranges::any_of(found, [&](const auto& one) { return one.path == path && one.after == "0.25"; }))
        << path << listed(found, "before", "now");
  }
  EXPECT_EQ(differences_of(two_cubes, {{"objects.ball.velocity", "[1, 2, 3]"}}),
            "\n  objects.ball.velocity: [0, 0, 0] before, [1, 2, 3] now");
}

TEST(SceneDifferences, WhatOnlyOneHasIsAbsentInTheOther) {
  EXPECT_EQ(differences_of(two_cubes, {{"time.largest_step", "0.01"}}),
            "\n  time.largest_step: absent before, 0.01 now");
}

TEST(SceneDifferences, OfManyTheFirstAreListed) {
  const std::string text = listed(differences(parsed(beginning + cube).effective, ""), "before", "now");
  EXPECT_EQ(std::ranges::count(text, '\n'), 9);
  EXPECT_NE(text.find(" more"), std::string::npos) << text;
}

}  // namespace
}  // namespace fondue
