#pragma once
// Points on a shape's surface for boundary particles, `depth` below it (above if negative): on the level set where the
// distance is -depth. Where the solid is thinner than twice the depth they lie in its middle, so they are never
// outside.
//
// Flat sides at right angles (boxes, containers, planes, also turned) get a square lattice with a step near the spacing
// that meets their edges and corners. Any other shape: places near the level set are moved onto it, chosen at random as
// Poisson discs, evened out by pushing each other within the surface, and gaps are closed. No point of the level set is
// farther than about 1.1 spacings from a sample, and no two samples are nearer than 0.6 spacings. A mesh without inside
// is sampled on its triangles.

#include <vector>

#include "shapes/shape.h"

namespace fondue {

struct SurfaceSample {
  Vec3 position;
  /// Unit normal of the surface, out of the solid.
  Vec3 normal;
};

/// Only what is inside of the region, which must be finite where the shape has no end. In two dimensions the contour of
/// the cross-section z = 0.
std::vector<SurfaceSample> sample_surface(const Shape& shape, float spacing, float depth, const Box& region,
                                          int dimension);

}  // namespace fondue
