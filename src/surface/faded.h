#pragma once
// The surface of an object that has partly melted or broken: its carried mesh where it is intact, the surface
// reconstructed from its particles elsewhere.
//
// Two meshes of different topology cannot be interpolated. Instead the carried mesh is moved towards the extracted
// surface as its intactness falls, and lies on it where intactness reaches fade_seam. There one ends and the other
// begins: carried triangles with no corner above the seam are removed, and so are extracted triangles whose centre is
// covered by the remaining carried mesh, so that nothing is drawn twice.
//
// Limits: the result is not watertight. At the seam two triangulations meet that share no vertices, with gaps and
// overlaps of up to one extracted triangle. Over time, triangles of the extracted surface appear and disappear one by
// one. Where both surfaces are far apart (a thin shell, whose extracted surface is thick) the carried mesh bends
// visibly towards the seam.

#include <span>

#include "shapes/geometry.h"

namespace fondue {

/// Below one half, most of a vertex's neighbourhood is gone.
inline constexpr float fade_seam = 0.5f;

/// The blend, with one intactness in [0, 1] per carried vertex. Extracted triangles farther than the reach [m] from the
/// carried mesh are always kept (detached drops). Attributes that only one of the two meshes has are sampled for the
/// other at its closest point.
Geometry faded(const Geometry& carried, std::span<const float> intactness, const Geometry& extracted,
               float reach = infinity);

}  // namespace fondue
