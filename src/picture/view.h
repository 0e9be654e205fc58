#pragma once
// The camera in the form pictures are made with: view space has the eye at the origin and looks along -z.

#include "picture/camera.h"

namespace fondue {

struct ViewFrame {
  ViewFrame(const Camera& camera, float aspect);
  /// World to view: view = turn * (x - eye).
  Vec3 eye;
  Mat3 turn;
  bool perspective;
  /// Half the picture: tangents in perspective, metres in parallel projection.
  Eigen::Vector2f extent;
  /// Height of the picture at the target [m]; the measure of everything that is sized for the eye.
  float picture_height;
  /// Rows: two axes across the light and the direction to the light, in view space.
  Mat3 light;
  /// Direction of the camera's up in view space.
  Vec3 up;

  Vec3 to_view(const Vec3& x) const { return turn * (x - eye); }
  bool in_picture(const Vec3& centre, float radius) const;
};

}  // namespace fondue
