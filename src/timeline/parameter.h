#pragma once
// A parameter is declared once: name, unit, range, default, help, and whether it can be keyframed. The scene reader,
// its range checks and suggestions, `fondue reference`, the effective scene beside the output and the saved state all
// follow from it.

#include <array>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "timeline/curve.h"

namespace fondue {

struct Parameter {
  enum class Kind { number, vector, integer, boolean, choice, text };
  /// What a curve may run over: nothing (constant only), time, time or any particle attribute, or position (x, y or z).
  enum class Keys { none, time, attribute, place };

  const char* name = "";
  Kind kind = Kind::number;
  const char* unit = "1";
  /// Default of a number, integer, boolean (0 or 1) or choice (index into choices).
  double initial = 0;
  std::array<float, 3> initial_vector = {0, 0, 0};
  const char* initial_text = "";
  /// Allowed range of a number, an integer or each component of a vector, inclusive.
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  std::span<const std::string_view> choices = {};
  Keys keys = Keys::none;
  /// Must be given; the default is not used.
  bool required = false;
  const char* help = "";
};

/// Lower end of the range of parameters that must be greater than zero.
inline constexpr double above_zero = 1e-30;
/// Default of a number that has no value, or one derived from elsewhere, unless it is given.
inline constexpr double no_default = std::numeric_limits<double>::quiet_NaN();

/// Values given for a set of parameters; all others have their declared default.
class Values {
 public:
  void set(const Parameter& parameter, Keyable<float> number) {
    numbers_.insert_or_assign(parameter.name, std::move(number));
  }
  void set(const Parameter& parameter, Keyable<Vec3> vector) {
    vectors_.insert_or_assign(parameter.name, std::move(vector));
  }
  void set(const Parameter& parameter, std::string text) { texts_.insert_or_assign(parameter.name, std::move(text)); }

  bool given(const Parameter& parameter) const;
  /// Names of everything given, each with what it was given as: a number, a vector or a text.
  std::multimap<std::string, Parameter::Kind> kinds() const;
  Keyable<float> number(const Parameter& parameter) const;
  Keyable<Vec3> vector(const Parameter& parameter) const;
  /// Values of parameters that cannot be keyframed.
  float constant(const Parameter& parameter) const { return number(parameter).at(0); }
  int integer(const Parameter& parameter) const;
  bool boolean(const Parameter& parameter) const { return integer(parameter) != 0; }
  /// Index into the declared choices (stored as a number).
  int choice(const Parameter& parameter) const { return integer(parameter); }
  std::string text(const Parameter& parameter) const;

  /// Everything given, by the parameter's name.
  const std::map<std::string, Keyable<float>, std::less<>>& numbers() const { return numbers_; }
  const std::map<std::string, Keyable<Vec3>, std::less<>>& vectors() const { return vectors_; }

 private:
  std::map<std::string, Keyable<float>, std::less<>> numbers_;
  std::map<std::string, Keyable<Vec3>, std::less<>> vectors_;
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace fondue
