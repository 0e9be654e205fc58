#pragma once
// What is done to a surface after it was extracted: smoothed, small pieces removed, numbers of the particles attached.

#include "surface/field.h"

namespace fondue {

/// A fairing filter that does not shrink (Taubin 1995): each pass is a step towards the mean of the neighbours and a
/// slightly longer one back, which flattens bumps of the size of a particle and keeps the shape. Each vertex moves by
/// its weight in [0, 1]; where matter is thin (drops, sheets) the weight is small, so that nothing is worn away.
void smooth(Geometry& surface, int passes, std::span<const float> weights);

/// How much matter is around each vertex: 0 for a lone particle's surface to 1 for that of a body.
std::vector<float> smoothing_weights(const Geometry& surface, const SurfaceParticles& particles);

/// Removes connected pieces that enclose less than this volume [m^3], drops and bubbles alike.
void remove_small_pieces(Geometry& surface, float volume);

/// Adds quantities of the particles, interpolated to the vertices: A = sum V A W / sum V W, that of the nearest
/// particle where no kernel reaches.
void attach(Geometry& surface, const SurfaceParticles& particles, std::span<const Geometry::Attribute> quantities);

/// Volume enclosed by a closed mesh [m^3].
double enclosed_volume(const TriangleMesh& mesh);

}  // namespace fondue
