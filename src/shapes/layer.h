#pragma once
// Surfaces in one layer of points, for sheets: how rectangles, discs, bowls, spheres, height fields and meshes are
// sampled. The first three have no inside.

#include <functional>

#include "shapes/shape.h"

namespace fondue {

/// A rectangle in the plane z = 0 with sides along x and y, and a disc in the same plane. InputError if a length is not
/// above 0.
ShapePtr make_rectangle(const Vec3& centre, float width, float length);
ShapePtr make_disc(const Vec3& centre, float radius);
/// The lower half of a sphere, open above.
ShapePtr make_bowl(const Vec3& centre, float radius);

/// A geodesic sphere.
Layer layer_of_sphere(const Vec3& centre, float radius, float spacing);
/// Heights over a rectangle with these corners, on a lattice of points; its texture is that of the plane below.
Layer layer_of_heights(const Vec3& min, const Vec3& max, const std::function<float(float x, float y)>& height,
                       float spacing);
/// The triangles of a mesh as they are, if their edges are half a spacing to two spacings long. InputError otherwise.
Layer layer_of_mesh(const TriangleMesh& mesh, float spacing);

}  // namespace fondue
