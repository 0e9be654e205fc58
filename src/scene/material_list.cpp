#include "scene/material_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scene/toml_text.h"

namespace fondue {

namespace {

namespace element = keys::listed_material;

Keyable<float> over_time(std::vector<double> keys, std::vector<float> values) {
  return {Curve<float>(std::move(keys), std::move(values), Interpolation::linear), "time"};
}

/// Reads the elements of a list and finds their weights.
class ListReader {
 public:
  ListReader(const Node& list, const std::string& where, Reading& reading)
      : list_(list), where_(where), reading_(reading) {}

  std::vector<ListedMaterial> read() {
    if (!list_.list() || list_.list()->empty()) {
      reading_.mistakes.add(list_.place,
                            fmt::format("'materials' in {} needs a list, such as [ {{ material = \"sand\" }}, "
                                        "{{ material = \"water\", from = 2, fade = 0.5 }} ], got {}",
                                        where_, list_.list() ? "an empty one" : list_.kind()));
      return {};
    }
    const std::size_t before = reading_.mistakes.count();
    for (const Node& node : *list_.list()) {
      TableReader reader(node, fmt::format("{} > materials {}", where_, materials_.size() + 1), false, reading_);
      ListedMaterial& listed = materials_.emplace_back(ListedMaterial{node.place, reader.values(element::all), {}});
      reader.finish();
      listed.share.material = listed.values.text(element::material);
    }
    if (reading_.mistakes.count() != before) return {};
    const auto weighted = [](const ListedMaterial& one) { return one.values.given(element::weight); };
    if (std::ranges::any_of(materials_, weighted))
      take_weights();
    else
      fade_one_after_another();
    return reading_.mistakes.count() == before ? std::move(materials_) : std::vector<ListedMaterial>{};
  }

 private:
  void wrong(const ListedMaterial& one, const std::string& what) {
    reading_.mistakes.add(one.place, fmt::format("material '{}' in {} {}", one.share.material, where_, what));
  }

  /// A curve per element: 0 until it begins, 1 when it has faded in, 0 again when the next one has.
  void fade_one_after_another() {
    /// When the fade to an element begins and ends. A cut takes the shortest time there is.
    struct Fade {
      double begin, end;
    };
    std::vector<Fade> fades;
    for (const ListedMaterial& one : materials_) {
      const bool first = fades.empty();
      const double from = one.values.given(element::from) ? readable(one.values.constant(element::from)) : 0;
      const double fade = one.values.given(element::fade) ? readable(one.values.constant(element::fade)) : 0;
      if (first && (from != 0 || fade != 0))
        return wrong(one, "is the first of the list and there from the start; leave out 'from' and 'fade'");
      if (!first && !one.values.given(element::from)) return wrong(one, "needs 'from', the time at which it begins");
      const double begin = fade > 0 ? from : std::nextafter(from, -1);
      if (!first && begin < fades.back().end)
        return wrong(one, fmt::format("begins at {} s, when the one before it has not been there yet: that fades in "
                                      "until {} s",
                                      from, fades.back().end));
      fades.push_back({begin, from + fade});
      if (!first && from >= reading_.duration)
        reading_.note(one.place, fmt::format("material '{}' in {} has no effect: it begins at {} s, and the run ends "
                                             "at {} s; begin it earlier, or make 'duration' in [time] longer",
                                             one.share.material, where_, from, reading_.duration));
    }
    for (std::size_t m = 0; m != materials_.size(); ++m) {
      std::vector<double> keys;
      std::vector<float> values;
      const auto add = [&](double key, float value) {
        if (!keys.empty() && key == keys.back()) return;
        keys.push_back(key);
        values.push_back(value);
      };
      if (m != 0) add(fades[m].begin, 0), add(fades[m].end, 1);
      if (m + 1 != materials_.size()) add(fades[m + 1].begin, 1), add(fades[m + 1].end, 0);
      if (!keys.empty()) materials_[m].share.weight = over_time(keys, values);
    }
  }

  void take_weights() {
    std::set<std::string> over;
    for (ListedMaterial& one : materials_) {
      if (!one.values.given(element::weight)) return wrong(one, "needs a 'weight', as others of the list have one");
      if (one.values.given(element::from) || one.values.given(element::fade))
        return wrong(one, "has a 'weight' beside 'from' or 'fade'; give the one or the others");
      one.share.weight = one.values.number(element::weight);
      if (!one.share.weight.constant()) over.insert(one.share.weight.over());
    }
    if (over.size() > 1)
      return reading_.mistakes.add(
          list_.place, fmt::format("the weights of the materials in {} run over {}; all weights of a list run over "
                                   "the same",
                                   where_, fmt::join(over, " and ")));
    check_sum(over.empty() ? "" : *over.begin());
  }

