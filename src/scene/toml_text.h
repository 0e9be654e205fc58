#pragma once
// Writes values as TOML. Numbers have the fewest digits that restore the same float, so that reading and writing again
// gives identical text.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/parameter.h"

namespace fondue {

std::string toml_string(std::string_view text);
/// A key, in quotes where TOML requires them.
std::string toml_key(std::string_view key);
std::string toml_strings(std::span<const std::string> texts);

/// The value of a parameter as written after the equals sign, curve or constant.
std::string toml_value(const Parameter& parameter, const Values& values);
/// "name = value" of every given parameter.
std::vector<std::string> toml_entries(std::span<const Parameter* const> parameters, const Values& values);

}  // namespace fondue
