#include "scene/timeline_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/tracks.h"

namespace fondue {

namespace {

std::string curve_text(const Keyable<float>& value) {
  std::string text = fmt::format("over {}:", value.over());
  for (std::size_t k = 0; k != value.values().size(); ++k)
    text += fmt::format("{} {:.4g}: {:.4g}", k == 0 ? "" : ",", value.curve().keys()[k], value.values()[k]);
  return text;
}

class Rows {
 public:
  void owner(const char* kind, const std::string& name) { owner_ = fmt::format("{} '{}'", kind, name); }

  void weight(const std::string& name, const Keyable<float>& weight) { add(row(name), weight); }
  /// A number if it is keyframed.
  void number(const std::string& name, const Keyable<float>& value) {
    if (value.constant()) return;
    TimelineRow result = row(name);
    result.least = std::ranges::min(value.values());
    result.most = std::ranges::max(value.values());
    add(std::move(result), value);
  }
  /// In degrees, as in files.
  void rotation(const Keyable<Vec3>& value) { vector("rotation", value, 180 / std::numbers::pi_v<float>); }
  /// A vector if it is keyframed, drawn by its distance from its first value, in a unit.
  void vector(const std::string& name, const Keyable<Vec3>& value, float per_unit = 1) {
    if (value.constant()) return;
    TimelineRow result = row(name);
    result.keys = value.curve().keys();
    result.most = 0;
    const Vec3 first = value.values().front();
    for (const Vec3& v : value.values()) result.most = std::max(result.most, per_unit * (v - first).norm());
    if (value.over_time())
      result.height = [value, first, per_range = result.most > 0 ? per_unit / result.most : 1](double t) {
        return static_cast<double>(per_range * (value.at(t) - first).norm());
      };
    else
      result.text = "over " + value.over();
    rows.push_back(std::move(result));
  }
  std::vector<TimelineRow> rows;