  /// Weights must add up to 1 wherever the curves are.
  void check_sum(const std::string& over) {
    constexpr int samples = 8;
    constexpr float rounding = 1e-5f;
    std::set<double> places = {0};
    for (const ListedMaterial& one : materials_)
      if (!one.share.weight.constant())
        places.insert(one.share.weight.curve().keys().begin(), one.share.weight.curve().keys().end());
    // Curves that repeat go on until the end.
    if (over == "time")
      for (int s = 0; s <= 25 * samples; ++s) places.insert(reading_.duration * s / (25 * samples));
    std::vector<double> between;
    for (auto place = places.begin(); std::next(place) != places.end(); ++place)
      for (int s = 1; s != samples; ++s) between.push_back(*place + (*std::next(place) - *place) * s / samples);
    places.insert(between.begin(), between.end());
    for (const double place : places) {
      float sum = 0;
      for (const ListedMaterial& one : materials_) sum += one.share.weight.curve()(place);
      if (std::abs(sum - 1) <= rounding) continue;
      const std::string at = over.empty()     ? ""
                             : over == "time" ? fmt::format(" at {:.4g} s", place)
                                              : fmt::format(" at a {} of {:.4g}", over, place);
      return reading_.mistakes.add(
          list_.place,
          sum == 0 ? fmt::format("no material in {} has a weight{}; weights must add up to 1 everywhere", where_, at)
                   : fmt::format("the weights of the materials in {} add up to {:.4g}{}; they must add up "
                                 "to 1 everywhere",
                                 where_, sum, at));
    }
  }

