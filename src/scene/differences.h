#pragma once
// What differs between two scenes, by their effective texts: "scene.spacing", "objects.column.velocity", each with both
// values.

#include <string>
#include <string_view>
#include <vector>

namespace fondue {

struct SceneDifference {
  /// As for --set: tables by key, lists by name.
  std::string path;
  /// TOML values; empty where a scene does not have it.
  std::string before, after;
};

/// In the order of the first scene, then what only the second has. Of something that only one of them has (an object, a
/// collider), there is one entry for each of its keys.
std::vector<SceneDifference> differences(std::string_view effective_before, std::string_view effective_after);

/// One line for each, the first few of many: "  scene.spacing: 0.05 before, 0.02 now".
std::string listed(const std::vector<SceneDifference>& differences, std::string_view before, std::string_view now);

}  // namespace fondue
