#pragma once
// The camera of a picture.

#include "core/vec.h"

namespace fondue {

struct Camera {
  Vec3 eye = Vec3(0, -1, 0), target = Vec3::Zero();
  Vec3 up = Vec3(0, 0, 1);
  /// Vertical field of view [degrees]; 0 for an orthographic projection of the given height (two-dimensional scenes).
  float field_of_view = 35;
  /// Height of the picture [m], for an orthographic projection.
  float height = 1;
};

/// Right-handed unit axes of a camera: right, up (vertical in the picture) and back (from the target to the eye). Valid
/// for any camera, also one that looks along its up vector or has its eye at its target.
struct CameraAxes {
  explicit CameraAxes(const Camera& camera);
  Vec3 right, up, back;
};

/// A default view of the whole scene: from the front, slightly from the right and above (z up), in perspective, framed
/// as closely as the box allows; two-dimensional scenes (y up) are seen along -z in orthographic projection. Aspect is
/// width over height.
Camera default_camera(const Box& scene_bounds, int dimension, float aspect = 16.0f / 9.0f);

}  // namespace fondue
