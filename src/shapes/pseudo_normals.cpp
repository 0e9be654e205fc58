#include "shapes/pseudo_normals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "shapes/mesh_faults.h"

namespace fondue {

namespace {

/// A barycentric coordinate below this puts a point on the edge opposite.
constexpr float rounding = 1e-4f;

/// A side of a triangle, between vertices of which `low` has the lower number.
struct Side {
  Index low, high;
  bool up;
  Index triangle;
  int number;
};

/// Angle at a corner.
float angle(const Vec3& at, const Vec3& b, const Vec3& c) {
  return std::atan2((b - at).cross(c - at).norm(), (b - at).dot(c - at));
}

}  // namespace

std::optional<PseudoNormals> PseudoNormals::of(const TriangleMesh& mesh) {
  PseudoNormals result(mesh);
  const std::size_t count = mesh.triangles.size();
  const std::vector<Index> vertex = merged_vertices(mesh.vertices);
  result.face_.resize(count);
  result.edge_.resize(count);
  result.corner_.resize(count);
  std::vector<Vec3> at_vertex(mesh.vertices.size(), Vec3::Zero());
  std::vector<Side> sides;
  sides.reserve(3 * count);
  for (Index t = 0; t != count; ++t) {
    const Vec3 &a = mesh.corner(t, 0), &b = mesh.corner(t, 1), &c = mesh.corner(t, 2);
    result.face_[t] = (b - a).cross(c - a).normalized();
    for (int k = 0; k != 3; ++k) {
      const Index from = vertex[mesh.triangles[t][k]], to = vertex[mesh.triangles[t][(k + 1) % 3]];
      sides.push_back({std::min(from, to), std::max(from, to), from < to, t, k});
      at_vertex[from] +=
          angle(mesh.corner(t, k), mesh.corner(t, (k + 1) % 3), mesh.corner(t, (k + 2) % 3)) * result.face_[t];
    }
  }
  std::ranges::sort(sides, [](const Side& p, const Side& q) {
    return std::tie(p.low, p.high, p.up) < std::tie(q.low, q.high, q.up);
  });
  const auto same = [](const Side& p, const Side& q) { return p.low == q.low && p.high == q.high; };
  for (std::size_t k = 0; k != sides.size(); k += 2) {
    if (k + 1 == sides.size() || !same(sides[k], sides[k + 1]) || sides[k].up == sides[k + 1].up) return std::nullopt;
    if (k + 2 != sides.size() && same(sides[k], sides[k + 2])) return std::nullopt;
    const Vec3 sum = result.face_[sides[k].triangle] + result.face_[sides[k + 1].triangle];
    for (const Side& side : {sides[k], sides[k + 1]}) result.edge_[side.triangle][side.number] = sum;
  }
  for (Index t = 0; t != count; ++t)
    for (int k = 0; k != 3; ++k) result.corner_[t][k] = at_vertex[vertex[mesh.triangles[t][k]]];
  return result;
}

std::array<float, 3> PseudoNormals::barycentric(const Vec3& x, Index t) const {
  const Vec3 &a = mesh_->corner(t, 0), &b = mesh_->corner(t, 1), &c = mesh_->corner(t, 2);
  const Vec3 n = (b - a).cross(c - a);
  const float area = n.squaredNorm();
  return {(c - b).cross(x - b).dot(n) / area, (a - c).cross(x - c).dot(n) / area, (b - a).cross(x - a).dot(n) / area};
}

bool PseudoNormals::within_face(const Vec3& point, Index t) const {
  const std::array<float, 3> of = barycentric(point, t);
  return of[0] > rounding && of[1] > rounding && of[2] > rounding;
}

bool PseudoNormals::inside(const Vec3& x, const Vec3& nearest, Index t) const {
  const std::array<float, 3> of = barycentric(nearest, t);
  Vec3 normal = face_[t];
  for (int k = 0; k != 3; ++k) {
    if (of[k] > rounding) continue;
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    // On the edge from the next corner to the last; at one of them if another coordinate is zero too.
    normal = of[next] <= rounding ? corner_[t][last] : of[last] <= rounding ? corner_[t][next] : edge_[t][next];
    break;
  }
  return normal.dot(x - nearest) < 0;
}

}  // namespace fondue
