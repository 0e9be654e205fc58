#pragma once
// The primitives, all with exact distances. They throw InputError when their measures make no solid.

#include "shapes/shape.h"

namespace fondue {

/// Sides may be infinite, but not all of them; two-dimensional callers give z from -infinity to infinity.
ShapePtr make_box(const Vec3& min, const Vec3& max);
ShapePtr make_sphere(const Vec3& centre, float radius);
/// From one end of its axis to the other.
ShapePtr make_cylinder(const Vec3& from, const Vec3& to, float radius);
/// A cylinder with half spheres on both ends of its axis.
ShapePtr make_capsule(const Vec3& from, const Vec3& to, float radius);
/// From the centre of its base to the tip, which is cut off if the top radius is not 0.
ShapePtr make_cone(const Vec3& base, const Vec3& top, float base_radius, float top_radius = 0);
/// A ring about the axis through its centre: the radius of the ring, and that of the tube.
ShapePtr make_torus(const Vec3& centre, const Vec3& axis, float ring_radius, float tube_radius);
/// Everything below the plane through a point, the side away from its normal.
ShapePtr make_plane(const Vec3& point, const Vec3& normal);

}  // namespace fondue
