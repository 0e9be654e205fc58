#pragma once
// Shapes: what objects are filled from, colliders are made of, emitters and sinks occupy. A shape is a signed distance, negative
// inside; whoever has that can be filled with particles, sampled for boundary particles and collided with.

#include <memory>
#include <optional>

#include "core/vec.h"

namespace fondue {

/// Where a moving point first comes within a margin of a shape's surface.
struct Hit {
  /// Fraction of the path in [0, 1] that is free.
  float fraction;
  /// Unit normal pointing out of the shape.
  Vec3 normal;
};

class Shape {
 public:
  virtual ~Shape() = default;

  /// Signed distance [m], negative inside. Its magnitude never exceeds the true distance, so one can march by it.
  virtual float distance(const Vec3& x) const = 0;
  /// A box around the inside; sides may be infinite.
  virtual Box bounds() const = 0;
  /// First contact on the way from start to end with the surface grown by margin; nothing if the path is free. A path that
  /// starts within the margin and moves away is free.
  virtual std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const;
  /// Outward unit normal (gradient of the distance) near the surface.
  virtual Vec3 normal(const Vec3& x) const;

  bool contains(const Vec3& x) const { return distance(x) < 0; }
};

using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace fondue
