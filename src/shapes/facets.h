#pragma once
// Triangles of shapes that are made of primitives, with exact normals and sharp edges: for previews and for other
// programs. Parts of a union overlap; what needs real intersections (a difference) has none.

#include <optional>

#include "shapes/construction.h"
#include "shapes/geometry.h"

namespace fondue {

/// Nothing if it has no end, or is cut by another shape.
std::optional<Geometry> facets_of(const Construction& construction);

}  // namespace fondue
