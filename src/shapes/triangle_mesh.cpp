#include "shapes/triangle_mesh.h"

#include <Eigen/Geometry>

namespace fondue {
namespace {

/// Ear clipping: whether the triangle at b can be cut off, being convex and containing no other vertex.
bool is_ear(const TriangleMesh& mesh, const std::vector<Index>& polygon, std::size_t b, const Vec3& normal) {
  const std::size_t count = polygon.size(), a = (b + count - 1) % count, c = (b + 1) % count;
  const auto at = [&](std::size_t i) -> const Vec3& { return mesh.vertices[polygon[i]]; };
  const auto left_of = [&](const Vec3& p, const Vec3& from, const Vec3& to) {
    return (to - from).cross(p - from).dot(normal) > 0;
  };
  if (!left_of(at(c), at(a), at(b))) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == a || i == b || i == c) continue;
    if (left_of(at(i), at(a), at(b)) && left_of(at(i), at(b), at(c)) && left_of(at(i), at(c), at(a))) return false;
  }
  return true;
}

}  // namespace

void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners) {
  std::vector<Index> rest = corners;
  // Newell's normal: valid for any nearly planar polygon.
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < rest.size(); ++i) {
    const Vec3& origin = mesh.vertices[rest[0]];
    normal += (mesh.vertices[rest[i]] - origin).cross(mesh.vertices[rest[i + 1]] - origin);
  }
  while (rest.size() > 3) {
    std::size_t ear = 0;
    while (ear < rest.size() && !is_ear(mesh, rest, ear, normal)) ++ear;
    // A polygon that crosses itself or has no area has no ear: cut anywhere.
    if (ear == rest.size()) ear = 1;
    const std::size_t count = rest.size();
    mesh.triangles.push_back({rest[(ear + count - 1) % count], rest[ear], rest[(ear + 1) % count]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  mesh.triangles.push_back({rest[0], rest[1], rest[2]});
}

}  // namespace fondue
