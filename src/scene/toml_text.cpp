#include "scene/toml_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "scene/declaration.h"

namespace fondue {

namespace {

std::string plain(const Parameter& p, float value) {
  switch (p.kind) {
    case Parameter::Kind::boolean:
      return value != 0 ? "true" : "false";
    case Parameter::Kind::choice:
      return toml_string(p.choices[static_cast<std::size_t>(std::lround(value))]);
    case Parameter::Kind::integer:
      return fmt::format("{}", std::lround(value));
    default:
      return fmt::format("{}", value);
  }
}

std::string plain(const Parameter&, const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

template <class T>
std::string keyable_text(const Parameter& p, const Keyable<T>& keyable) {
  const Curve<T>& curve = keyable.curve();
  if (keyable.constant()) return plain(p, curve.values().front());
  std::vector<std::string> values;
  for (const T& value : curve.values()) values.push_back(plain(p, value));
  const std::string keys = keyable.over_time() ? fmt::format("time = [{}]", fmt::join(curve.keys(), ", "))
                                               : fmt::format("over = {}, at = [{}]", toml_string(keyable.over()),
                                                             fmt::join(curve.keys(), ", "));
  return fmt::format("{{ {}, value = [{}], interpolation = \"{}\"{} }}", keys, fmt::join(values, ", "),
                     interpolation_names[static_cast<int>(curve.interpolation())],
                     curve.repeats() ? ", repeat = true" : "");
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\', result += c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04X}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string toml_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c)) || c == '_' || c == '-';
  });
  return bare ? std::string(key) : toml_string(key);
}

std::string toml_strings(std::span<const std::string> texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(toml_string(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string toml_value(const Parameter& p, const Values& values) {
  if (p.kind == Parameter::Kind::text) return toml_string(values.text(p));
  if (p.kind == Parameter::Kind::vector) return keyable_text(p, values.vector(p));
  return keyable_text(p, values.number(p));
}

std::vector<std::string> toml_entries(std::span<const Parameter* const> parameters, const Values& values) {
  std::vector<std::string> entries;
  for (const Parameter* p : parameters)
    if (values.given(*p)) entries.push_back(fmt::format("{} = {}", p->name, toml_value(*p, values)));
  return entries;
}

}  // namespace fondue
