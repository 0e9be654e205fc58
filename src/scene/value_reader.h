#pragma once
// Reads one constant value: a number, a vector or a text, checked against the declaration of its parameter. Numbers may
// be texts with a unit (scene/units.h).

#include <fmt/format.h>

#include <optional>
#include <string>

#include "scene/reading.h"

namespace fondue {

class ValueReader {
 public:
  ValueReader(const Parameter& parameter, const std::string& where, bool plane, Reading& reading)
      : p_(parameter), where_(where), plane_(plane), reading_(reading) {}

  /// A number, integer, boolean or choice, each as a number.
  std::optional<float> number(const Node& node);
  std::optional<Vec3> vector(const Node& node);
  std::optional<std::string> text(const Node& node);
  /// Any finite number in this unit, regardless of the parameter's range.
  std::optional<double> finite(const Node& node, const char* unit);

  void wrong(const Node& node, const std::string& what);
  void wrong_type(const Node& node, const char* needed) {
    wrong(node, fmt::format("needs {}, got {}", needed, node.kind()));
  }

 private:
  std::optional<float> in_range(const Node& node);
  std::optional<float> choice(const Node& node);
  void doubt_temperature(const Node& node, double kelvin);

  const Parameter& p_;
  const std::string& where_;
  bool plane_;
  Reading& reading_;
};

}  // namespace fondue
