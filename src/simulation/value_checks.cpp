#include "simulation/value_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/declaration.h"
#include "scene/reading.h"
#include "scene/suggest.h"

namespace fondue {

void ValueChecks::wrong(const Parameter& p, const std::string& what) { wrong(fmt::format("'{}' {}", p.name, what)); }

template <class T>
void ValueChecks::check(const Parameter& p, const Keyable<T>& value, const Columns& columns) {
  if (!value.constant()) {
    check_over(p, value.over(), columns);
    check_keys(p, value.curve().keys(), value.values().size());
  }
  // One wrong value of a curve is enough to name.
  for (const T& one : value.values())
    if (!check_value(p, one)) break;
}
template void ValueChecks::check(const Parameter&, const Keyable<float>&, const Columns&);
template void ValueChecks::check(const Parameter&, const Keyable<Vec3>&, const Columns&);

void ValueChecks::check_over(const Parameter& p, const std::string& over, const Columns& columns) {
  using Keys = Parameter::Keys;
  const bool place = over == "x" || over == "y" || (over == "z" && dimension_ == 3);
  if (p.keys == Keys::none)
    wrong(p, "is a constant, it takes no curve");
  else if (p.keys == Keys::place && !place)
    wrong(p, fmt::format("can follow the place only ({}), not '{}'", dimension_ == 2 ? "x or y" : "x, y or z", over));
  else if (p.keys == Keys::time && over != "time")
    wrong(p, fmt::format("can follow the time only, not '{}'", over));
  else if (p.keys == Keys::attribute && over != "time" && !columns.contains(over)) {
    const std::vector<std::string> known = known_columns();
    if (std::find(known.begin(), known.end(), over) == known.end())
      wrong(p, fmt::format("runs over the unknown attribute '{}'{}", over, suggestion(over, known)));
    else
      wrong(p, fmt::format("runs over '{}', which no object of this scene has", over));
  }
}

void ValueChecks::check_keys(const Parameter& p, const std::vector<double>& keys, std::size_t values) {
  if (keys.empty()) return wrong(p, "is a curve without keys");
  if (keys.size() != values) return wrong(p, fmt::format("has {} keys but {} values", keys.size(), values));
  for (std::size_t k = 0; k != keys.size(); ++k) {
    if (!std::isfinite(keys[k])) return wrong(p, fmt::format("has the key {}, which is not a finite number", keys[k]));
    if (k > 0 && !(keys[k] > keys[k - 1]))
      return wrong(p, fmt::format("has keys that do not increase: {} after {}", keys[k], keys[k - 1]));
  }
}

bool ValueChecks::check_number(const Parameter& p, float value) {
  using Kind = Parameter::Kind;
  if (!std::isfinite(value)) {
    wrong(p, fmt::format("must be a finite number, got {}", value));
    return false;
  }
  const bool whole = value == std::round(value);
  if (p.kind == Kind::choice && !(whole && value >= 0 && value < static_cast<float>(p.choices.size()))) {
    wrong(p, fmt::format("must be the number of one of its {} choices, got {}", p.choices.size(), value));
    return false;
  }
  if (p.kind == Kind::boolean && value != 0 && value != 1) {
    wrong(p, fmt::format("must be 0 or 1, got {}", value));
    return false;
  }
  if (p.kind == Kind::integer && !whole) {
    wrong(p, fmt::format("must be a whole number, got {}", value));
    return false;
  }
  // 0.1f is a little more than 0.1, and allowed where 0.1 is the limit.
  const double number = readable(value);
  if (number >= p.least && number <= p.most) return true;
  wrong(p, fmt::format("must be {}, got {}", range_text(p), value));
  return false;
}

bool ValueChecks::check_value(const Parameter& p, const Vec3& value) {
  for (const float component : value)
    if (!check_number(p, component)) return false;
  const bool turn = is_rotation(p);
  if (dimension_ == 3 || (turn ? value.head<2>().isZero(0) : value.z() == 0)) return true;
  wrong(p, turn ? "must be about z in two dimensions" : "must have no third component in two dimensions");
  return false;
}

}  // namespace fondue
