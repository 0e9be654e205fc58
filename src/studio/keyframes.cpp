#include "studio/keyframes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/error.h"
#include "scene/units.h"

namespace fondue {

namespace {

/// The elements of a list as they are written.
std::vector<std::string> elements(const SceneText& scene, const std::string& list) {
  std::vector<std::string> all;
  if (scene.value(list).empty()) return all;
  for (;;) {
    try {
      const std::string one = scene.value(fmt::format("{}.{}", list, all.size()));
      if (one.empty()) return all;
      all.push_back(one);
    } catch (const InputError&) {
      return all;
    }
  }
}

struct Keys {
  /// "time" or "frame".
  const char* unit;
  double frames_per_second;
  std::vector<std::string> times, values;

  bool in_frames() const { return *unit == 'f'; }
  /// When a key is, "500 ms" and "12 frames" too [s].
  double seconds(std::size_t k) const {
    std::string text = times[k];
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) text = text.substr(1, text.size() - 2);
    const std::optional<Quantity> quantity = quantity_of(text);
    if (!quantity) throw InputError(fmt::format("'{}' is not a time", text));
    if (in_frames() || quantity->unit == "frames") return quantity->number / frames_per_second;
    if (quantity->unit.empty()) return quantity->number;
    const Conversion time = converted(*quantity, "s", 3);
    if (!time.wrong.empty()) throw InputError(fmt::format("'{}' is not a time", text));
    return time.number;
  }
  /// A time as this curve has it. Frames are rounded to a millionth: 0.28 s times 25 is not quite 7.
  std::string written(double time) const {
    return fmt::format("{}", in_frames() ? std::round(time * frames_per_second * 1e6) / 1e6 : time);
  }
};

Keys keys_of(const SceneText& scene, const std::string& path, double frames_per_second) {
  const char* unit = scene.value(path + ".frame").empty() ? "time" : "frame";
  Keys keys{unit, frames_per_second, elements(scene, fmt::format("{}.{}", path, unit)),
            elements(scene, path + ".value")};
  if (keys.times.empty() || keys.times.size() != keys.values.size())
    throw InputError(fmt::format("{} is not a curve over time", path));
  return keys;
}

std::size_t checked(const Keys& keys, std::string_view path, int number) {
  if (number < 0 || static_cast<std::size_t>(number) >= keys.times.size())
    throw InputError(fmt::format("{} has no key {}; it has 0 to {}", path, number, keys.times.size() - 1));
  return static_cast<std::size_t>(number);
}

void write(SceneText& scene, const std::string& path, const Keys& keys) {
  scene.set(fmt::format("{}.{}", path, keys.unit), fmt::format("[{}]", fmt::join(keys.times, ", ")));
  scene.set(path + ".value", fmt::format("[{}]", fmt::join(keys.values, ", ")));
}

}  // namespace

void set_key(SceneText& scene, std::string_view where, double time, std::string_view value, double frames_per_second) {
  const std::string path(where), present = scene.value(path);
  if (!present.starts_with('{')) {
    const bool at_start = present.empty() || time <= 0;
    scene.set(path, at_start ? fmt::format("{{ time = [{}], value = [{}] }}", time, value)
                             : fmt::format("{{ time = [0, {}], value = [{}, {}] }}", time, present, value));
    return;
  }
  Keys keys = keys_of(scene, path, frames_per_second);
  const std::string written = keys.written(time);
  std::size_t k = 0;
  while (k != keys.times.size() && keys.seconds(k) < time && keys.times[k] != written) ++k;
  if (k != keys.times.size() && (keys.seconds(k) == time || keys.times[k] == written))
    return scene.set(fmt::format("{}.value.{}", path, k), value);
  keys.times.insert(keys.times.begin() + static_cast<std::ptrdiff_t>(k), written);
  keys.values.insert(keys.values.begin() + static_cast<std::ptrdiff_t>(k), std::string(value));
  write(scene, path, keys);
}

void move_key(SceneText& scene, std::string_view where, int number, double time, double frames_per_second) {
  const std::string path(where);
  const Keys keys = keys_of(scene, path, frames_per_second);
  const std::size_t k = checked(keys, where, number);
  if ((k > 0 && !(time > keys.seconds(k - 1))) || (k + 1 != keys.times.size() && !(time < keys.seconds(k + 1))))
    throw InputError(fmt::format("key {} of {} cannot go to {} s, past the next key", number, path, time));
  scene.set(fmt::format("{}.{}.{}", path, keys.unit, k), keys.written(time));
}

void remove_key(SceneText& scene, std::string_view where, int number) {
  const std::string path(where);
  Keys keys = keys_of(scene, path, 1);
  const auto k = static_cast<std::ptrdiff_t>(checked(keys, where, number));
  if (keys.times.size() == 1) return scene.set(path, keys.values.front());
  keys.times.erase(keys.times.begin() + k);
  keys.values.erase(keys.values.begin() + k);
  write(scene, path, keys);
}

}  // namespace fondue
