#include <gtest/gtest.h>

#include <random>

#include "scene_texts.h"
#include "whole_scene.h"

namespace fondue {
namespace {

/// A scene loads or is refused with a list of mistakes, and nothing else happens.
bool loads(const std::string& text) {
  try {
    parse_scene(text, "damaged.toml");
    return true;
  } catch (const SceneError& error) {
    EXPECT_FALSE(error.mistakes.empty());
    for (const SceneMistake& mistake : error.mistakes) EXPECT_GT(mistake.line, 0) << mistake.text();
    return false;
  }
}

TEST(DamagedScene, TruncatedAnywhereLoadsOrIsRefused) {
  const std::string& text = whole_scene;
  int loaded = 0;
  for (std::size_t length = 0; length <= text.size(); ++length) loaded += loads(text.substr(0, length));
  EXPECT_GT(loaded, 0) << "the whole scene loads";
  EXPECT_LT(loaded, static_cast<int>(text.size()) / 2) << "most pieces lack something";
}

TEST(DamagedScene, ChangedCharactersLoadOrAreRefused) {
  const std::string text = whole_scene;
  const std::string characters = "0159-.eE\"'[]{}=,#\n\t\\ax \x01\x80\xff";
  std::mt19937 random(1);
  int loaded = 0;
  for (int round = 0; round != 2000; ++round) {
    std::string damaged = text;
    for (int change = 0; change != 1 + round % 3; ++change)
      damaged[random() % damaged.size()] = characters[random() % characters.size()];
    loaded += loads(damaged);
  }
  EXPECT_GT(loaded, 0) << "a changed comment does no harm";
  EXPECT_LT(loaded, 2000) << "most changes do";
}

TEST(DamagedScene, DeepNestingIsRefused) {
  std::string shape = "{ type = \"sphere\", radius = 1 }";
  for (int depth = 0; depth != 1000; ++depth) shape = "{ type = \"union\", of = [" + shape + "] }";
  EXPECT_FALSE(loads(beginning + "[[objects]]\nname = \"deep\"\nmaterial = \"water\"\nshape = " + shape));
}

}  // namespace
}  // namespace fondue
