#pragma once
// Curves and keyable values. Anything that can be keyframed is a Keyable: a constant, a curve over time, or a curve
// over a particle attribute such as temperature (L09 7.2.1).

#include <algorithm>
#include <string>
#include <vector>

#include "core/vec.h"

namespace fondue {

enum class Interpolation { step, linear, smooth };

/// Values at increasing keys; constant before the first and after the last.
template <class T>
class Curve {
 public:
  Curve(std::vector<double> keys, std::vector<T> values, Interpolation interpolation)
      : keys_(std::move(keys)), values_(std::move(values)), interpolation_(interpolation) {}

  T operator()(double s) const {
    if (!(s > keys_.front())) return values_.front();
    if (s >= keys_.back()) return values_.back();
    const std::size_t k = std::upper_bound(keys_.begin(), keys_.end(), s) - keys_.begin();
    const float u = static_cast<float>((s - keys_[k - 1]) / (keys_[k] - keys_[k - 1]));
    if (interpolation_ == Interpolation::step) return values_[k - 1];
    const float w = interpolation_ == Interpolation::smooth ? u * u * (3 - 2 * u) : u;
    return (1 - w) * values_[k - 1] + w * values_[k];
  }

  const std::vector<double>& keys() const { return keys_; }
  const std::vector<T>& values() const { return values_; }
  Interpolation interpolation() const { return interpolation_; }

 private:
  std::vector<double> keys_;
  std::vector<T> values_;
  Interpolation interpolation_;
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
