#pragma once
// A track applies one behaviour to one object: its parameters and a weight in [0, 1], each constant or keyframed (L09
// 7.2). Several tracks of the same behaviour on one object cross-fade: weights add up (at most 1), parameters are
// averaged with the weights. Properties evaluates the tracks of one behaviour for all particles, once per step.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "particles/particles.h"
#include "timeline/parameter.h"

namespace fondue {

struct Track {
  std::string behaviour;
  Keyable<float> weight = 1.0f;
  Values values;
};

/// A parameter of a track (or its "weight") whose curve runs over a particle attribute.
struct CurveOver {
  std::string parameter, over;
};
std::vector<CurveOver> curves_over_attributes(const Track& track);

/// A blended parameter: one value per object or, where a curve runs over an attribute, one per particle.
template <class T>
class Property {
 public:
  Property() = default;
  Property(std::span<const T> values, std::span<const Index> objects) : values_(values), objects_(objects) {}
  T operator()(Index i) const { return objects_.empty() ? values_[i] : values_[objects_[i]]; }
  /// The values of objects; empty when they are per particle.
  std::span<const T> by_object() const { return objects_.empty() ? std::span<const T>{} : values_; }
  /// Whether any value is not zero.
  bool any() const {
    return std::ranges::any_of(values_, [](const T& value) { return value != T{}; });
  }
  /// Whether the value may differ between particles.
  bool varies() const {
    return objects_.empty() || std::ranges::any_of(values_, [&](const T& value) { return value != values_[0]; });
  }

 private:
  std::span<const T> values_;
  /// Empty when values are per particle.
  std::span<const Index> objects_;
};

class Properties {
 public:
  /// tracks[o] are the tracks of this behaviour on object o (may be empty: the behaviour does not act on it).
  Properties(std::span<const Parameter* const> parameters, std::vector<std::vector<Track>> tracks);

  /// Evaluates every curve for the given time and particle attributes.
  void update(double time, const Particles& particles);

  Property<float> number(const Parameter& parameter) const;
  Property<Vec3> vector(const Parameter& parameter) const;
  Property<float> weight() const { return weight_.property(objects_); }
  /// Choice, integer or boolean of the object's first track (these do not blend).
  int choice(const Parameter& parameter, Index object) const;
  Index objects() const { return static_cast<Index>(tracks_.size()); }
  /// The tracks of an object, for estimates before a run.
  std::span<const Track> tracks(Index object) const { return tracks_[object]; }

  /// By object: non-zero if some of its particles have a weight above zero now.
  std::span<const std::uint8_t> acts_on() const { return acts_on_; }
  /// Some particle has a weight above zero now.
  bool active() const { return active_; }
  /// Weights never change: they are 1 or 0 for all particles of an object throughout a run.
  bool constant_weights() const;
  /// Every object has weight 1 now, so pair sums need no weighting.
  bool full() const { return full_; }

 private:
  template <class T>
  struct Blend {
    bool per_particle = false;
    std::vector<T> values;
    Property<T> property(std::span<const Index> objects) const {
      return Property<T>(values, per_particle ? std::span<const Index>{} : objects);
    }
  };
  template <class T, class Get>
  void blend(Blend<T>& out, double time, const Particles& particles, Get&& get) const;

  void update_weight(double time, const Particles& particles);

  std::vector<const Parameter*> parameters_;
  std::vector<std::vector<Track>> tracks_;
  std::vector<Blend<float>> numbers_;
  std::vector<Blend<Vec3>> vectors_;
  Blend<float> weight_;
  std::span<const Index> objects_;
  std::vector<std::uint8_t> acts_on_;
  bool active_ = false, full_ = false;
};

}  // namespace fondue
