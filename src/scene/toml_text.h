#pragma once
// Writes what was read back as TOML. Numbers have the fewest digits that give the same float again, so text read back
// and written once more is the same byte for byte.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/parameter.h"

namespace fondue {

std::string toml_string(std::string_view text);
/// A key, in quotes where TOML wants them.
std::string toml_key(std::string_view key);
std::string toml_strings(std::span<const std::string> texts);

/// A parameter as it stands behind its equals sign, curve or constant.
std::string toml_value(const Parameter& parameter, const Values& values);
/// "name = value" of every given parameter.
std::vector<std::string> toml_entries(std::span<const Parameter* const> parameters, const Values& values);

}  // namespace fondue
