#pragma once
// Space that repeats itself along some axes.

#include <array>
#include <vector>

#include "core/vec.h"

namespace fondue {

/// Axes along which space repeats itself.
struct Periodicity {
  std::array<bool, 3> axis = {false, false, false};
  Box domain;

  bool any() const { return axis[0] || axis[1] || axis[2]; }
  /// Shortest of the images of a difference of positions.
  Vec3 shortest(Vec3 x_ij) const;
  /// The image of a position inside the domain.
  Vec3 wrapped(Vec3 x) const;
};

/// Points of a search for neighbours, which images are added to.
struct ImagePoints {
  std::vector<Vec3>& positions;
  std::vector<float>& supports;
  std::vector<Index>& ids;
  /// Where each point is, or what it is an image of.
  std::vector<Index>& source;
};
/// Adds images of the points within reach of a periodic side, with ids beyond those given.
void add_images(const Periodicity& periodicity, float reach, const ImagePoints& points);

}  // namespace fondue
