#pragma once
// How the value of a key becomes what its parameter declares: a constant, or keys over time or over a particle
// attribute.
//
//   rest_density = 1000
//   rest_density = { time = [0, 2], value = [1000, 500], interpolation = "smooth" }
//   rest_density = { over = "temperature", at = [20, 90], value = [1000, 965] }

#include <string>

#include "scene/reading.h"

namespace fondue {

/// Reads a value into `values`, or adds its mistakes and leaves it out. `where` is the table it stands in, for
/// messages. In a plane vectors have no third component other than zero, and may leave it out.
void read_value(const Node& node, const Parameter& parameter, const std::string& where, bool plane, Values& values,
                Reading& reading);

}  // namespace fondue
