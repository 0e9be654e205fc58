#include "shapes/winding.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fondue {
namespace {

constexpr float far_ratio = 2;
constexpr Index leaf_size = 4;

float solid_angle(const Vec3& x, const std::array<Vec3, 3>& triangle) {
  const Vec3 a = triangle[0] - x, b = triangle[1] - x, c = triangle[2] - x;
  const float la = a.norm(), lb = b.norm(), lc = c.norm();
  const float volume = a.dot(b.cross(c));
  return 2 * std::atan2(volume, la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

}  // namespace

WindingNumber::WindingNumber(const TriangleMesh& mesh) {
  const Index count = static_cast<Index>(mesh.triangles.size());
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0u);
  build(mesh, order, 0, count);
  triangles_.reserve(count);
  for (Index t : order) triangles_.push_back({mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)});
}

Index WindingNumber::build(const TriangleMesh& mesh, std::vector<Index>& order, Index begin, Index end) {
  const auto centroid = [&](Index t) { return Vec3((mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) / 3); };
  Box box;
  Vec3 area = Vec3::Zero(), weighted = Vec3::Zero();
  float total = 0;
  for (Index i = begin; i < end; ++i) {
    const Index t = order[i];
    const Vec3 a = 0.5f * (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
    box.add(centroid(t));
    area += a, total += a.norm(), weighted += a.norm() * (centroid(t) - mesh.corner(order[begin], 0));
  }
  const Vec3 centre = total > 0 ? Vec3(mesh.corner(order[begin], 0) + weighted / total) : box.centre();
  float radius = 0;
  for (Index i = begin; i < end; ++i) {
    for (int c = 0; c < 3; ++c) radius = std::max(radius, (mesh.corner(order[i], c) - centre).norm());
  }
  const Index node = static_cast<Index>(nodes_.size());
  nodes_.push_back({centre, radius, area, begin, end, 0});
  if (end - begin <= leaf_size) return node;

  int axis;
  box.size().maxCoeff(&axis);
  const Index middle = begin + (end - begin) / 2;
  std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](Index s, Index t) {
    const float a = centroid(s)[axis], b = centroid(t)[axis];
    return a != b ? a < b : s < t;
  });
  build(mesh, order, begin, middle);
  const Index second = build(mesh, order, middle, end);
  nodes_[node].second = second;
  return node;
}

float WindingNumber::at(const Vec3& x) const {
  float angle = 0;
  // Nodes are halved, so the depth is the logarithm of the number of triangles.
  std::array<Index, 64> stack;
  std::size_t waiting = 1;
  stack[0] = 0;
  while (waiting > 0) {
    const Index n = stack[--waiting];
    const Node& node = nodes_[n];
    const Vec3 r = node.centre - x;
    const float r2 = r.squaredNorm(), reach = far_ratio * node.radius;
    if (r2 > reach * reach) {
      angle += node.area.dot(r) / (r2 * std::sqrt(r2));
    } else if (node.second == 0) {
      for (Index t = node.begin; t < node.end; ++t) angle += solid_angle(x, triangles_[t]);
    } else {
      stack[waiting++] = node.second;
      stack[waiting++] = n + 1;
    }
  }
  return angle / (4 * std::numbers::pi_v<float>);
}

}  // namespace fondue
