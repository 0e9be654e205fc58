#pragma once
// Units of values that are written as text: "8 cm", "20 C", "5 deg", "1.2 g/cm^3". A unit is a product of powers of m,
// kg, s, K and the angle; both what a user writes and what a parameter declares are read by the same rules, so that any
// unit of the right kind can be given.

#include <optional>
#include <string>
#include <string_view>

namespace fondue {

/// A number and what follows it.
struct Quantity {
  double number = 0;
  std::string unit;
};

/// Nothing if the text does not begin with a number. Blanks around the unit are left out.
std::optional<Quantity> quantity_of(std::string_view text);

/// Whether this is a unit that values can be given in.
bool is_unit(std::string_view unit);

/// The quantity as a number in the unit of a parameter, or what is wrong with it. "C" is a temperature; in `unit`, the
/// exponent d is the dimension and " or " separates alternatives.
struct Conversion {
  double number = 0;
  /// Empty if the unit fits; otherwise the rest of a sentence about the value.
  std::string wrong;
};
Conversion converted(const Quantity& quantity, std::string_view unit, int dimension);

}  // namespace fondue
