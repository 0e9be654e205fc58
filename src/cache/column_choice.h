#pragma once
// Columns that the user names.

#include <span>
#include <string>

namespace fondue {

/// InputError for the first wanted column that is not known, with the nearest right word and all known ones.
void check_columns(std::span<const std::string> wanted, std::span<const std::string> known);

}  // namespace fondue
