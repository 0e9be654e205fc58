#pragma once
// Sharp edges and corners of shapes. Marching cubes puts vertices on the edges of its cells, so it cuts off what is sharp,
// and rims look like saws. Each vertex is moved to where the planes that touch the exact surface around it meet (Ohtake &
// Belyaev 2002, "Dual/primal mesh optimization for polygonized implicit surfaces"): the least-squares solution of
//
//   n_t . (x - p_t) = 0      for all triangles t at the vertex,
//
// p_t the point of the surface next to the middle of triangle t, n_t the normal there. Where the planes leave a direction
// free (all of a smooth surface), the vertex stays in the middle of the p_t.

#include <functional>

#include "shapes/geometry.h"
#include "shapes/shape.h"

namespace fondue {

/// `nearest` is that of the exact surface; no vertex moves farther than `farthest`.
void sharpen(TriangleMesh& mesh, const std::function<Nearest(const Vec3&)>& nearest, float farthest);

/// Gives the vertices of sharp edges a copy for each side of the edge, so that every side has its own normals. The mesh
/// is then open at the edges: for pictures.
void part_at_edges(Geometry& geometry);

}  // namespace fondue
