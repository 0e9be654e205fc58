#pragma once
// Particles to a surface: field, extraction, removal of small pieces, smoothing, attributes, in this order. Solids
// that are given as shapes become meshes by the same extraction.

#include "shapes/shape.h"
#include "surface/smoothing.h"

namespace fondue {

/// The closed surface around particles, with quantities at its vertices; empty if there are none.
Geometry reconstruct(const SurfaceParticles& particles, const SurfaceSetup& setup,
                     std::span<const Geometry::Attribute> quantities);

/// The surface of a shape within a box: its own triangles if it is made of some and lies in the box, else sought in
/// cells of this size, closed also where the box cuts it off.
Geometry tessellate(const Shape& shape, const Box& within, float cell);

}  // namespace fondue
