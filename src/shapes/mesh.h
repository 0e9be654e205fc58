#pragma once
// A triangle mesh as a shape. The magnitude of the distance is that to the closest triangle (Embree point queries), its
// sign from the pseudo-normal there if the mesh is closed and does not intersect itself, otherwise from the winding
// number at threshold 1/2, so that scans with holes are still solid; in a hole the sign changes although the distance
// is not 0. Meshes that are inside out (negative volume) are reversed. A sheet has no
// inside: its distance is never negative, and colliding particles keep a margin on both sides. A one-sided sheet (P09
// 5c: back-face culling) stops only particles that come from its front, the side from which triangle corners run
// counter-clockwise.

#include <string>

#include "shapes/shape.h"
#include "shapes/triangle_mesh.h"

namespace fondue {

/// automatic: a sheet if most of its triangles face the same way, |sum A n| > 0.7 sum A (a half sphere has 0.5, a
/// closed mesh 0, a cube without one side 0.2).
enum class MeshInside { automatic, solid, sheet, one_sided };

ShapePtr make_mesh(const TriangleMesh& mesh, MeshInside inside = MeshInside::automatic);
ShapePtr make_mesh(const std::string& path, MeshInside inside = MeshInside::automatic);

}  // namespace fondue
