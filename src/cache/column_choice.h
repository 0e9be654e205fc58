#pragma once
// Checks column names given by the user.

#include <span>
#include <string>

namespace fondue {

/// InputError for the first unknown column, with the closest known name and a list of all of them.
void check_columns(std::span<const std::string> wanted, std::span<const std::string> known);

}  // namespace fondue
