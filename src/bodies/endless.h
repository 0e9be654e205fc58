#pragma once
// Flat shapes without end: planes, slabs and channels. Moved along itself such a shape stays the same, so its boundary
// particles stay where matter is, and only their velocity follows the motion; otherwise a plane that slides, or turns
// about its normal, would carry them away from the matter it drags.

#include <optional>

#include "bodies/motion.h"
#include "shapes/shape.h"

namespace fondue {

class EndlessShape {
 public:
  /// Nothing for a shape that has an end everywhere. In two dimensions z does not count.
  static std::optional<EndlessShape> of(const Shape& shape, int dimension);

  /// Where boundary particles are needed, in the frame of the body at its first pose: as far as the region reaches
  /// along the shape and a margin below it, also if the shape starts outside; for one that turns, in all directions.
  Box sampling_region(const Pose& start, const Box& region, float margin, bool turns) const;

  /// Pose of the boundary particles: the body's, less all motion along the shape since the start. The point of the
  /// shape nearest to `centre` stays so; about a plane's normal nothing turns.
  Pose placement(const Pose& start, const Pose& now, const Vec3d& centre) const;

  /// Normal of a shape that has no end in two directions, in the body's frame.
  std::optional<Vec3d> normal() const;

 private:
  EndlessShape(const FlatSides& sides);
  Vec3d nearest_point(const Pose& pose, const Vec3d& centre) const;

  Eigen::Matrix3d axes_;
  Vec3d origin_;
  /// By axis: no end in either direction.
  bool endless_[3];
};

}  // namespace fondue
