#pragma once
// The particles that a point is bound to, with the weights W of L09 (2.11), not normalised:
//
//   W = (1 - r^2/h^2)^3 for r < h,   h = max(R_j, d + R_j / 2),
//
// with R_j the particle's support and d the distance of the point to its fourth nearest particle. Well inside the
// matter h is R_j. Farther out it grows, so that a point outside all supports is bound too; every weight is a
// continuous function of the point.

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct Bonds {
  struct Bond {
    Index particle;
    float weight;
  };
  std::vector<std::uint64_t> offsets;
  std::vector<Bond> all;

  std::span<const Bond> of(std::size_t point) const {
    return {all.data() + offsets[point], static_cast<std::size_t>(offsets[point + 1] - offsets[point])};
  }
};

/// Minimum number of particles per point (or all, if there are fewer).
inline constexpr std::size_t fewest_bonds = 4;

/// The bonds of every point, in the order of the particles; there must be particles, and supports above zero.
Bonds find_bonds(std::span<const Vec3> points, const std::vector<Vec3>& particles, std::span<const float> supports);

}  // namespace fondue
