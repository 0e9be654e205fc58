#include "scene/key_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scene/common_keys.h"

namespace fondue {

namespace {

/// Whether a weight is above zero somewhere between two times.
bool acts_between(const Keyable<float>& weight, double begin, double end) {
  if (weight.over_attribute() || weight.curve().repeats()) return true;
  if (!(begin < end)) return false;
  // Between two keys a curve only rises or only falls: it is above zero somewhere if it is so in the middle.
  std::vector<double> bounds = {begin};
  for (const double key : weight.curve().keys())
    if (key > begin && key < end) bounds.push_back(key);
  bounds.push_back(end);
  for (std::size_t k = 1; k != bounds.size(); ++k)
    if (weight.at(0.5 * (bounds[k - 1] + bounds[k])) > 0) return true;
  return std::any_of(bounds.begin() + 1, bounds.end() - 1, [&](double key) { return weight.at(key) > 0; });
}

/// The list of keys of a parameter's curve, in the first of these tables that gives the parameter.
const Node* keys_of(std::span<const Node* const> tables, const Parameter& parameter) {
  for (const Node* table : tables)
    if (const Node* value = table->find(parameter.name)) {
      const Node* keys = value->find("time") ? value->find("time") : value->find("frame");
      return keys && keys->list() ? keys : nullptr;
    }
  return nullptr;
}

template <class T>
void doubt_curve(const Keyable<T>& value, const Keyable<float>& weight, std::span<const Node* const> tables,
                 const Parameter& parameter, const std::string& where, const std::string& why, bool start_counts,
                 Reading& reading) {
  const Node* keys = keys_of(tables, parameter);
  if (!keys || !value.over_time() || value.curve().repeats()) return;
  for (std::size_t k = 0; k != value.values().size(); ++k) {
    const auto [begin, end] = value.curve().reach(k);
    const double from = std::max(begin, 0.0), to = std::min(end, reading.duration);
    // Keys outside of the run are named when they are read.
    if (!(from < to) || acts_between(weight, from, to) || (start_counts && begin < 0)) continue;
    return reading.note((*keys->list())[k].place,
                        fmt::format("the keyframe at {:.6g} s of '{}' in {} has no effect: {} then; move it, or remove "
                                    "it",
                                    value.curve().keys()[k], parameter.name, where, why));
  }
}

void doubt_parameters(std::span<const Parameter* const> parameters, const Values& values, const Keyable<float>& weight,
                      std::span<const Node* const> tables, const std::string& where, const std::string& why,
                      bool start_counts, Reading& reading) {
  for (const Parameter* p : parameters) {
    if (!values.given(*p) || p->kind == Parameter::Kind::text) continue;
    if (p->kind == Parameter::Kind::vector)
      doubt_curve(values.vector(*p), weight, tables, *p, where, why, start_counts, reading);
    else
      doubt_curve(values.number(*p), weight, tables, *p, where, why, start_counts, reading);
  }
}

/// Weights of cross-fading tracks that add up to more than 1.
void doubt_sum(const BehaviourTracks& behaviour, const std::string& where, Reading& reading) {
  constexpr float rounding = 1e-3f;
  // All must run over one thing, time or an attribute; constants run over anything.
  std::string over;
  for (const Values& values : behaviour.tracks) {
    const Keyable<float> weight = values.number(keys::weight);
    if (weight.constant()) continue;
    if (!over.empty() && over != weight.over()) return;
    over = weight.over();
  }
  const bool over_time = over.empty() || over == "time";
  std::set<double> places;
  if (over_time) places.insert(0);
  for (const Values& values : behaviour.tracks) {
    const Keyable<float> weight = values.number(keys::weight);
    if (weight.constant()) continue;
    for (const double key : weight.curve().keys())
      if (!over_time || (key > 0 && key < reading.duration)) places.insert(key);
  }
  for (const double place : places) {
    float sum = 0;
    for (const Values& values : behaviour.tracks) {
      const Keyable<float> weight = values.number(keys::weight);
      sum += weight.constant() ? weight.at(0) : weight.curve()(place);
    }
    if (sum <= 1 + rounding) continue;
    return reading.note(
        behaviour.place,
        fmt::format("the weights of the tracks of '{}' in {} add up to {:.3g} at {}: it acts with "
                    "1 and the mean of their parameters; let one fade out while the other fades in",
                    behaviour.info->name, where, sum,
                    over_time ? fmt::format("{:.6g} s", place) : fmt::format("a {} of {:.6g}", over, place)));
  }
}

}  // namespace

template <class T>
void doubt_keys_outside_run(const Curve<T>& curve, const Node& keys, const Parameter& parameter,
                            const std::string& where, Reading& reading) {
  if (!(reading.duration > 0) || !keys.list()) return;
  for (std::size_t k = 0; k != curve.keys().size(); ++k) {
    const auto [begin, end] = curve.reach(k);
    const bool late = begin >= reading.duration, early = end <= 0 && !curve.repeats();
    if (!late && !early) continue;
    return reading.note(
        (*keys.list())[k].place,
        fmt::format("the keyframe at {:.6g} s of '{}' in {} has no effect: the run {} s; {}", curve.keys()[k],
                    parameter.name, where, late ? fmt::format("ends at {:.6g}", reading.duration) : "begins at 0",
                    late ? "move it, or make 'duration' in [time] longer" : "move it, or remove it"));
  }
}
template void doubt_keys_outside_run(const Curve<float>&, const Node&, const Parameter&, const std::string&, Reading&);
template void doubt_keys_outside_run(const Curve<Vec3>&, const Node&, const Parameter&, const std::string&, Reading&);

void doubt_keys(const TrackSet& set, const std::string& where, Reading& reading) {
  for (const BehaviourTracks& behaviour : set) {
    const std::string whose = fmt::format("{} > {}", where, behaviour.info->name);
    for (std::size_t t = 0; t != behaviour.tracks.size(); ++t)
      doubt_parameters(behaviour.info->parameters, behaviour.tracks[t], behaviour.tracks[t].number(keys::weight),
                       behaviour.written[t], whose, fmt::format("the weight of '{}' is 0", behaviour.info->name), false,
                       reading);
    if (behaviour.tracks.size() > 1 && !behaviour.info->tracks_add) doubt_sum(behaviour, where, reading);
  }
}

void doubt_keys_while_off(const Node& table, const std::string& where, std::span<const Parameter* const> parameters,
                          const Values& values, const Keyable<float>& on, const std::string& off, Reading& reading,
                          bool start_counts) {
  const Node* const tables[] = {&table};
  std::vector<const Parameter*> others(parameters.begin(), parameters.end());
  std::erase(others, &keys::common::on);
  doubt_parameters(others, values, on, tables, where, off, start_counts, reading);
}

}  // namespace fondue
