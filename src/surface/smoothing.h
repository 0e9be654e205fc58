#pragma once
// Postprocessing of an extracted surface: smoothing, removal of small pieces, attributes from the particles.

#include "surface/field.h"

namespace fondue {

/// Non-shrinking smoothing (Taubin 1995): each pass is a step towards the mean of the neighbours and a slightly longer
/// step back, which flattens bumps of the size of a particle and preserves the shape. The motion of each vertex is
/// scaled by its weight in [0, 1]; where matter is thin (drops, sheets) the weight is small, so that it does not
/// shrink.
void smooth(Geometry& surface, int passes, std::span<const float> weights);

/// Amount of matter around each vertex: from 0 at a single particle to 1 at the surface of a body.
std::vector<float> smoothing_weights(const Geometry& surface, const SurfaceParticles& particles);

/// Removes connected pieces that enclose less than this volume [m^3], drops and bubbles alike.
void remove_small_pieces(Geometry& surface, float volume);

/// Adds particle quantities, interpolated to the vertices: A = sum V A W / sum V W, or that of the nearest
/// particle where no kernel reaches.
void attach(Geometry& surface, const SurfaceParticles& particles, std::span<const Geometry::Attribute> quantities);

/// Volume enclosed by a closed mesh [m^3].
double enclosed_volume(const TriangleMesh& mesh);

}  // namespace fondue
