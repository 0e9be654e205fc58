#include "bodies/endless.h"

#include <cmath>

namespace fondue {

EndlessShape::EndlessShape(const FlatSides& sides)
    : axes_(sides.rotation.cast<double>()), origin_(sides.translation.cast<double>()) {
  for (int a = 0; a != 3; ++a) endless_[a] = sides.local.min[a] == -infinity && sides.local.max[a] == infinity;
}

std::optional<EndlessShape> EndlessShape::of(const Shape& shape, int dimension) {
  const std::optional<FlatSides> sides = shape.flat_sides();
  if (!sides) return std::nullopt;
  const EndlessShape result(*sides);
  for (int a = 0; a != 3; ++a)
    if (result.endless_[a] && (dimension == 3 || std::abs(result.axes_(2, a)) < 0.5)) return result;
  return std::nullopt;
}

std::optional<Vec3d> EndlessShape::normal() const {
  std::optional<Vec3d> normal;
  for (int a = 0; a != 3; ++a) {
    if (endless_[a]) continue;
    if (normal) return std::nullopt;
    normal = axes_.col(a);
  }
  return normal;
}

Vec3d EndlessShape::nearest_point(const Pose& pose, const Vec3d& centre) const {
  const Vec3d origin = pose.rotation * origin_ + pose.position;
  Vec3d point = origin;
  for (int a = 0; a != 3; ++a) {
    const Vec3d axis = pose.rotation * axes_.col(a);
    if (endless_[a]) point += axis.dot(centre - origin) * axis;
  }
  return point;
}

Box EndlessShape::sampling_region(const Pose& start, const Box& region, float margin, bool turns) const {
  const Vec3 point = nearest_point(start, region.centre().cast<double>()).cast<float>();
  Box world = region;
  world.add(Box{point, point}.grown(margin));
  if (turns) world = Box{point, point}.grown(0.5f * world.size().norm());
  Box local;
  for (const float x : {world.min.x(), world.max.x()})
    for (const float y : {world.min.y(), world.max.y()})
      for (const float z : {world.min.z(), world.max.z()}) local.add(start.to_local(Vec3(x, y, z)));
  return local;
}

Pose EndlessShape::placement(const Pose& start, const Pose& now, const Vec3d& centre) const {
  Pose placed = now;
  if (const auto n = normal())
    placed.rotation = Eigen::Quaterniond::FromTwoVectors(start.rotation * *n, now.rotation * *n) * start.rotation;
  const Vec3d held = start.rotation.conjugate() * (nearest_point(start, centre) - start.position);
  placed.position = nearest_point(now, centre) - placed.rotation * held;
  return placed;
}

}  // namespace fondue