 private:
  TimelineRow row(const std::string& name) const {
    TimelineRow result;
    result.owner = owner_;
    result.name = name;
    return result;
  }
  void add(TimelineRow result, const Keyable<float>& value) {
    if (value.over_attribute()) {
      result.text = curve_text(value);
    } else {
      const float least = result.least, range = result.most > least ? result.most - least : 1;
      result.height = [value, least, range](double t) { return static_cast<double>((value.at(t) - least) / range); };
      if (value.over_time()) result.keys = value.curve().keys();
    }
    rows.push_back(std::move(result));
  }
  std::string owner_;
};

/// "0.4, 0.9 s".
std::string key_text(const TimelineRow& row) {
  if (row.keys.empty()) return "";
  std::vector<std::string> keys;
  for (const double key : row.keys) keys.push_back(fmt::format("{:.4g}", key));
  return fmt::format("keys at {} s", fmt::join(keys, ", "));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

}  // namespace

std::vector<TimelineRow> timeline_rows(const Scene& scene) {
  Rows all;
  for (std::size_t o = 0; o != scene.world.objects.size(); ++o) {
    const ObjectSetup& object = scene.world.objects[o];
    all.owner("object", object.name);
    if (o < scene.materials.size())
      for (const MaterialShare& share : scene.materials[o])
        all.weight(fmt::format("material '{}'", share.material), share.weight);
    for (const Track& track : object.tracks) {
      all.weight(track.behaviour, track.weight);
      for (const auto& [name, value] : track.values.numbers())
        if (name != keys::weight.name) all.number(track.behaviour + " > " + name, value);
      for (const auto& [name, value] : track.values.vectors()) all.vector(track.behaviour + " > " + name, value);
    }
  }
  for (const EmitterSetup& emitter : scene.world.emitters) {
    all.owner("emitter", emitter.name);
    all.number("on", emitter.on);
    all.number("speed", emitter.speed);
    all.number("rate", emitter.rate);
    all.vector("centre", emitter.centre);
    all.vector("direction", emitter.direction);
  }
  for (const ColliderSetup& collider : scene.world.colliders) {
    all.owner(collider.rigid ? "body" : "collider", collider.name);
    all.vector("position", collider.motion.position);
    all.rotation(collider.motion.rotation);
    all.number("slip", collider.slip);
    all.number("stickiness", collider.stickiness);
    all.number("roughness", collider.roughness);
    if (collider.temperature) all.number("temperature", *collider.temperature);
  }
  for (const RegionSetup& region : scene.world.regions) {
    all.owner(find_behaviour(region.behaviour)->regions.one, region.name);
    all.number("on", region.on);
    all.vector("position", region.motion.position);
    all.rotation(region.motion.rotation);
    for (const auto& [name, value] : region.values.numbers())
      if (name != "on") all.number(name, value);
  }
  for (const PinSetup& pin : scene.world.pins) {
    all.owner("pin", pin.name);
    all.number("on", pin.on);
    all.vector("position", pin.motion.position);
    all.rotation(pin.motion.rotation);
  }
  return std::move(all.rows);
}

std::string timeline_text(const Scene& scene) {
  constexpr int columns = 48;
  static constexpr const char* bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text = fmt::format("{}: 0 to {:.4g} s, {} frames; a column is {:.3g} s\n", scene.name, scene.duration,
                                 scene.frames(), scene.duration / columns);
  std::string owner;
  for (const TimelineRow& row : timeline_rows(scene)) {
    if (row.owner != owner) text += fmt::format("{}\n", owner = row.owner);
    text += fmt::format("  {:<34} ", row.name);
    if (!row.height) {
      text += row.text + '\n';
      continue;
    }
    for (int k = 0; k != columns; ++k) {
      const double height = row.height(scene.duration * (k + 0.5) / columns);
      text += bars[static_cast<int>(std::lround(8 * std::clamp(height, 0.0, 1.0)))];
    }
    if (row.least != 0 || row.most != 1) text += fmt::format("  {:.4g} to {:.4g}", row.least, row.most);
    if (!row.keys.empty()) text += "  " + key_text(row);
    text += '\n';
  }
  return text;
}

std::string timeline_svg(const Scene& scene) {
  constexpr int left = 260, width = 640, line = 26, tall = 18, top = 40;
  const std::vector<TimelineRow> rows = timeline_rows(scene);
  const auto across = [&](double t) { return left + width * std::clamp(t / scene.duration, 0.0, 1.0); };
  std::string owner, body;
  int y = top;
  for (const TimelineRow& row : rows) {
    if (row.owner != owner) {
      body += fmt::format("<text x='8' y='{}' font-weight='bold'>{}</text>\n", y + tall, escaped(owner = row.owner));
      y += line;
    }
    body += fmt::format("<text x='20' y='{}'>{}</text>\n", y + tall - 4, escaped(row.name));
    if (row.height) {
      body += fmt::format("<polygon fill='#9cc3e0' stroke='#2a6a9e' points='{},{}", left, y + tall);
      constexpr int samples = 320;
      for (int k = 0; k <= samples; ++k) {
        const double t = scene.duration * k / samples;
        body += fmt::format(" {:.1f},{:.1f}", across(t), y + tall * (1 - std::clamp(row.height(t), 0.0, 1.0)));
      }
      body += fmt::format(" {},{}'/>\n", left + width, y + tall);
      for (const double key : row.keys)
        if (key >= 0 && key <= scene.duration)
          body += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.5' fill='#c0392b'/>\n", across(key),
                              y + tall * (1 - std::clamp(row.height(key), 0.0, 1.0)));
    } else {
      body += fmt::format("<text x='{}' y='{}' fill='#555'>{}</text>\n", left, y + tall - 4, escaped(row.text));
    }
    y += line;
  }
  std::string axis;
  for (int k = 0; k <= 8; ++k) {
    const double t = scene.duration * k / 8;
    axis += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#ddd'/><text x='{0:.1f}' y='24' "
        "text-anchor='middle'>{3:.3g} s</text>\n",
        across(t), top - 8, y, t);
  }
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' font-family='sans-serif' font-size='13'>\n"
      "<rect width='{0}' height='{1}' fill='white'/>\n{2}{3}</svg>\n",
      left + width + 30, y + 12, axis, body);
}

}  // namespace fondue
