#pragma once
// What is drawn of a sheet: its triangles, divided once along the curved surface that the normals at the particles tell
// (the edges of PN triangles, Vlachos 2001), as two faces half a thickness to either side, closed along the rim.

#include "particles/sheets.h"
#include "shapes/geometry.h"

namespace fondue {

/// The sheets of one object. `points` has the attributes of all particles; those of the texture are added. Empty if it
/// has no triangles.
Geometry sheet_mesh(const Particles& particles, Index object, const Geometry& points);

}  // namespace fondue
