#pragma once
// Declaration of a section of a scene: its parameters, declared as those of behaviours, and the parts that are not
// single values (shapes, lists). The reader, its range checks and suggestions, the effective scene and the reference
// follow from it.

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "timeline/parameter.h"

namespace fondue {

/// A key whose value is a shape or a list.
struct Part {
  const char* name;
  /// Description of the value that it takes.
  const char* form;
  bool required = false;
  const char* help = "";
};

struct Section {
  /// As written in the file: "[scene]", "[[objects]]", "[materials.NAME]".
  const char* header;
  const char* help;
  std::span<const Parameter* const> parameters = {};
  std::span<const Part> parts = {};
  /// Whether behaviours are keys of it too.
  bool behaviours = false;
};

/// In the order of Interpolation.
inline constexpr std::array<const char*, 5> interpolation_names = {"step", "linear", "smooth", "ease_in", "ease_out"};

/// As no_default.
inline constexpr std::array<float, 3> no_default_vector = {std::numeric_limits<float>::quiet_NaN(), 0, 0};

/// False for no_default, no_default_vector and empty texts.
bool has_default(const Parameter& parameter);
/// Whether it is a rotation vector or an angular velocity (by its unit), in two dimensions one number about the z axis.
bool is_rotation(const Parameter& parameter);
/// The given values, and declared defaults for all others. In two dimensions, defaults along z (gravity, jets) point
/// along y, which is up there.
Values with_defaults(std::span<const Parameter* const> parameters, Values given, bool plane);
/// `values` with those of `over` replacing them.
Values merged(std::span<const Parameter* const> parameters, Values values, const Values& over);

/// Rotation vectors in radians, of those in degrees that files have.
Keyable<Vec3> radians(const Keyable<Vec3>& degrees);

/// "greater than 0 kg/m^3", "between 0 and 1", "at least 1 m"; empty if there is no limit.
std::string range_text(const Parameter& parameter);
/// The double with the fewest digits that rounds to this float: 0.1f becomes 0.1.
double readable(float value);

}  // namespace fondue
