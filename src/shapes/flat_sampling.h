#pragma once
// The lattice sampling of surface_sampling.h.

#include <optional>

#include "shapes/surface_sampling.h"

namespace fondue {

/// Nothing if the sides are oblique to the plane z = 0 of a two-dimensional scene.
std::optional<std::vector<SurfaceSample>> sample_flat_sides(const FlatSides& sides, float spacing, float depth,
                                                            const Box& region, int dimension);

}  // namespace fondue
