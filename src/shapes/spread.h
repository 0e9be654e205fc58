#pragma once
// Point sets with a minimum distance: selection among candidates (dart throwing), and repulsion that evens them out.

#include <cstdint>
#include <vector>

#include "shapes/point_grid.h"

namespace fondue {

/// 0 ... count-1 in an order that depends on the seed only.
std::vector<Index> random_order(std::size_t count, std::uint64_t seed);

/// Adds candidates, in the given order, that are at least radius away from all points so far, until there are `most`.
/// The grid holds the candidates.
void add_apart(const std::vector<Vec3>& candidates, const PointGrid& grid, const std::vector<Index>& order,
               float radius, std::size_t most, std::vector<Vec3>& points);

/// Removes points, in order, that are closer than radius to an earlier point that remains.
void keep_apart(std::vector<Vec3>& points, float radius);

/// Repulsion of a point x by its neighbours within `reach`: the sum of (1 - r / reach)^2 times the direction away
/// from each.
Vec3 repulsion_at(const Vec3& x, const PointGrid& grid, const std::vector<Vec3>& points, float reach);

}  // namespace fondue
