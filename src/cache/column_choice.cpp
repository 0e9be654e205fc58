#include "cache/column_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "scene/suggest.h"

namespace fondue {

void check_columns(std::span<const std::string> wanted, std::span<const std::string> known) {
  for (const std::string& name : wanted) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string hint = suggestion(name, known);
    if (hint.find("did you mean") != hint.npos) hint += fmt::format(" The columns are {}", fmt::join(known, ", "));
    throw InputError(
        fmt::format("the frames have no column '{}'{}; output.columns of the scene adds more", name, hint));
  }
}

std::string unit_in(std::string unit, int dimension) {
  constexpr std::string_view open = "m^d";
  if (const std::size_t at = unit.find(open); at != std::string::npos)
    unit.replace(at, open.size(), dimension == 3 ? "m^3" : "m^2");
  return unit;
}

}  // namespace fondue