  const Node& list_;
  const std::string& where_;
  Reading& reading_;
  std::vector<ListedMaterial> materials_;
};

/// Both together; nothing if that is no curve, because both change.
std::optional<Keyable<float>> product(const Keyable<float>& a, const Keyable<float>& b) {
  if (!a.constant() && !b.constant()) return std::nullopt;
  const Keyable<float>&factor = a.constant() ? a : b, &curve = a.constant() ? b : a;
  std::vector<float> values = curve.values();
  for (float& value : values) value *= factor.at(0);
  return curve.constant() ? Keyable<float>(values.front()) : Keyable<float>(curve.curve().with(values), curve.over());
}

const BehaviourTracks* tracks_in(const TrackSet& set, const BehaviourInfo& info) {
  const auto found = std::ranges::find(set, &info, &BehaviourTracks::info);
  return found == set.end() ? nullptr : &*found;
}

/// All that is given in tracks; the same text for the same tracks.
std::string text_of(const BehaviourTracks& behaviour) {
  std::string text;
  for (const Values& values : behaviour.tracks)
    text += fmt::format("{}\n", fmt::join(toml_entries(behaviour.parameters(), values), "\n"));
  return text;
}

}  // namespace

std::vector<ListedMaterial> read_material_list(const Node& list, const std::string& where, Reading& reading) {
  return ListReader(list, where, reading).read();
}

std::string toml_list(std::span<const ListedMaterial> list) {
  std::vector<std::string> elements;
  for (const ListedMaterial& one : list)
    elements.push_back(fmt::format("{{ {} }}", fmt::join(toml_entries(element::all, one.values), ", ")));
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

TrackSet combined(std::span<const ListedMaterial> list, std::span<const TrackSet> sets, const std::string& where,
                  Reading& reading) {
  TrackSet result;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    const BehaviourInfo& info = *registered.info;
    std::vector<const BehaviourTracks*> has;
    for (const TrackSet& set : sets) has.push_back(tracks_in(set, info));
    const auto some = std::ranges::find_if(has, [](const BehaviourTracks* one) { return one != nullptr; });
    if (some == has.end()) continue;
    if (std::ranges::all_of(has, [&](const BehaviourTracks* one) { return one && text_of(*one) == text_of(**some); })) {
      result.push_back(**some);
      continue;
    }
    const std::size_t first = static_cast<std::size_t>(some - has.begin());
    BehaviourTracks all{&info, list[first].place, {}, {}};
    for (std::size_t m = 0; m != has.size(); ++m) {
      if (!has[m]) continue;
      const std::string& name = list[m].share.material;
      for (const Parameter* p : info.parameters) {
        if (p->keys != Parameter::Keys::none || info.tracks_add) continue;
        const std::string one = toml_value(*p, (*some)->tracks.front()), other = toml_value(*p, has[m]->tracks.front());
        if (one != other)
          reading.mistakes.add(
              list[m].place,
              fmt::format("materials '{}' and '{}' in {} differ in '{} > {}', {} and {}, which cannot change during a "
                          "run; give both the same, or give it once for the object: {} = {{ {} = {} }}",
                          list[first].share.material, name, where, info.name, p->name, one, other, info.name, p->name,
                          one));
      }
      for (std::size_t t = 0; t != has[m]->tracks.size(); ++t) {
        Values values = has[m]->tracks[t];
        const std::optional<Keyable<float>> weight = product(values.number(keys::weight), list[m].share.weight);
        if (weight)
          values.set(keys::weight, *weight);
        else
          reading.mistakes.add(list[m].place,
                               fmt::format("material '{}' in {} has '{}' with a weight that is a curve, and fades "
                                           "itself; give that behaviour a constant weight, or make another material "
                                           "for each of its states",
                                           name, where, info.name));
        all.tracks.push_back(std::move(values));
        all.written.push_back(has[m]->written[t]);
      }
    }
    result.push_back(std::move(all));
  }
  return result;
}

namespace {

/// The values that a part of a look has at every key of the materials' weights: that of the largest share there.
template <class T>
Keyable<T> by_largest_share(std::span<const ListedMaterial> list, const std::vector<T>& values) {
  std::set<double> keys;
  const Keyable<float>* changes = nullptr;
  for (const ListedMaterial& listed : list)
    if (const Keyable<float>& weight = listed.share.weight; !weight.constant()) {
      keys.insert(weight.curve().keys().begin(), weight.curve().keys().end());
      changes = &weight;
    }
  const auto largest_at = [&](double place) {
    const auto largest = std::ranges::max_element(
        list, {}, [&](const ListedMaterial& listed) { return listed.share.weight.curve()(place); });
    return values[static_cast<std::size_t>(largest - list.begin())];
  };
  if (!changes) return Keyable<T>(largest_at(0));
  std::vector<T> at_keys;
  for (const double key : keys) at_keys.push_back(largest_at(key));
  return Keyable<T>(
      Curve<T>({keys.begin(), keys.end()}, at_keys, changes->curve().interpolation(), changes->curve().repeats()),
      changes->over());
}

}  // namespace

Values combined_look(std::span<const ListedMaterial> list, std::span<const Values> looks, const Values& own,
                     const std::string& where, Reading& reading) {
  namespace k = keys::look;
  Values result;
  bool changes = false;
  const auto differs = [&](const Parameter& p) {
    const auto text = [&](const Values& look) { return look.given(p) ? toml_value(p, look) : std::string(); };
    return std::ranges::find_if(looks, [&](const Values& look) { return text(look) != text(looks[0]); });
  };
  for (const Parameter* p : k::all) {
    if (own.given(*p)) continue;
    const auto other = differs(*p);
    if (other == looks.end()) {
      result = merged(std::span(&p, 1), std::move(result), looks[0]);
      continue;
    }
    const ListedMaterial &one = list[0], &two = list[static_cast<std::size_t>(other - looks.begin())];
    const bool fades = p == &k::look || p == &k::colour || p == &k::clarity;
    changes |= fades;
    if (!fades)
      reading.mistakes.add(two.place, fmt::format("materials '{}' and '{}' in {} differ in '{}', which cannot change "
                                                  "during a run; give it once for the object",
                                                  one.share.material, two.share.material, where, p->name));
  }
  if (!changes || own.given(k::look)) return result;
  // From each look to the next as from each material to the next, with its colour and clarity; NaN where a material
  // gives none.
  std::vector<float> names, clarities;
  std::vector<Vec3> colours;
  for (std::size_t m = 0; m != looks.size(); ++m) {
    if (!looks[m].number(k::look).constant())
      reading.mistakes.add(list[m].place, fmt::format("material '{}' in {} has a look that is a curve, and fades "
                                                      "itself; give the object a look",
                                                      list[m].share.material, where));
    names.push_back(looks[m].number(k::look).at(0));
    clarities.push_back(looks[m].given(k::clarity) ? looks[m].constant(k::clarity) : static_cast<float>(no_default));
    colours.push_back(looks[m].given(k::colour) ? looks[m].vector(k::colour).at(0)
                                                : Vec3::Constant(static_cast<float>(no_default)));
  }
  result.set(k::look, by_largest_share(list, names));
  if (!own.given(k::colour) && differs(k::colour) != looks.end())
    result.set(k::colour, by_largest_share(list, colours));
  if (!own.given(k::clarity) && differs(k::clarity) != looks.end())
    result.set(k::clarity, by_largest_share(list, clarities));
  return result;
}

}  // namespace fondue
