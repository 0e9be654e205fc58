#pragma once
// What to do about a line that is not TOML: the parser says what it expected, a user wants to know what to write.

#include <string>
#include <string_view>

namespace fondue {

/// Description: the parser's; line and column (from 1): where it stopped.
std::string toml_advice(std::string_view description, std::string_view line, int column);

}  // namespace fondue
