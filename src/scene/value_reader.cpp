#include "scene/value_reader.h"

#include <charconv>
#include <cmath>

#include "scene/declaration.h"
#include "scene/suggest.h"
#include "scene/units.h"

namespace fondue {

void ValueReader::wrong(const Node& node, const std::string& what) {
  reading_.mistakes.add(node.place, fmt::format("'{}' in {} {}", p_.name, where_, what));
}

std::optional<double> ValueReader::finite(const Node& node, const char* unit) {
  double value;
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
    value = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&node.value)) {
    value = *real;
  } else if (const auto quantity = node.text() ? quantity_of(*node.text()) : std::nullopt) {
    const bool frames = quantity->unit == "frames" && std::string_view(unit) == "s" && reading_.frames_per_second > 0;
    const Conversion conversion = frames ? Conversion{quantity->number / reading_.frames_per_second, ""}
                                         : converted(*quantity, unit, reading_.dimension);
    if (!conversion.wrong.empty()) {
      wrong(node, conversion.wrong);
      return std::nullopt;
    }
    value = conversion.number;
  } else {
    wrong_type(node, "a number");
    return std::nullopt;
  }
  if (std::isfinite(value) && std::abs(value) <= std::numeric_limits<float>::max()) return value;
  wrong(node, fmt::format("must be a finite number, got {}", value));
  return std::nullopt;
}

std::optional<float> ValueReader::in_range(const Node& node) {
  const std::optional<double> value = finite(node, p_.unit);
  if (!value) return std::nullopt;
  if (p_.unit == std::string_view("K")) doubt_temperature(node, *value);
  if (*value >= p_.least && *value <= p_.most) return static_cast<float>(*value);
  wrong(node, fmt::format("must be {}, got {}", range_text(p_), *value));
  return std::nullopt;
}

/// Colder than anything that is poured or melted: a number in degrees Celsius.
void ValueReader::doubt_temperature(const Node& node, double kelvin) {
  constexpr double coldest = 150;
  if (node.text() || !(kelvin >= 0 && kelvin < coldest)) return;
  reading_.note(node.place, fmt::format("'{0}' in {1} is {2} K, which is {3:.5g} degrees Celsius; did you mean {4}? "
                                        "\"{2} C\" says so too",
                                        p_.name, where_, kelvin, kelvin - 273.15, std::round(kelvin + 273.15)));
}

std::optional<float> ValueReader::number(const Node& node) {
  switch (p_.kind) {
    case Parameter::Kind::boolean:
      if (const bool* on = std::get_if<bool>(&node.value)) return *on ? 1.0f : 0.0f;
      wrong_type(node, "true or false");
      return std::nullopt;
    case Parameter::Kind::choice:
      return choice(node);
    case Parameter::Kind::integer:
      if (std::holds_alternative<std::int64_t>(node.value)) return in_range(node);
      wrong_type(node, "a whole number");
      return std::nullopt;
    default:
      return in_range(node);
  }
}

std::optional<float> ValueReader::choice(const Node& node) {
  const std::string* name = node.text();
  if (!name) {
    wrong_type(node, "a string");
    return std::nullopt;
  }
  for (std::size_t k = 0; k != p_.choices.size(); ++k)
    if (p_.choices[k] == *name) return static_cast<float>(k);
  const std::vector<std::string> known(p_.choices.begin(), p_.choices.end());
  reading_.mistakes.add(node.place,
                        fmt::format("unknown {} '{}' in {}{}", p_.name, *name, where_, suggestion(*name, known)));
  return std::nullopt;
}

namespace {

/// Red, green and blue as in drawing programs and style sheets: "#rrggbb".
std::optional<Vec3> colour_of(const std::string& text) {
  unsigned number = 0;
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, number, 16);
  if (error != std::errc() || end != text.data() + 7) return std::nullopt;
  return Vec3(static_cast<float>(number >> 16), static_cast<float>(number >> 8 & 255),
              static_cast<float>(number & 255)) /
         255;
}

}  // namespace

std::optional<Vec3> ValueReader::vector(const Node& node) {
  if (const bool colour = p_.least == 0 && p_.most == 1; colour && node.text()) {
    const std::optional<Vec3> rgb = colour_of(*node.text());
    if (!rgb)
      wrong(node, fmt::format("is red, green and blue, as [0.9, 0.4, 0] or \"#e66600\", got \"{}\"", *node.text()));
    return rgb;
  }
  const bool rotation = reading_.dimension == 2 && is_rotation(p_);
  if (rotation && !node.list()) {
    const auto about_z = number(node);
    return about_z ? std::optional<Vec3>(Vec3(0, 0, *about_z)) : std::nullopt;
  }
  const bool two = reading_.dimension == 2 && !rotation;
  const char* needed = two ? "a vector of 2 numbers" : "a vector of 3 numbers";
  const Node::List* list = node.list();
  if (!list) {
    wrong_type(node, needed);
    return std::nullopt;
  }
  if (list->size() != 3 && !(two && list->size() == 2)) {
    wrong(node, fmt::format("needs {}, got {}", needed, list->size()));
    return std::nullopt;
  }
  Vec3 result = Vec3::Zero();
  for (std::size_t k = 0; k != list->size(); ++k) {
    const std::optional<float> component = number((*list)[k]);
    if (!component) return std::nullopt;
    result[k] = *component;
  }
  if (plane_ && (rotation ? result.head<2>().any() : result.z() != 0)) {
    wrong(node, rotation ? "must be about z in two dimensions" : "must have no third component in two dimensions");
    return std::nullopt;
  }
  return result;
}

std::optional<std::string> ValueReader::text(const Node& node) {
  const std::string* text = node.text();
  if (!text) {
    wrong_type(node, "a string");
    return std::nullopt;
  }
  if (text->empty() && p_.required) {
    wrong(node, "must not be empty");
    return std::nullopt;
  }
  return *text;
}

}  // namespace fondue
