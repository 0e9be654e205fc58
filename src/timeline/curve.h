#pragma once
// Curves and keyable values. Anything that can be keyframed is a Keyable: a constant, a curve over time, or a curve
// over a particle attribute such as temperature (L09 7.2.1).

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// Between two keys: hold the first value, go at an even pace, begin and end slowly, only begin, or only end slowly.
enum class Interpolation { step, linear, smooth, ease_in, ease_out };

/// How far a value has gone from one key to the next when the part u of the way between the keys is over.
template <class Real>
Real eased(Interpolation interpolation, Real u) {
  switch (interpolation) {
    case Interpolation::step:
      return 0;
    case Interpolation::linear:
      return u;
    case Interpolation::smooth:
      return u * u * (3 - 2 * u);
    case Interpolation::ease_in:
      return u * u;
    case Interpolation::ease_out:
      return u * (2 - u);
  }
  return u;
}

/// Its derivative by u.
template <class Real>
Real eased_rate(Interpolation interpolation, Real u) {
  switch (interpolation) {
    case Interpolation::step:
      return 0;
    case Interpolation::linear:
      return 1;
    case Interpolation::smooth:
      return 6 * u * (1 - u);
    case Interpolation::ease_in:
      return 2 * u;
    case Interpolation::ease_out:
      return 2 * (1 - u);
  }
  return 1;
}

/// Values at increasing keys; constant before the first, and after the last unless it repeats: then it starts again
/// from the first.
template <class T>
class Curve {
 public:
  Curve(std::vector<double> keys, std::vector<T> values, Interpolation interpolation, bool repeats = false)
      : keys_(std::move(keys)), values_(std::move(values)), interpolation_(interpolation), repeats_(repeats) {}

  T operator()(double s) const {
    s = between_keys(s);
    if (!(s > keys_.front())) return values_.front();
    if (s >= keys_.back()) return values_.back();
    const std::size_t k = std::upper_bound(keys_.begin(), keys_.end(), s) - keys_.begin();
    const float u = static_cast<float>((s - keys_[k - 1]) / (keys_[k] - keys_[k - 1]));
    if (interpolation_ == Interpolation::step) return values_[k - 1];
    const float w = eased(interpolation_, u);
    return (1 - w) * values_[k - 1] + w * values_[k];
  }

  /// Where a curve that repeats is in its first run; of others the same place.
  double between_keys(double s) const {
    const double period = keys_.back() - keys_.front();
    return repeats_ && period > 0 && s >= keys_.back() ? keys_.front() + std::fmod(s - keys_.front(), period) : s;
  }
  /// Between which places the value depends on a key, in the first run of a curve that repeats.
  std::pair<double, double> reach(std::size_t k) const {
    constexpr double endless = std::numeric_limits<double>::infinity();
    const bool holds = interpolation_ == Interpolation::step;
    return {k == 0 ? -endless : keys_[holds ? k : k - 1], k + 1 == keys_.size() ? endless : keys_[k + 1]};
  }
  /// The same curve with other values.
  template <class U>
  Curve<U> with(std::vector<U> values) const {
    return {keys_, std::move(values), interpolation_, repeats_};
  }

  const std::vector<double>& keys() const { return keys_; }
  const std::vector<T>& values() const { return values_; }
  Interpolation interpolation() const { return interpolation_; }
  bool repeats() const { return repeats_; }

 private:
  std::vector<double> keys_;
  std::vector<T> values_;
  Interpolation interpolation_;
  bool repeats_;
};

/// A constant, or a curve over "time" or over the column named by over().
template <class T>
class Keyable {
 public:
  Keyable(T constant) : curve_({0}, {constant}, Interpolation::step) {}
  Keyable(Curve<T> curve, std::string over) : curve_(std::move(curve)), over_(std::move(over)) {}

  bool constant() const { return over_.empty(); }
  bool over_time() const { return over_ == "time"; }
  bool over_attribute() const { return !constant() && !over_time(); }
  const std::string& over() const { return over_; }
  const Curve<T>& curve() const { return curve_; }

  /// The value at a time; only for constants and curves over time.
  T at(double time) const { return curve_(time); }
  /// Key values: every value lies between the smallest and the largest of them. For estimates before a run.
  const std::vector<T>& values() const { return curve_.values(); }

 private:
  Curve<T> curve_;
  std::string over_;
};

}  // namespace fondue
