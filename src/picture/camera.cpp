#include "picture/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace fondue {
namespace {

/// Fraction of the picture's half width and height that the scene may fill; the right side is reserved for the legend.
constexpr float used_left = 0.86f, used_right = 0.68f, used_height = 0.80f;

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const float length = v.norm();
  return length > 1e-12f && std::isfinite(length) ? Vec3(v / length) : otherwise;
}

/// Bounds of the inequalities below over all points, along one axis of the picture.
struct Reach {
  float low, high;
};

Reach reach(const std::array<Vec3, 8>& corners, const Vec3& axis, const Vec3& back, float tangent_low,
            float tangent_high) {
  Reach r{-infinity, -infinity};
  for (const Vec3& corner : corners) {
    r.low = std::max(r.low, tangent_low * corner.dot(back) - corner.dot(axis));
    r.high = std::max(r.high, tangent_high * corner.dot(back) + corner.dot(axis));
  }
  return r;
}

Camera flat_camera(const Box& bounds, float aspect) {
  Camera camera;
  camera.up = Vec3(0, 1, 0);
  camera.field_of_view = 0;
  camera.height =
      std::max(bounds.size().y() / used_height, bounds.size().x() / (0.5f * (used_left + used_right) * aspect));
  const float shift = 0.25f * (used_left - used_right) * camera.height * aspect;
  camera.target = Vec3(bounds.centre().x() + shift, bounds.centre().y(), 0);
  camera.eye = camera.target + Vec3(0, 0, 2 * camera.height);
  return camera;
}

}  // namespace

CameraAxes::CameraAxes(const Camera& camera) {
  back = unit_or(camera.eye - camera.target, Vec3(0, -1, 0));
  const Vec3 side = camera.up.cross(back);
  const Vec3 other = std::abs(back.x()) < 0.9f ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  const Vec3 level = other - other.dot(back) * back;
  right = side.norm() > 1e-5f * camera.up.norm() ? unit_or(side, level.normalized()) : level.normalized();
  up = back.cross(right);
}

Camera default_camera(const Box& scene_bounds, int dimension, float aspect) {
  Box bounds = scene_bounds;
  if (bounds.empty() || !bounds.finite()) bounds = {Vec3::Constant(-0.5f), Vec3::Constant(0.5f)};
  if (!(bounds.size().maxCoeff() > 0)) bounds = bounds.grown(0.5f);
  if (dimension == 2) return flat_camera(bounds, aspect);

  Camera camera;
  camera.field_of_view = 30;
  camera.target = bounds.centre();
  camera.eye = camera.target + Vec3(0.50f, -1.0f, 0.42f);
  const CameraAxes axes(camera);

  std::array<Vec3, 8> corners;
  for (int i = 0; i < 8; ++i) {
    const Vec3 sign((i & 1) ? 0.5f : -0.5f, (i & 2) ? 0.5f : -0.5f, (i & 4) ? 0.5f : -0.5f);
    corners[static_cast<std::size_t>(i)] = sign.cwiseProduct(bounds.size());
  }
  // A point p (relative to the centre of the box) is in the picture if
  //   -low (d - p.back) <= p.axis - shift <= high (d - p.back).
  const float tangent = std::tan(camera.field_of_view * std::numbers::pi_v<float> / 360);
  const float left = tangent * aspect * used_left, right = tangent * aspect * used_right,
              upright = tangent * used_height;
  const Reach across = reach(corners, axes.right, axes.back, left, right);
  const Reach along = reach(corners, axes.up, axes.back, upright, upright);
  const float distance =
      std::max((across.low + across.high) / (left + right), (along.low + along.high) / (2 * upright));
  const float shift = 0.5f * (across.high - across.low + (left - right) * distance);
  camera.target = bounds.centre() + shift * axes.right + 0.5f * (along.high - along.low) * axes.up;
  camera.eye = camera.target + distance * axes.back;
  return camera;
}

}  // namespace fondue
