#pragma once
// Surface reconstruction from particles: field, extraction, removal of small pieces, smoothing, attributes, in this
// order. Solids given as shapes are converted to meshes by the same extraction.

#include "shapes/shape.h"
#include "surface/smoothing.h"

namespace fondue {

/// The closed surface around particles, with quantities at its vertices; empty if there are none.
Geometry reconstruct(const SurfaceParticles& particles, const SurfaceSetup& setup,
                     std::span<const Geometry::Attribute> quantities);

/// The surface of a shape within a box: its own triangles if it is a mesh within the box, otherwise extracted with
/// cells of this size, closed also where the box cuts it off.
Geometry tessellate(const Shape& shape, const Box& within, float cell);

}  // namespace fondue
