#pragma once
// Points on a shape's surface for boundary particles, `depth` below it (above if negative): on the level set where the
// distance is -depth. Where the solid is thinner than twice the depth they lie on its medial surface, so they are never
// outside.
//
// Flat sides at right angles (boxes, containers, planes, also rotated) get a square lattice with a step close to the
// spacing that includes their edges and corners. For any other shape, points near the level set are projected onto it,
// thinned to a Poisson-disc set, relaxed by mutual repulsion within the surface, and gaps are filled. No point of the
// level set is farther than about 1.1 spacings from a sample, and no two samples are closer than 0.6 spacings. A sheet
// is sampled on its triangles.

#include <vector>

#include "core/progress_report.h"
#include "shapes/shape.h"

namespace fondue {

struct SurfaceSample {
  Vec3 position;
  /// Unit normal of the surface, pointing out of the solid.
  Vec3 normal;
};

/// Only samples within the region, which must be finite where the shape is unbounded. In two dimensions the contour of
/// the cross-section z = 0 is sampled.
std::vector<SurfaceSample> sample_surface(const Shape& shape, float spacing, float depth, const Box& region,
                                          int dimension, const ProgressReport& report = {});

}  // namespace fondue
