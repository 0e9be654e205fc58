#pragma once
// Points kept apart from one another: choosing them among candidates, and the pushes that even them out.

#include <cstdint>
#include <vector>

#include "shapes/point_grid.h"

namespace fondue {

/// 0 ... count-1 in an order that depends on the seed only.
std::vector<Index> random_order(std::size_t count, std::uint64_t seed);

/// Adds candidates, in the given order, that are at least radius away from all points so far, until there are `most`.
/// The grid is that of the candidates.
void add_apart(const std::vector<Vec3>& candidates, const PointGrid& grid, const std::vector<Index>& order,
               float radius, std::size_t most, std::vector<Vec3>& points);

/// Takes out points, in order, that are nearer than radius to an earlier one that stays.
void keep_apart(std::vector<Vec3>& points, float radius);

/// How neighbours within the reach push a point x: the sum of (1 - r / reach)^2 away from each.
Vec3 push_at(const Vec3& x, const PointGrid& grid, const std::vector<Vec3>& points, float reach);

}  // namespace fondue
