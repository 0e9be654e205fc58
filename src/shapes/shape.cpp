// The default sweep: conservative advancement (Mirtich 1996) along the path, in steps that are free by the distance.
//
// `level` is the clearance that must be kept: the margin, or the largest distance reached so far if that is smaller, so
// that a path that starts too deep may leave but not come back. From the distance d at the current point, the distance
// falls by at most |slope| per metre, where slope is -1 in general, the last secant if the distance is convex along
// lines, and the chord to the end if it is concave. A step of (d - level) / |slope| is therefore free.

#include "shapes/shape.h"

#include <algorithm>
#include <cmath>

namespace fondue {
namespace {

constexpr int most_steps = 4096;

class Path {
 public:
  Path(const Shape& shape, const Vec3& start, const Vec3& end, float margin)
      : shape_(shape), start_(start), path_(end - start), length_(path_.norm()), margin_(margin) {
    // Rounding error of positions; distances cannot be more accurate.
    const float coordinate = std::max(start.cwiseAbs().maxCoeff(), end.cwiseAbs().maxCoeff());
    rounding_ = 2 * std::numeric_limits<float>::epsilon() * (coordinate + margin);
    tolerance_ = std::max(1e-3f * margin, 8 * rounding_);
    if (margin > 0) tolerance_ = std::min(tolerance_, margin / 2);
  }

  std::optional<Hit> march() const {
    const float first = at(0);
    if (first - margin_ >= length_) return std::nullopt;
    const Curvature curvature = shape_.curvature();
    const float last = curvature == Curvature::concave ? at(length_) : 0;
    float s = 0, d = first, level = std::min(margin_, d), slope = -1;
    for (int step = 0; step < most_steps; ++step) {
      if (curvature == Curvature::concave) {
        if (last >= level - tolerance_) return std::nullopt;
        slope = std::max(-1.0f, (last - d) / std::max(length_ - s, rounding_));
      }
      if (slope >= 0) return std::nullopt;
      const float free = (d - level + tolerance_ / 2) / -slope;
      const float next = std::min(length_, s + std::max(free, smallest_step(d)));
      const float d_next = at(next);
      if (!(d_next >= level - tolerance_)) {
        if (s == 0 && first <= margin_) return hit(0);
        return hit(last_free(s, next, level));
      }
      if (next >= length_) return std::nullopt;
      if (curvature == Curvature::convex) {
        slope = std::clamp((d_next - d - rounding_) / (next - s), -1.0f, 0.0f);
        if (d_next - d > rounding_) return std::nullopt;
      }
      s = next, d = d_next, level = std::max(level, std::min(margin_, d));
    }
    return hit(s);
  }

 private:
  float at(float s) const { return shape_.distance(point(s)); }
  Vec3 point(float s) const { return length_ > 0 ? Vec3(start_ + path_ * (s / length_)) : start_; }
  Hit hit(float s) const { return {length_ > 0 ? std::clamp(s / length_, 0.0f, 1.0f) : 0.0f, shape_.normal(point(s))}; }
  /// Within the margin the safe step may vanish; this minimum step never crosses a surface.
  float smallest_step(float d) const {
    return std::max({0.25f * std::min(std::abs(d), margin_), margin_ / 64, 4 * rounding_});
  }
  float last_free(float free, float blocked, float level) const {
    for (int i = 0; i < 16 && blocked - free > rounding_; ++i) {
      const float middle = 0.5f * (free + blocked);
      (at(middle) >= level - tolerance_ ? free : blocked) = middle;
    }
    return free;
  }

  const Shape& shape_;
  Vec3 start_, path_;
  float length_, margin_, rounding_, tolerance_;
};

}  // namespace

std::optional<Hit> Shape::sweep(const Vec3& start, const Vec3& end, float margin) const {
  return Path(*this, start, end, margin).march();
}

}  // namespace fondue
