#pragma once
// The camera as used by the renderers: view space has the eye at the origin and looks along -z.

#include "picture/camera.h"

namespace fondue {

struct ViewFrame {
  ViewFrame(const Camera& camera, float aspect);
  /// World to view: view = rotation * (x - eye).
  Vec3 eye;
  Mat3 rotation;
  bool perspective;
  /// Half width and height of the picture: tangents in perspective, metres in orthographic projection.
  Eigen::Vector2f extent;
  /// Height of the picture at the target [m]; reference length for everything sized relative to the picture.
  float picture_height;
  /// Rows: two axes perpendicular to the light and the direction to the light, in view space.
  Mat3 light;
  /// The camera's up vector in view space.
  Vec3 up;

  Vec3 to_view(const Vec3& x) const { return rotation * (x - eye); }
  bool in_picture(const Vec3& centre, float radius) const;
};

}  // namespace fondue
