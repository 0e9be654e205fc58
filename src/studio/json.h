#pragma once
// Vectors and parts of scene files as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/vec.h"

namespace fondue {

inline nlohmann::json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// A TOML text as a tree; null if it is not valid.
nlohmann::json toml_as_json(std::string_view text);

/// Everything that a scene file can say, from the declarations: sections, behaviours and shapes with their parameters.
nlohmann::json declarations();

}  // namespace fondue
