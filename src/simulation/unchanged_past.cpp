#include "simulation/unchanged_past.h"

#include <algorithm>
#include <optional>

#include "scene/differences.h"
#include "scene/sections.h"
#include "scene/toml_file.h"
#include "world/world.h"

namespace fondue {

namespace {

/// Changes of these have no influence on the states of a run.
bool only_shown(const std::string& path) {
  if (path.starts_with("picture.") || path.starts_with("surface.") || path.starts_with("flames.")) return true;
  if (path == "scene.help" || path == "time.duration") return true;
  const std::string key = path.substr(path.rfind('.') + 1);
  const bool appearance = std::ranges::any_of(keys::look::all, [&](const Parameter* p) { return key == p->name; });
  return appearance && std::ranges::count(path, '.') == 2;
}

/// A curve over time as it is written in an effective scene.
struct WrittenCurve {
  std::vector<double> times;
  /// One list of components per key.
  std::vector<std::vector<double>> values;
  std::string interpolation;
  bool repeats = false;
};

std::optional<double> number(const Node& node) {
  if (const auto* real = std::get_if<double>(&node.value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) return static_cast<double>(*whole);
  if (const auto* truth = std::get_if<bool>(&node.value)) return *truth ? 1 : 0;
  return std::nullopt;
}

std::optional<WrittenCurve> curve_over_time(const std::string& text) {
  Mistakes mistakes;
  const std::optional<Node> root = parse_toml("value = " + text, "", mistakes);
  const Node* node = root ? root->find("value") : nullptr;
  const Node *times = node ? node->find("time") : nullptr, *values = node ? node->find("value") : nullptr;
  if (!times || !values || !times->list() || !values->list()) return std::nullopt;
  WrittenCurve curve;
  for (const Node& time : *times->list()) curve.times.push_back(number(time).value_or(0));
  for (const Node& value : *values->list()) {
    curve.values.emplace_back();
    if (const Node::List* components = value.list())
      for (const Node& component : *components) curve.values.back().push_back(number(component).value_or(0));
    else
      curve.values.back().push_back(number(value).value_or(0));
  }
  if (const Node* between = node->find("interpolation"); between && between->text())
    curve.interpolation = *between->text();
  if (const Node* repeat = node->find("repeat")) curve.repeats = number(*repeat).value_or(0) != 0;
  return curve;
}

/// How long a curve keeps the value of the key before this one, bit for bit. Between two keys of the same value it
/// does if that is 0 or 1: (1 - w) + w is 1 for every w.
double held_until(const WrittenCurve& curve, std::size_t key) {
  if (key == curve.times.size()) return curve.repeats ? curve.times.back() : all_time;
  const bool exact = std::ranges::all_of(curve.values[key], [](double x) { return x == 0 || x == 1; });
  const bool holds = curve.interpolation == "step" || (exact && curve.values[key] == curve.values[key - 1]);
  return curve.times[holds ? key : key - 1];
}

/// Time up to which both curves have the same bits: that of the last key that they share from the start on, or of the
/// end of a hold after it.
double same_until(const WrittenCurve& a, const WrittenCurve& b) {
  const std::size_t keys = std::min(a.times.size(), b.times.size());
  std::size_t same = 0;
  while (same != keys && a.times[same] == b.times[same] && a.values[same] == b.values[same]) ++same;
  if (same == a.times.size() && same == b.times.size() && a.interpolation == b.interpolation)
    return a.repeats == b.repeats ? all_time : a.times.back();
  if (same == 0) {
    // Both are constant before their first key.
    return a.values.front() == b.values.front() ? std::min(a.times.front(), b.times.front()) : 0;
  }
  if (a.interpolation != b.interpolation) return a.times.front();
  return std::min(held_until(a, same), held_until(b, same));
}

/// Materials that follow one another in time (scene/material_list.h), as they are written in an effective scene.
struct WrittenClip {
  std::string material;
  double from = 0, fade = 0;
  bool operator==(const WrittenClip&) const = default;
};

std::optional<std::vector<WrittenClip>> clips(const std::string& text) {
  Mistakes mistakes;
  const std::optional<Node> root = parse_toml("value = " + text, "", mistakes);
  const Node* node = root ? root->find("value") : nullptr;
  if (!node || !node->list() || node->list()->empty()) return std::nullopt;
  std::vector<WrittenClip> result;
  for (const Node& one : *node->list()) {
    const Node *material = one.find("material"), *from = one.find("from"), *fade = one.find("fade");
    if (!material || !material->text() || one.find("weight")) return std::nullopt;
    result.push_back({*material->text(), from ? number(*from).value_or(0) : 0, fade ? number(*fade).value_or(0) : 0});
  }
  return result;
}

/// When the first of the same materials begins or fades differently; 0 if they are not the same.
double same_until(const std::vector<WrittenClip>& a, const std::vector<WrittenClip>& b) {
  if (!std::ranges::equal(a, b, {}, &WrittenClip::material, &WrittenClip::material)) return 0;
  const auto [first, other] = std::ranges::mismatch(a, b);
  return first == a.end() ? all_time : std::min(first->from, other->from);
}

/// What is made from all keys of a curve before a run begins.
std::vector<float> estimates(const Scene& scene) {
  const WorldSetup& world = scene.world;
  const Box extent = extent_of(world);
  std::vector<float> result = {expected_speed(world, extent), extent.empty() ? 0 : extent.size().maxCoeff()};
  for (const ObjectSetup& object : world.objects)
    for (const Track& track : object.tracks)
      if (const BehaviourInfo* info = find_behaviour(track.behaviour); info && info->rest_density) {
        const Keyable<float> density = track.values.number(*info->rest_density);
        const auto [least, most] = std::ranges::minmax(density.values());
        result.insert(result.end(), {least, most});
      }
  for (const ColliderSetup& collider : world.colliders) {
    const bool sticky = std::ranges::any_of(collider.stickiness.values(), [](float pull) { return pull > 0; });
    const bool conveys =
        std::ranges::any_of(collider.surface_velocity.values(), [](const Vec3& v) { return !v.isZero(0); });
    result.insert(result.end(), {sticky ? 1.0f : 0.0f, conveys ? 1.0f : 0.0f});
  }
  return result;
}

}  // namespace

double unchanged_until(const Scene& before, const Scene& after) {
  double until = all_time;
  for (const SceneDifference& difference : differences(before.effective, after.effective)) {
    if (only_shown(difference.path)) continue;
    const std::optional<WrittenCurve> a = curve_over_time(difference.before), b = curve_over_time(difference.after);
    const auto clips_before = clips(difference.before), clips_after = clips(difference.after);
    until = std::min(until, a && b                        ? same_until(*a, *b)
                            : clips_before && clips_after ? same_until(*clips_before, *clips_after)
                                                          : 0.0);
  }
  if (until != all_time && estimates(before) != estimates(after)) return 0;
  return std::max(until, 0.0);
}

}  // namespace fondue
