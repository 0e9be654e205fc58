#include "cache/column_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

}  // namespace fondue
