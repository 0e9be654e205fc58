#include "scene/units.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "scene/suggest.h"

namespace fondue {

namespace {

/// Exponents of m, kg, s, K and the angle.
using Powers = std::array<int, 5>;

struct Unit {
  /// Times this it is a product of m, kg, s, K and rad.
  double factor = 1;
  Powers powers = {};

  void multiply(const Unit& other, int exponent) {
    factor *= std::pow(other.factor, exponent);
    for (std::size_t k = 0; k != powers.size(); ++k) powers[k] += exponent * other.powers[k];
  }
};

struct Symbol {
  std::string_view name;
  Unit unit;
  /// Takes prefixes such as the k of km.
  bool prefixes = false;
};

constexpr double degree = std::numbers::pi / 180;
constexpr Powers none = {}, angle = {0, 0, 0, 0, 1};

constexpr Symbol symbols[] = {{"m", {1, {1, 0, 0, 0, 0}}, true},
                              {"g", {1e-3, {0, 1, 0, 0, 0}}, true},
                              {"s", {1, {0, 0, 1, 0, 0}}, true},
                              {"min", {60, {0, 0, 1, 0, 0}}},
                              {"h", {3600, {0, 0, 1, 0, 0}}},
                              {"K", {1, {0, 0, 0, 1, 0}}},
                              {"rad", {1, angle}},
                              {"deg", {degree, angle}},
                              {"degrees", {degree, angle}},
                              {"°", {degree, angle}},
                              {"turn", {360 * degree, angle}},
                              {"rpm", {6 * degree, {0, 0, -1, 0, 1}}},
                              {"Hz", {1, {0, 0, -1, 0, 0}}, true},
                              {"l", {1e-3, {3, 0, 0, 0, 0}}, true},
                              {"t", {1000, {0, 1, 0, 0, 0}}},
                              {"N", {1, {1, 1, -2, 0, 0}}, true},
                              {"Pa", {1, {-1, 1, -2, 0, 0}}, true},
                              {"bar", {1e5, {-1, 1, -2, 0, 0}}, true},
                              {"J", {1, {2, 1, -2, 0, 0}}, true},
                              {"W", {1, {2, 1, -3, 0, 0}}, true},
                              {"%", {0.01, none}},
                              {"1", {1, none}}};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"G", 1e9},  {"M", 1e6},  {"k", 1e3},  {"d", 1e-1}, {"c", 1e-2},
                               {"m", 1e-3}, {"µ", 1e-6}, {"u", 1e-6}, {"n", 1e-9}};

std::optional<Unit> symbol_named(std::string_view name) {
  for (const Symbol& symbol : symbols)
    if (symbol.name == name) return symbol.unit;
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (const Symbol& symbol : symbols)
      if (symbol.prefixes && symbol.name == name.substr(prefix.name.size()))
        return Unit{prefix.factor * symbol.unit.factor, symbol.unit.powers};
  }
  return std::nullopt;
}

/// Reads a product such as W/(m^2 K): factors separated by blanks, * or /.
class UnitReader {
 public:
  UnitReader(std::string_view text, int dimension) : text_(text), dimension_(dimension) {}

  std::optional<Unit> read() {
    std::optional<Unit> unit = product();
    if (unit && at_ != text_.size()) return std::nullopt;
    return unit;
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (next() == ' ') ++at_;
  }

  std::optional<Unit> product() {
    Unit result;
    int sign = 1;
    for (skip_blanks();; sign = next() == '/' ? -1 : 1) {
      if (take('/') || take('*')) skip_blanks();
      std::optional<Unit> factor;
      if (take('(')) {
        factor = product();
        if (!take(')')) return std::nullopt;
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string_view(" */()^").find(next()) == std::string_view::npos) ++at_;
        factor = symbol_named(text_.substr(begin, at_ - begin));
      }
      const std::optional<int> power = exponent();
      if (!factor || !power) return std::nullopt;
      result.multiply(*factor, sign * *power);
      skip_blanks();
      if (at_ == text_.size() || next() == ')') return result;
    }
  }

  std::optional<int> exponent() {
    if (!take('^')) return 1;
    if (take('d')) return dimension_;
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int dimension_;
};

std::optional<Unit> unit_of(std::string_view text, int dimension) { return UnitReader(text, dimension).read(); }

bool is_celsius(std::string_view unit) { return unit == "C" || unit == "°C"; }

/// How a value of a parameter with this unit can be written.
std::string right_for(std::string_view unit) {
  constexpr std::pair<std::string_view, const char*> examples[] = {
      {"m", "8 cm"}, {"s", "20 ms"}, {"K", "20 C"}, {"degrees", "5 deg"}, {"m/s", "30 cm/s"}, {"kg", "200 g"}};
  if (unit == "1") return "needs a plain number";
  for (const auto& [name, example] : examples)
    if (unit == name)
      return fmt::format("needs a value in {0}: a plain number, or one with a unit of its kind, such as \"{1}\"", unit,
                         example);
  return fmt::format("needs a value in {}: a plain number, or one with a unit of its kind", unit);
}

std::string unknown_unit(std::string_view unit) {
  std::vector<std::string> known;
  for (const char* common :
       {"mm", "cm",  "m", "km", "ms", "s", "min", "g",   "kg",   "K",      "C",      "deg",  "rad",
        "Pa", "kPa", "N", "J",  "W",  "l", "ml",  "m/s", "cm/s", "kg/m^3", "g/cm^3", "Pa s", "mPa s"})
    known.emplace_back(common);
  return fmt::format("has an unknown unit '{}'{}", unit, suggestion(unit, known));
}

}  // namespace

std::optional<Quantity> quantity_of(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('+')) text.remove_prefix(1);
  Quantity quantity;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc() || !std::isfinite(quantity.number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  quantity.unit = text;
  return quantity;
}

bool is_unit(std::string_view unit) { return is_celsius(unit) || unit_of(unit, 3).has_value(); }

Conversion converted(const Quantity& quantity, std::string_view unit, int dimension) {
  const auto refused = [&](const std::string& why) { return Conversion{0, why}; };
  if (quantity.unit.empty()) return refused("is a number in quotes; write it without them");
  if (!is_unit(quantity.unit)) return refused(unknown_unit(quantity.unit));
  for (std::string_view rest = unit; !rest.empty();) {
    const std::size_t separator = rest.find(" or ");
    const std::string_view one = rest.substr(0, separator);
    rest = separator == std::string_view::npos ? std::string_view() : rest.substr(separator + 4);
    if (is_celsius(quantity.unit)) {
      if (one == "K") return {quantity.number + 273.15, ""};
      continue;
    }
    const std::optional<Unit> wanted = unit_of(one, dimension), given = unit_of(quantity.unit, dimension);
    if (wanted && given && wanted->powers == given->powers)
      return {quantity.number * (given->factor / wanted->factor), ""};
  }
  return refused(fmt::format("{}, got \"{} {}\"", right_for(unit), quantity.number, quantity.unit));
}

}  // namespace fondue
