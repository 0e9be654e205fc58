#include "timeline/track.h"

#include <optional>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// The attribute a curve runs over: a number, an integer, or the length of a value with several components.
class Attribute {
 public:
  Attribute(const Particles& particles, const std::string& name) {
    for (const ColumnView& column : particles.columns())
      if (column.name == name) column_ = column;
    if (!column_) throw InputError("a curve runs over '" + name + "', an attribute that the particles do not have");
  }
  double operator()(Index i) const { return magnitude(*column_, i); }

 private:
  std::optional<ColumnView> column_;
};

template <class T>
T zero() {
  if constexpr (std::is_same_v<T, Vec3>)
    return Vec3::Zero();
  else
    return T{0};
}

}  // namespace

std::vector<CurveOver> curves_over_attributes(const Track& track) {
  std::vector<CurveOver> curves;
  const auto add = [&](const std::string& parameter, const auto& keyable) {
    if (keyable.over_attribute()) curves.push_back({parameter, keyable.over()});
  };
  add("weight", track.weight);
  for (const auto& [name, keyable] : track.values.numbers())
    if (name != "weight") add(name, keyable);
  for (const auto& [name, keyable] : track.values.vectors()) add(name, keyable);
  return curves;
}

Properties::Properties(std::span<const Parameter* const> parameters, std::vector<std::vector<Track>> tracks)
    : parameters_(parameters.begin(), parameters.end()),
      tracks_(std::move(tracks)),
      numbers_(parameters_.size()),
      vectors_(parameters_.size()) {}

/// out = sum_k w_k value_k / sum_k w_k over the tracks of an object; the unweighted mean where all weights are zero.
template <class T, class Get>
void Properties::blend(Blend<T>& out, double time, const Particles& particles, Get&& get) const {
  const std::span<const Index> object = particles[columns::object];
  std::vector<std::vector<Keyable<T>>> value(tracks_.size());
  out.per_particle = false;
  for (std::size_t o = 0; o != tracks_.size(); ++o)
    for (const Track& track : tracks_[o]) {
      value[o].push_back(get(track));
      const bool fades_by_attribute = tracks_[o].size() > 1 && track.weight.over_attribute();
      out.per_particle |= value[o].back().over_attribute() || fades_by_attribute;
    }

  const auto blended = [&](std::size_t o, auto&& evaluate) {
    if (value[o].size() == 1) return evaluate(value[o][0]);
    T sum = zero<T>(), mean = zero<T>();
    float total = 0;
    for (std::size_t k = 0; k != value[o].size(); ++k) {
      const float w = evaluate(tracks_[o][k].weight);
      const T v = evaluate(value[o][k]);
      sum += w * v;
      mean += v / static_cast<float>(value[o].size());
      total += w;
    }
    return total > 0 ? T(sum / total) : mean;
  };

  if (!out.per_particle) {
    out.values.resize(tracks_.size());
    for (std::size_t o = 0; o != tracks_.size(); ++o)
      out.values[o] = blended(o, [&](const auto& keyable) { return keyable.at(time); });
    return;
  }
  std::map<std::string, Attribute> attributes;
  for (const auto& tracks : tracks_)
    for (const Track& track : tracks) {
      const Keyable<T> given = get(track);
      for (const std::string& over :
           {given.over_attribute() ? given.over() : "", track.weight.over_attribute() ? track.weight.over() : ""})
        if (!over.empty()) attributes.try_emplace(over, particles, over);
    }
  out.values.resize(particles.size());
  parallel_for(particles.size(), [&](std::size_t i) {
    out.values[i] = blended(object[i], [&](const auto& keyable) {
      return keyable.over_attribute() ? keyable.curve()(attributes.at(keyable.over())(static_cast<Index>(i)))
                                      : keyable.at(time);
    });
  });
}

void Properties::update(double time, const Particles& particles) {
  objects_ = particles[columns::object];
  for (std::size_t p = 0; p != parameters_.size(); ++p) {
    const Parameter& parameter = *parameters_[p];
    if (parameter.kind == Parameter::Kind::vector)
      blend<Vec3>(vectors_[p], time, particles, [&](const Track& t) { return t.values.vector(parameter); });
    else if (parameter.kind != Parameter::Kind::text)
      blend<float>(numbers_[p], time, particles, [&](const Track& t) { return t.values.number(parameter); });
  }
  update_weight(time, particles);
}

void Properties::update_weight(double time, const Particles& particles) {
  std::map<std::string, Attribute> attributes;
  for (const auto& tracks : tracks_)
    for (const Track& track : tracks)
      if (track.weight.over_attribute()) attributes.try_emplace(track.weight.over(), particles, track.weight.over());

  const auto total = [&](std::size_t o, auto&& evaluate) {
    float sum = 0;
    for (const Track& track : tracks_[o]) sum += std::clamp(evaluate(track.weight), 0.0f, 1.0f);
    // Weights that cross-fade add up to 1 but for rounding.
    return sum > 1 - 1e-6f ? 1.0f : sum;
  };
  weight_.per_particle = !attributes.empty();
  if (weight_.per_particle) {
    weight_.values.resize(particles.size());
    parallel_for(particles.size(), [&](std::size_t i) {
      weight_.values[i] = total(objects_[i], [&](const Keyable<float>& w) {
        return w.over_attribute() ? w.curve()(attributes.at(w.over())(static_cast<Index>(i))) : w.at(time);
      });
    });
  } else {
    weight_.values.resize(tracks_.size());
    for (std::size_t o = 0; o != tracks_.size(); ++o)
      weight_.values[o] = total(o, [&](const Keyable<float>& w) { return w.at(time); });
  }
  acts_on_.assign(tracks_.size(), 0);
  for (std::size_t k = 0; k != weight_.values.size(); ++k)
    if (weight_.values[k] > 0) acts_on_[weight_.per_particle ? objects_[k] : k] = 1;
  active_ = std::ranges::find(acts_on_, 1) != acts_on_.end();
  full_ = std::all_of(weight_.values.begin(), weight_.values.end(), [](float w) { return w == 1; });
}

bool Properties::constant_weights() const {
  for (const auto& tracks : tracks_)
    for (const Track& track : tracks)
      if (!track.weight.constant()) return false;
  return true;
}

Property<float> Properties::number(const Parameter& parameter) const {
  const auto found = std::find(parameters_.begin(), parameters_.end(), &parameter);
  return numbers_[found - parameters_.begin()].property(objects_);
}

Property<Vec3> Properties::vector(const Parameter& parameter) const {
  const auto found = std::find(parameters_.begin(), parameters_.end(), &parameter);
  return vectors_[found - parameters_.begin()].property(objects_);
}

int Properties::choice(const Parameter& parameter, Index object) const {
  return tracks_[object].empty() ? static_cast<int>(parameter.initial)
                                 : tracks_[object].front().values.choice(parameter);
}

}  // namespace fondue
