#pragma once
// Reads the value of a parameter: a constant, or a curve over time or over a particle attribute.
//
//   rest_density = 1000
//   rest_density = { time = [0, 2], value = [1000, 500], interpolation = "smooth" }
//   rest_density = { frame = [0, 25, 50], value = [1000, 500, 1000], repeat = true }
//   rest_density = { over = "temperature", at = [20, 90], value = [1000, 965] }

#include <string>

#include "scene/reading.h"

namespace fondue {

/// Reads a value into `values`, or adds its mistakes and omits it. `where` names its table in messages. In two
/// dimensions the third component of vectors must be zero and may be omitted.
void read_value(const Node& node, const Parameter& parameter, const std::string& where, bool plane, Values& values,
                Reading& reading);

}  // namespace fondue
