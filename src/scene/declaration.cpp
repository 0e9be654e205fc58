#include "scene/declaration.h"

#include <fmt/format.h>

#include <numbers>

namespace fondue {

namespace {

Vec3 default_vector(const Parameter& p, bool plane) {
  const auto& v = p.initial_vector;
  if (!plane || is_rotation(p) || v[2] == 0) return {v[0], v[1], v[2]};
  return {v[0], v[1] == 0 ? v[2] : v[1], 0};
}

void copy_value(const Parameter& p, const Values& from, Values& to) {
  if (p.kind == Parameter::Kind::vector)
    to.set(p, from.vector(p));
  else if (p.kind == Parameter::Kind::text)
    to.set(p, from.text(p));
  else
    to.set(p, from.number(p));
}

}  // namespace

bool has_default(const Parameter& p) {
  if (p.required) return false;
  if (p.kind == Parameter::Kind::text) return *p.initial_text != '\0';
  if (p.kind == Parameter::Kind::vector) return !std::isnan(p.initial_vector[0]);
  return !std::isnan(p.initial);
}

bool is_rotation(const Parameter& p) {
  const std::string_view unit = p.unit;
  return p.kind == Parameter::Kind::vector && (unit == "degrees" || unit == "rad/s");
}

Values with_defaults(std::span<const Parameter* const> parameters, Values values, bool plane) {
  for (const Parameter* p : parameters) {
    if (values.given(*p) || !has_default(*p)) continue;
    if (p->kind == Parameter::Kind::vector)
      values.set(*p, Keyable<Vec3>(default_vector(*p, plane)));
    else
      copy_value(*p, values, values);
  }
  return values;
}

Values merged(std::span<const Parameter* const> parameters, Values values, const Values& over) {
  for (const Parameter* p : parameters)
    if (over.given(*p)) copy_value(*p, over, values);
  return values;
}

Keyable<Vec3> radians(const Keyable<Vec3>& degrees) {
  std::vector<Vec3> values = degrees.values();
  for (Vec3& value : values) value *= std::numbers::pi_v<float> / 180;
  if (degrees.constant()) return values.front();
  return {degrees.curve().with(std::move(values)), degrees.over()};
}

std::string range_text(const Parameter& p) {
  constexpr double endless = std::numeric_limits<double>::max();
  const std::string_view unit = p.unit;
  const std::string with_unit = unit == "1" ? "" : fmt::format(" {}", unit);
  const bool from = p.least > -endless, to = p.most < endless;
  if (p.least == above_zero && to) return fmt::format("greater than 0 and at most {}{}", p.most, with_unit);
  if (p.least == above_zero) return "greater than 0" + with_unit;
  if (from && to) return fmt::format("between {} and {}{}", p.least, p.most, with_unit);
  if (from) return fmt::format("at least {}{}", p.least, with_unit);
  if (to) return fmt::format("at most {}{}", p.most, with_unit);
  return "";
}

double readable(float value) { return std::stod(fmt::format("{}", value)); }

}  // namespace fondue
