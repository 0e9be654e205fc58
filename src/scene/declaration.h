#pragma once
// How a section of a scene is declared: its parameters as behaviours declare theirs, and the parts that are no single
// value (shapes, lists). The reader, its range checks and suggestions, the effective scene and the reference follow.

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "timeline/parameter.h"

namespace fondue {

/// A key whose value is a shape or a list.
struct Part {
  const char* name;
  /// What it takes, in words.
  const char* form;
  bool required = false;
  const char* help = "";
};

struct Section {
  /// As it stands in the file: "[scene]", "[[objects]]", "[materials.NAME]".
  const char* header;
  const char* help;
  std::span<const Parameter* const> parameters = {};
  std::span<const Part> parts = {};
  /// Behaviours are keys of it too.
  bool behaviours = false;
};

/// In the order of Interpolation.
inline constexpr std::array<const char*, 3> interpolation_names = {"step", "linear", "smooth"};

/// Default of a number that is simply absent, or follows from elsewhere, unless it is given.
inline constexpr double no_default = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::array<float, 3> no_default_vector = {std::numeric_limits<float>::quiet_NaN(), 0, 0};

/// Numbers without, vectors without and empty texts have no default.
bool has_default(const Parameter& parameter);
/// Rotation vectors and spins (by their unit), which in two dimensions are one number about the z axis.
bool is_turn(const Parameter& parameter);
/// What is given, and the declared default of everything else. In a plane, defaults along z (gravity, jets) point along
/// y, the direction that is up there.
Values with_defaults(std::span<const Parameter* const> parameters, Values given, bool plane);
/// Those of `over` replace those of `values`.
Values merged(std::span<const Parameter* const> parameters, Values values, const Values& over);

/// "greater than 0 kg/m^3", "between 0 and 1", "at least 1 m"; empty if everything is allowed.
std::string range_text(const Parameter& parameter);
/// A float in the fewest digits that give it back, as a double: 0.1f is 0.1.
double readable(float value);

}  // namespace fondue
