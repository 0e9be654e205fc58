#pragma once
// Scenes for the tests, and the mistakes reported for them.

#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace fondue {

/// The sections before an object; complete with one(). Lines 1 to 6.
inline const std::string beginning = R"([scene]
spacing = 0.1
[materials.water]
gravity = {}
fluid = { rest_density = 1000 }
viscosity = {}
)";

/// A cube of water from the origin; lines 7 to 10 after the beginning.
inline const std::string cube = R"([[objects]]
name = "cube"
material = "water"
shape = { type = "box", min = [0, 0, 0], max = [1, 1, 1] }
)";

inline std::string flat(std::string text) {
  const std::string spacing = "spacing = 0.1\n";
  return text.insert(text.find(spacing), "dimension = 2\n");
}

inline Scene parsed(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse_scene(text, "test.toml", overrides);
}

/// The mistakes in a scene, one line each.
inline std::vector<std::string> mistakes_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  std::vector<std::string> lines;
  try {
    parsed(text, overrides);
  } catch (const SceneError& error) {
    for (const SceneMistake& mistake : error.mistakes) lines.push_back(mistake.text());
  }
  return lines;
}

/// The only mistake in a scene; all of them if there are more, so that a failed comparison shows them.
inline std::string mistake_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  std::string all;
  for (const std::string& line : mistakes_of(text, overrides)) {
    if (!all.empty()) all += '\n';
    all += line;
  }
  return all;
}

}  // namespace fondue
