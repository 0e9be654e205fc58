#include "scene/keyable_reader.h"

#include <algorithm>
#include <cmath>

#include "scene/declaration.h"
#include "scene/key_doubts.h"
#include "scene/suggest.h"
#include "scene/value_reader.h"

namespace fondue {

namespace {

class KeyableReader {
 public:
  KeyableReader(const Parameter& parameter, const std::string& where, ValueReader& plain, Reading& reading)
      : p_(parameter), where_(where), plain_(plain), reading_(reading) {}

  template <class T>
  std::optional<Keyable<T>> keyable(const Node& node);

 private:
  template <class T>
  std::optional<T> value(const Node& node);
  template <class T>
  std::optional<Keyable<T>> over_time(const Node& node);
  template <class T>
  std::optional<Keyable<T>> over_attribute(const Node& node);
  template <class T>
  std::optional<Curve<T>> curve(const Node& node, const char* keys_name, const char* keys_unit);
  std::optional<std::vector<double>> increasing_keys(const Node& node, const char* name, const char* unit);
  Interpolation interpolation(const Node& node);
  bool repeats(const Node& node);
  template <class T>
  void doubt_jump(const Node& node, const Curve<T>& curve);
  bool only_keys(const Node& node, const std::vector<std::string>& allowed);

  const Parameter& p_;
  const std::string& where_;
  ValueReader& plain_;
  Reading& reading_;
};

template <class T>
std::optional<T> KeyableReader::value(const Node& node) {
  if constexpr (std::is_same_v<T, Vec3>)
    return plain_.vector(node);
  else
    return plain_.number(node);
}

template <class T>
std::optional<Keyable<T>> KeyableReader::keyable(const Node& node) {
  if (!node.table()) {
    const std::optional<T> constant = value<T>(node);
    return constant ? std::optional(Keyable<T>(*constant)) : std::nullopt;
  }
  if (p_.keys == Parameter::Keys::none) {
    plain_.wrong(node, "is a constant and cannot be keyframed");
    return std::nullopt;
  }
  if (node.find("over")) return over_attribute<T>(node);
  if (p_.keys == Parameter::Keys::place && (node.find("time") || node.find("frame"))) {
    plain_.wrong(
        node, "is an initial value and can vary only over the position: { over = \"x\", at = [...], value = [...] }");
    return std::nullopt;
  }
  return over_time<T>(node);
}

template <class T>
std::optional<Keyable<T>> KeyableReader::over_time(const Node& node) {
  if (!only_keys(node, {"time", "frame", "value", "interpolation", "repeat"})) return std::nullopt;
  const Node *seconds = node.find("time"), *frames = node.find("frame");
  if (seconds && frames) {
    plain_.wrong(*frames, "has keys in seconds and in frames; give 'time' or 'frame', not both");
    return std::nullopt;
  }
  const std::optional<Curve<T>> given = curve<T>(node, frames ? "frame" : "time", frames ? "1" : "s");
  const bool repeat = repeats(node);
  if (!given) return std::nullopt;
  std::vector<double> times = given->keys();
  if (frames && reading_.frames_per_second > 0)
    for (double& time : times) time /= reading_.frames_per_second;
  const Curve<T> result(std::move(times), given->values(), given->interpolation(), repeat);
  if (repeat && result.keys().size() == 1) {
    plain_.wrong(node, "repeats, for which it needs more than one key");
    return std::nullopt;
  }
  if (repeat) doubt_jump(node, result);
  doubt_keys_outside_run(result, frames ? *frames : *seconds, p_, where_, reading_);
  return Keyable<T>(result, "time");
}

bool KeyableReader::repeats(const Node& node) {
  const Node* given = node.find("repeat");
  if (!given) return false;
  if (const bool* repeat = std::get_if<bool>(&given->value)) return *repeat;
  plain_.wrong(*given, fmt::format("needs true or false after 'repeat', got {}", given->kind()));
  return false;
}

/// A curve that goes from value to value should end as it begins if it repeats; turns end after whole turns.
template <class T>
void KeyableReader::doubt_jump(const Node& node, const Curve<T>& curve) {
  if (curve.interpolation() == Interpolation::step) return;
  const T change = curve.values().back() - curve.values().front();
  float size;
  if constexpr (std::is_same_v<T, Vec3>)
    size = change.norm();
  else
    size = std::abs(change);
  if (size == 0 || (is_rotation(p_) && std::abs(std::remainder(size, 360.0f)) < 1e-3f)) return;
  reading_.note(node.place, fmt::format("'{}' in {} repeats and jumps from its last value to its first each time; let "
                                        "it end as it begins unless that is meant",
                                        p_.name, where_));
}

template <class T>
std::optional<Keyable<T>> KeyableReader::over_attribute(const Node& node) {
  const Node& over = *node.find("over");
  if (!only_keys(node, {"over", "at", "value", "interpolation"})) return std::nullopt;
  const std::string* column = over.text();
  const std::string unit = column ? reading_.unit_of(*column) : "1";
  std::optional<Curve<T>> over_column = curve<T>(node, "at", unit.c_str());
  if (!column) {
    plain_.wrong(over, fmt::format("needs the name of an attribute after 'over', got {}", over.kind()));
    return std::nullopt;
  }
  if (*column == "time") {
    plain_.wrong(over, "must be written as { time = [...], value = [...] } to run over time");
    return std::nullopt;
  }
  if (p_.keys == Parameter::Keys::place) {
    const std::string axes = reading_.dimension == 2 ? "xy" : "xyz";
    if (column->size() != 1 || axes.find(*column) == std::string::npos) {
      plain_.wrong(over, fmt::format("can run only over the position ({}), not over '{}'",
                                     axes == "xy" ? "x or y" : "x, y or z", *column));
      return std::nullopt;
    }
    return over_column ? std::optional(Keyable<T>(std::move(*over_column), *column)) : std::nullopt;
  }
  if (p_.keys != Parameter::Keys::attribute) {
    plain_.wrong(over, fmt::format("can run only over time, not over '{}'", *column));
    return std::nullopt;
  }
  if (std::find(reading_.columns.begin(), reading_.columns.end(), *column) == reading_.columns.end()) {
    plain_.wrong(over,
                 fmt::format("runs over the unknown attribute '{}'{}", *column, suggestion(*column, reading_.columns)));
    return std::nullopt;
  }
  return over_column ? std::optional(Keyable<T>(std::move(*over_column), *column)) : std::nullopt;
}

bool KeyableReader::only_keys(const Node& node, const std::vector<std::string>& allowed) {
  bool good = true;
  for (const Entry& entry : *node.table()) {
    if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end()) continue;
    reading_.mistakes.add(entry.place, fmt::format("unknown key '{}' in the curve of '{}' in {}{}", entry.key, p_.name,
                                                   where_, suggestion(entry.key, allowed)));
    good = false;
  }
  return good;
}

template <class T>
std::optional<Curve<T>> KeyableReader::curve(const Node& node, const char* keys_name, const char* keys_unit) {
  const Node* keys_node = node.find(keys_name);
  const Node* values_node = node.find("value");
  if (!keys_node || !values_node) {
    plain_.wrong(node, fmt::format("is a curve without '{}'", keys_node ? "value" : keys_name));
    return std::nullopt;
  }
  const std::optional<std::vector<double>> keys = increasing_keys(*keys_node, keys_name, keys_unit);
  const Interpolation between = interpolation(node);
  const Node::List* list = values_node->list();
  if (!list) {
    plain_.wrong(*values_node, fmt::format("needs a list of values, got {}", values_node->kind()));
    return std::nullopt;
  }
  std::vector<T> values;
  for (const Node& node_of_value : *list)
    if (const std::optional<T> one = value<T>(node_of_value)) values.push_back(*one);
  if (!keys || values.size() != list->size()) return std::nullopt;
  if (keys->size() != values.size()) {
    plain_.wrong(*values_node, fmt::format("has {} keys but {} values", keys->size(), values.size()));
    return std::nullopt;
  }
  return Curve<T>(*keys, std::move(values), between);
}

std::optional<std::vector<double>> KeyableReader::increasing_keys(const Node& node, const char* name,
                                                                  const char* unit) {
  const Node::List* list = node.list();
  if (!list || list->empty()) {
    plain_.wrong(node,
                 fmt::format("needs a list of numbers after '{}', got {}", name, list ? "an empty one" : node.kind()));
    return std::nullopt;
  }
  std::vector<double> keys;
  for (const Node& key : *list) {
    const std::optional<double> number = plain_.finite(key, unit);
    if (!number) return std::nullopt;
    if (!keys.empty() && *number <= keys.back()) {
      plain_.wrong(key, fmt::format("has keys that do not increase: {} after {}", *number, keys.back()));
      return std::nullopt;
    }
    keys.push_back(*number);
  }
  return keys;
}

/// Integers, booleans and choices over time cannot be interpolated: their default is "step". Choices that may follow a
/// column (looks) can.
Interpolation KeyableReader::interpolation(const Node& node) {
  using Kind = Parameter::Kind;
  const bool blends = p_.kind == Kind::number || p_.kind == Kind::vector ||
                      (p_.kind == Kind::choice && p_.keys == Parameter::Keys::attribute);
  if (const Node* given = node.find("interpolation")) {
    const std::string name = given->text() ? *given->text() : given->kind();
    for (std::size_t k = 0; k != interpolation_names.size(); ++k)
      if (name == interpolation_names[k]) return static_cast<Interpolation>(k);
    const std::vector<std::string> known(std::begin(interpolation_names), std::end(interpolation_names));
    plain_.wrong(*given, fmt::format("has an unknown interpolation '{}'{}", name, suggestion(name, known)));
  }
  return blends ? Interpolation::linear : Interpolation::step;
}

}  // namespace

void read_value(const Node& node, const Parameter& parameter, const std::string& where, bool plane, Values& values,
                Reading& reading) {
  ValueReader plain(parameter, where, plane, reading);
  KeyableReader reader(parameter, where, plain, reading);
  if (parameter.kind == Parameter::Kind::text) {
    if (const auto text = plain.text(node)) values.set(parameter, *text);
  } else if (parameter.kind == Parameter::Kind::vector) {
    if (const auto vector = reader.keyable<Vec3>(node)) values.set(parameter, *vector);
  } else {
    if (const auto number = reader.keyable<float>(node)) values.set(parameter, *number);
  }
}

}  // namespace fondue
