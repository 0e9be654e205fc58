#pragma once
// Shapes: what objects are filled from, colliders are made of, emitters and sinks occupy. A shape is a signed distance,
// negative inside; whoever has that can be filled with particles, sampled for boundary particles and collided with.
//
// Two-dimensional scenes use the cross-section z = 0 of the same shapes. There a box or an extrusion gets z sides of
// minus and plus infinity, a circle is a sphere with its centre at z = 0, a plane's normal lies in the plane, and what
// stands upright along z (text, height fields, cones) is first turned by -90 degrees about x, which brings z to y.

#include <memory>
#include <optional>
#include <string>

#include "core/vec.h"
#include "shapes/triangle_mesh.h"

namespace fondue {

/// Where a moving point first comes within a margin of a shape's surface.
struct Hit {
  /// Fraction of the path in [0, 1] that is free.
  float fraction;
  /// Unit normal pointing out of the shape.
  Vec3 normal;
};

/// The distance at a place together with its gradient.
struct Nearest {
  /// Signed distance [m], negative inside.
  float distance;
  /// Outward unit normal near the surface; in doubt (a centre, an edge) any of the possible.
  Vec3 normal;
};

/// How a distance changes along any straight line. What is known of it lets a sweep take large safe steps.
enum class Curvature { general, convex, concave };

/// A shape with flat sides at right angles: x = rotation x_local + translation, its sides those of `local`, of which
/// some may be infinite (a plane has one side). Solid inside, or outside when inverted (a container).
struct FlatSides {
  Box local;
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  bool inverted = false;
};

class MeshSequence;

class Shape {
 public:
  virtual ~Shape() = default;

  /// Signed distance [m], negative inside. Its magnitude never exceeds the true distance, so one can march by it.
  virtual float distance(const Vec3& x) const = 0;
  virtual Nearest nearest(const Vec3& x) const = 0;
  Vec3 normal(const Vec3& x) const { return nearest(x).normal; }
  /// A box around the inside; sides may be infinite.
  virtual Box bounds() const = 0;
  /// A box around the surface: finite for a container, whose inside (the solid) is not.
  virtual Box surface_bounds() const { return bounds(); }
  /// First contact on the way from start to end with the surface grown by margin; nothing if the path is free. A path
  /// that starts within the margin, or inside, is free as long as it moves outwards, and hits at 0 if it goes deeper.
  virtual std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const;
  virtual bool contains(const Vec3& x) const { return distance(x) < 0; }

  virtual Curvature curvature() const { return Curvature::general; }
  virtual std::optional<FlatSides> flat_sides() const { return std::nullopt; }
  /// Its own triangles, facing outward, if it is made of some.
  virtual std::optional<TriangleMesh> triangles() const { return std::nullopt; }

  /// What is wrong with its triangles as a collider's, unless it was said how they are to be taken; empty if nothing.
  virtual std::string faults() const { return {}; }
  /// A sheet that acts only on what is in front of it.
  virtual bool one_sided() const { return false; }
  /// How it goes on, of a shape that is the first moment of a mesh sequence.
  virtual std::shared_ptr<const MeshSequence> sequence() const { return nullptr; }
};

using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace fondue
