#pragma once
// Which particles a place follows, and how strongly: the weights W of L09 (2.11), not yet normalised,
//
//   W = (1 - r^2/h^2)^3 for r < h,   h = max(R_j, d + R_j / 2),
//
// with R_j the particle's support and d the distance of the place to its fourth nearest particle. Well inside of the
// matter h is R_j. Farther out it grows, so that a place outside of all supports has particles too; every weight is a
// continuous function of the place.

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

  std::span<const Bond> of(std::size_t place) const {
    return {all.data() + offsets[place], static_cast<std::size_t>(offsets[place + 1] - offsets[place])};
  }
};

/// A place has this many particles at least, or all there are.
inline constexpr std::size_t fewest_bonds = 4;

/// The bonds of every place, in the order of the particles; there must be particles, and supports above zero.
Bonds find_bonds(std::span<const Vec3> places, const std::vector<Vec3>& particles, std::span<const float> supports);

}  // namespace fondue
