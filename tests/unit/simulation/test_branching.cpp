// A branch may change what acts from its first step on, and nothing else.

#include <gtest/gtest.h>

#include "scenes.h"
#include "simulation/branching.h"

namespace fondue {
namespace {

using namespace testing_support;

std::string refused(const std::vector<Override>& overrides) {
  const auto sentences =
      impossible_changes(parse_scene(two_blocks, "two.toml"), parse_scene(two_blocks, "two.toml", overrides));
  std::string all;
  for (const std::string& sentence : sentences) all += (all.empty() ? "" : "\n") + sentence;
  return all;
}

TEST(Branching, WhatParticlesWereMadeWithIsRefused) {
  EXPECT_NE(refused({{"scene.spacing", "0.025"}}).find("scene.spacing cannot change from 0.05 to 0.025"),
            std::string::npos)
      << refused({{"scene.spacing", "0.025"}});
  for (const char* path :
       {"scene.support_ratio", "time.frames_per_second", "objects.left.spacing", "emitters.jet.spacing"})
    EXPECT_NE(refused({{path, std::string_view(path).ends_with("spacing") ? "0.04" : "1.5"}})
                  .find(std::string(path) + " cannot change"),
              std::string::npos)
        << path;
  EXPECT_NE(refused({{"objects.right.velocity", "[1, 0]"}}).find("objects.right.velocity"), std::string::npos);
  EXPECT_NE(refused({{"objects.right.shape.max", "[1, 0.3]"}}).find("objects.right.shape"), std::string::npos);
  EXPECT_NE(refused({{"emitters.jet.name", "other"}}).find("object 'jet' cannot be removed"), std::string::npos);
}

TEST(Branching, WhatActsFromNowOnIsAllowed) {
  EXPECT_EQ(refused({}), "");
  EXPECT_EQ(refused({{"materials.water.fluid.rest_density", "500"},
                     {"objects.left.fluid.rest_density", "800"},
                     {"materials.water.gravity.acceleration", "[0, 9.81]"},
                     {"emitters.jet.speed", "3"},
                     {"time.duration", "7"},
                     {"time.step_factor", "0.5"},
                     {"picture.width", "640"}}),
            "");
}

TEST(Branching, ObjectsCannotBeAdded) {
  const std::string third =
      "[[objects]]\nname = \"third\"\nmaterial = \"water\"\nshape = { type = \"box\", min = [0.45, 0], max = [0.55, "
      "0.2] }\n";
  const auto sentences =
      impossible_changes(parse_scene(two_blocks, "two.toml"), parse_scene(two_blocks + "\n" + third, "two.toml"));
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_NE(sentences[0].find("object 'third' cannot be added"), std::string::npos) << sentences[0];
}

}  // namespace
}  // namespace fondue
