#pragma once
// Reads a shape of a scene file: { type = "box", min = [...], max = [...] }.

#include <optional>
#include <string>

#include "scene/reading.h"
#include "shapes/shape.h"

namespace fondue {

struct ReadShape {
  ShapePtr shape;
  /// Its TOML with all defaults; files have absolute paths.
  std::string toml;
};

/// Nothing if there were mistakes. `where` names it in messages.
std::optional<ReadShape> read_shape(const Node& node, const std::string& where, Reading& reading);

}  // namespace fondue
