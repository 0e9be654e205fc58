#pragma once
// Shapes define the geometry of objects, colliders, emitters and sinks. A shape is a signed distance function, negative
// inside, which is all that is needed to fill it with particles, to sample boundary particles and to collide with it.
//
// Two-dimensional scenes use the cross-section z = 0 of the same shapes. There a box or an extrusion extends from
// z = -infinity to infinity, a circle is a sphere with its centre at z = 0, a plane's normal lies in z = 0,
// and shapes that are upright along z (text, height fields, cones) are first rotated by -90 degrees about x, which maps
// z to y.

#include <memory>
#include <optional>
#include <string>

#include "core/vec.h"
#include "shapes/construction.h"
#include "shapes/triangle_mesh.h"

namespace fondue {

/// Where a moving point first comes within a margin of a shape's surface.
struct Hit {
  /// Free fraction of the path, in [0, 1].
  float fraction;
  /// Unit normal pointing out of the shape.
  Vec3 normal;
};

/// The distance at a point together with its gradient.
struct Nearest {
  /// Signed distance [m], negative inside.
  float distance;
  /// Outward unit normal; where it is not unique (at a centre, an edge) any of the possible ones.
  Vec3 normal;
};

/// Convexity of the distance along straight lines; a sweep can take larger safe steps if it is known.
enum class Curvature { general, convex, concave };

/// A shape with flat sides at right angles: the box `local`, some of whose sides may be infinite (a plane has one
/// finite side), placed by x = rotation x_local + translation. Solid inside, or outside if inverted (a
/// container).
struct FlatSides {
  Box local;
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  bool inverted = false;
};

class MeshSequence;

/// A surface sampled in one layer: points, the triangles between them, and for every point its coordinates along the
/// surface [m].
struct Layer {
  TriangleMesh mesh;
  std::vector<std::array<float, 2>> texture;
};

class Shape {
 public:
  virtual ~Shape() = default;

  /// Signed distance [m], negative inside. Its magnitude never exceeds the true distance, so it is a safe step for
  /// sphere tracing.
  virtual float distance(const Vec3& x) const = 0;
  virtual Nearest nearest(const Vec3& x) const = 0;
  Vec3 normal(const Vec3& x) const { return nearest(x).normal; }
  /// Bounding box of the inside; sides may be infinite.
  virtual Box bounds() const = 0;
  /// Bounding box of the surface: finite for a container, whose solid part is unbounded.
  virtual Box surface_bounds() const { return bounds(); }
  /// First contact on the path from start to end with the surface offset outward by margin; nothing if the path is
  /// free. A path that starts within the margin, or inside, is free as long as it moves outward, and hits at fraction 0
  /// if it goes deeper.
  virtual std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const;
  virtual bool contains(const Vec3& x) const { return distance(x) < 0; }

  virtual Curvature curvature() const { return Curvature::general; }
  virtual std::optional<FlatSides> flat_sides() const { return std::nullopt; }
  /// Its triangles, facing outward, if it is a mesh.
  virtual std::optional<TriangleMesh> triangles() const { return std::nullopt; }
  /// Its surface in one layer of points about a spacing apart (shapes/layer.h), for sheets; nothing if that is not
  /// known of the shape. InputError if its triangles do not fit the spacing.
  virtual std::optional<Layer> layer(float /*spacing*/) const { return std::nullopt; }

  /// How it is made of primitives, if it is.
  virtual std::optional<Construction> construction() const { return std::nullopt; }

  /// Defects of its triangles when used as a collider, unless the scene states how to interpret them; empty if there
  /// are none.
  virtual std::string faults() const { return {}; }
  /// Whether it is a sheet that acts only on its front side.
  virtual bool one_sided() const { return false; }
  /// The mesh sequence of which this shape is the first key, if any.
  virtual std::shared_ptr<const MeshSequence> sequence() const { return nullptr; }
};

using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace fondue
