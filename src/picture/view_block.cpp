#include "picture/view_block.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace fondue {
namespace {

Float4 four(const Vec3& v, float w) { return {v.x(), v.y(), v.z(), w}; }

/// 1, 2 or 5 times a power of ten, at most the given length.
float round_length(float length) {
  const float power = std::pow(10.0f, std::floor(std::log10(length)));
  const float lead = length / power;
  return power * (lead < 2 ? 1.0f : lead < 5 ? 2.0f : 5.0f);
}

/// Fits the shadow map to the visible geometry.
void set_shadow(ViewBlock& block, const ViewFrame& view, const Box& bounds, float mean_radius) {
  const float penumbra = 0.02f * view.picture_height;
  Eigen::Matrix4f matrix = Eigen::Matrix4f::Zero();
  if (!bounds.empty()) {
    const float side = std::max(1.02f * std::max(bounds.size().x(), bounds.size().y()), penumbra);
    const float depth = std::max(1.02f * bounds.size().z(), penumbra);
    const Vec3 scale(1 / side, 1 / side, -1 / depth);
    matrix.topLeftCorner<3, 3>() = scale.asDiagonal() * view.light;
    matrix.topRightCorner<3, 1>() = Vec3::Constant(0.5f) - scale.cwiseProduct(bounds.centre());
    block.shadow_scale = 1 / side;
    block.shadow_radius = penumbra / side;
    block.shadow_depth = depth;
  }
  matrix(3, 3) = 1;
  Eigen::Map<Eigen::Matrix4f>(block.to_shadow.data()) = matrix;
  block.mesh_bias = 0.35f * penumbra;
  block.shadow_bias = 0.7f * penumbra + mean_radius;
}

/// The depth range covers everything in the picture, except distant outliers.
void set_range(ViewBlock& block, const ViewFrame& view, const Box& bounds, const PreviewScene& scene) {
  const float middle = -view.to_view(scene.camera.target).z();
  const float around = scene.floor ? block.floor_fade : view.picture_height;
  const float most = 100 * std::max(view.picture_height, std::abs(bounds.max.z()));
  float nearest = middle - around, farthest = middle + around;
  if (!bounds.empty()) {
    nearest = view.perspective ? -bounds.max.z() : std::clamp(-bounds.max.z(), -most, nearest);
    farthest = std::clamp(-bounds.min.z(), farthest, std::max(farthest, most));
  }
  farthest += 0.01f * view.picture_height;
  nearest -= 0.01f * view.picture_height;
  block.range = {view.perspective ? std::max(nearest, 1e-3f * farthest) : nearest, farthest};
  block.per_range = 1 / (block.range[1] - block.range[0]);
}

void set_floor(ViewBlock& block, const ViewFrame& view, const PreviewScene& scene) {
  const Camera& camera = scene.camera;
  const Vec3 up = camera.up.normalized();
  const Vec3 x =
      (std::abs(up.x()) < 0.9f ? Vec3(Vec3::UnitX() - up.x() * up) : Vec3(Vec3::UnitY() - up.y() * up)).normalized();
  const Vec3 y = up.cross(x);
  block.up = four(view.up, scene.floor.value_or(0) - camera.eye.dot(up));
  block.floor_x = four(view.rotation * x, camera.eye.dot(x));
  block.floor_y = four(view.rotation * y, camera.eye.dot(y));
  block.floor_x0 = camera.target.dot(x);
  block.floor_y0 = camera.target.dot(y);
  block.floor_fade = 2.4f * view.picture_height;
  block.grid_spacing = round_length(0.25f * view.picture_height);
}

/// The floor's depth over the picture: near/distance, where up.(distance d) = height for the ray d = (x, y, -1), or
/// (far - distance)/(far - near) in orthographic projection. There is none if the floor is seen edge-on.
void set_floor_depth(ViewBlock& block, const ViewFrame& view, const PreviewScene& scene) {
  const auto [near, far] = block.range;
  const float height = block.up[3], x = view.up.x() * view.extent.x(), y = view.up.y() * view.extent.y();
  const float measure = view.perspective ? height / view.picture_height : view.up.z();
  block.has_floor = scene.floor && !scene.flat && std::abs(measure) > 1e-6f;
  block.floor_depth = {0, 0, -1, 0};
  if (!block.has_floor) return;
  const float scale = view.perspective ? near / height : -1 / (view.up.z() * (far - near));
  const float middle = view.perspective ? -scale * view.up.z() : far / (far - near) - scale * height;
  block.floor_depth = {scale * x, scale * y, middle, 0};
}

}  // namespace

ViewBlock make_view_block(const PreviewScene& scene, const ViewFrame& view, const SeenBounds& bounds, float mean_radius,
                          int width, int height) {
  ViewBlock block{};
  block.extent = {view.extent.x(), view.extent.y()};
  block.picture = {static_cast<float>(width), static_cast<float>(height)};
  block.pixel = {1 / block.picture[0], 1 / block.picture[1]};
  block.perspective = view.perspective;
  block.flat_look = scene.flat;
  block.to_light = four(view.light.row(2), 0);
  block.lower = four(bounds.view.min, 0);
  block.upper = four(bounds.view.max, 0);
  block.detail = mean_radius > 0 ? mean_radius : 0.004f * view.picture_height;
  block.occlusion_radius = std::max(0.07f * view.picture_height, 4 * mean_radius);
  set_shadow(block, view, bounds.light, mean_radius);
  set_floor(block, view, scene);
  set_range(block, view, bounds.view, scene);
  set_floor_depth(block, view, scene);
  return block;
}

std::vector<std::pair<Vec3, Vec3>> edges_of(const PlacedBox& placed, bool plane) {
  const int dimension = plane ? 2 : 3;
  Box box = placed.box;
  if (plane) box.min.z() = box.max.z() = 0;
  std::vector<std::pair<Vec3, Vec3>> edges;
  for (int corner = 0; corner < 1 << dimension; ++corner)
    for (int axis = 0; axis < dimension; ++axis) {
      if (corner >> axis & 1) continue;
      Vec3 from = box.min;
      for (int k = 0; k < dimension; ++k)
        if (corner >> k & 1) from[k] = box.max[k];
      Vec3 to = from;
      to[axis] = box.max[axis];
      edges.emplace_back(placed.position + placed.rotation * from, placed.position + placed.rotation * to);
    }
  return edges;
}

std::vector<Float4> container_edges(const PreviewScene& scene, const ViewFrame& view) {
  const float nearest = 1e-3f * view.picture_height;
  std::vector<Float4> ends;
  const auto add = [&](Vec3 a, Vec3 b) {
    if (!a.allFinite() || !b.allFinite()) return;
    if (a.z() < b.z()) std::swap(a, b);
    if (view.perspective && -b.z() < nearest) return;
    if (view.perspective && -a.z() < nearest) a = b + (a - b) * ((-nearest - b.z()) / (a.z() - b.z()));
    ends.push_back(four(a, 0));
    ends.push_back(four(b, 0));
  };
  for (const PlacedBox& placed : scene.containers)
    for (const auto& [from, to] : edges_of(placed, scene.flat)) add(view.to_view(from), view.to_view(to));
  return ends;
}

}  // namespace fondue
