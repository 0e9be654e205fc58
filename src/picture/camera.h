#pragma once
// Where a picture is seen from.

#include "core/vec.h"

namespace fondue {

struct Camera {
  Vec3 eye = Vec3(0, -1, 0), target = Vec3::Zero();
  Vec3 up = Vec3(0, 0, 1);
  /// Vertical field of view [degrees]; 0 for a parallel projection of the given height (two-dimensional scenes).
  float field_of_view = 35;
  /// Height of the picture [m], for a parallel projection.
  float height = 1;
};

/// Right-handed axes of a camera: right, up (upright in the picture) and back (from the target to the eye), all of unit
/// length. Sound for any camera, also one that looks along its up or has its eye on its target.
struct CameraAxes {
  explicit CameraAxes(const Camera& camera);
  Vec3 right, up, back;
};

/// A calm view of everything: from the front, a little from the right and above (z up), framed as closely as the box
/// allows in perspective; two-dimensional scenes (y up) are seen along -z in parallel projection. Aspect is width over
/// height.
Camera default_camera(const Box& scene_bounds, int dimension, float aspect = 16.0f / 9.0f);

}  // namespace fondue
