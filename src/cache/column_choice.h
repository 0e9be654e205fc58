#pragma once
// Names of columns given by the user, and units of columns as they are shown.

#include <span>
#include <string>

namespace fondue {

/// InputError for the first unknown column, with the closest known name and a list of all of them.
void check_columns(std::span<const std::string> wanted, std::span<const std::string> known);

/// The unit in space or in the plane: "m^d" is m^3 or m^2.
std::string unit_in(std::string unit, int dimension);

}  // namespace fondue
