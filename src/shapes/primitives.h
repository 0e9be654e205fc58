#pragma once
// Primitives with exact distances. They throw InputError if their dimensions do not define a solid.

#include "shapes/shape.h"

namespace fondue {

/// Sides may be infinite, but not all of them; two-dimensional scenes use z from -infinity to infinity.
ShapePtr make_box(const Vec3& min, const Vec3& max);
ShapePtr make_sphere(const Vec3& centre, float radius);
/// From one end of the axis to the other.
ShapePtr make_cylinder(const Vec3& from, const Vec3& to, float radius);
/// A cylinder with hemispheres on both ends of its axis.
ShapePtr make_capsule(const Vec3& from, const Vec3& to, float radius);
/// From the centre of the base to the tip; a truncated cone if the top radius is not 0.
ShapePtr make_cone(const Vec3& base, const Vec3& top, float base_radius, float top_radius = 0);
/// The radius of the ring about the axis through the centre, and that of the tube.
ShapePtr make_torus(const Vec3& centre, const Vec3& axis, float ring_radius, float tube_radius);
/// The half-space below the plane through a point, on the side opposite to the normal.
ShapePtr make_plane(const Vec3& point, const Vec3& normal);

}  // namespace fondue
