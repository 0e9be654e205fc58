#include "picture/view.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace fondue {

ViewFrame::ViewFrame(const Camera& camera, float aspect) : eye(camera.eye), perspective(camera.field_of_view > 0) {
  const CameraAxes axes(camera);
  rotation << axes.right.transpose(), axes.up.transpose(), axes.back.transpose();
  const float distance = (camera.eye - camera.target).norm();
  const float half =
      perspective ? std::tan(camera.field_of_view * std::numbers::pi_v<float> / 360) : 0.5f * camera.height;
  extent = Eigen::Vector2f(half * aspect, half);
  picture_height = perspective ? 2 * half * distance : camera.height;
  up = (rotation * camera.up).normalized();

  const Vec3 right(1, 0, 0);
  const Vec3 behind = right.cross(up);
  const Vec3 to_light = (up - 0.42f * right + 0.60f * behind).normalized();
  const Vec3 across = to_light.cross(Vec3(0, 0, 1)).normalized();
  light << across.transpose(), to_light.cross(across).transpose(), to_light.transpose();
}

bool ViewFrame::in_picture(const Vec3& centre, float radius) const {
  const float distance = -centre.z();
  if (perspective && distance < radius) return false;
  const float scale = perspective ? distance : 1;
  return std::abs(centre.x()) - radius < extent.x() * scale && std::abs(centre.y()) - radius < extent.y() * scale;
}

}  // namespace fondue
