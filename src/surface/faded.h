#pragma once
// The picture of an object part of which has melted or broken: its carried mesh where it is intact, the surface
// extracted around its particles elsewhere.
//
// Two meshes of different topology cannot be interpolated. Instead the carried mesh leans towards the extracted surface
// the less intact it is, and lies on it where intactness falls to fade_seam. There the one ends and the other begins:
// carried triangles with no corner above the seam are left out, and so are extracted triangles whose middle lies over
// what is left of the carried mesh. So nothing is drawn twice.
//
// Limits: the result is not watertight. At the seam two triangulations meet that share no vertices, with gaps and
// overlaps of up to one extracted triangle. In time triangles of the extracted surface come and go one by one. Where
// both surfaces are far apart (a thin shell, whose extracted surface is thick) the carried mesh bends visibly towards
// the seam.

#include <span>

#include "shapes/geometry.h"

namespace fondue {

/// Below half, more of a vertex's neighbourhood is gone than is there.
inline constexpr float fade_seam = 0.5f;

/// The blend, with one intactness in [0, 1] for each carried vertex. Extracted triangles farther than the reach [m]
/// from the carried mesh always stay: drops that left it. Attributes that only one of the two has are taken for the
/// other from its closest point.
Geometry faded(const Geometry& carried, std::span<const float> intactness, const Geometry& extracted,
               float reach = infinity);

}  // namespace fondue
