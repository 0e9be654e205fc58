#pragma once
// The tables of a run for plots: statistics and probes over time, thinned out to what a plot can show.

#include <nlohmann/json.hpp>

#include "studio/take.h"

namespace fondue {

/// Columns with name, unit and values; the first one is the time. Empty lists where there are no tables yet.
nlohmann::json tables_of(const Take& take);

}  // namespace fondue
