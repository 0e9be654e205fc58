#include "surface/sharp_edges.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "core/parallel.h"

namespace fondue {
namespace {

constexpr int rounds = 4;
/// Directions in which the planes differ less than this are free: about 13 degrees.
constexpr float least_difference = 0.05f;
/// Cosine of the angle between the normals of two sides of an edge: about 35 degrees.
constexpr float edge_cosine = 0.82f;

/// The triangles at every vertex: those of vertex v are triangles[begins[v]] to triangles[begins[v + 1]].
struct Fans {
  std::vector<Index> begins, triangles;

  explicit Fans(const TriangleMesh& mesh) : begins(mesh.vertices.size() + 1, 0), triangles(3 * mesh.triangles.size()) {
    for (const auto& triangle : mesh.triangles)
      for (const Index v : triangle) ++begins[v + 1];
    for (std::size_t v = 0; v != mesh.vertices.size(); ++v) begins[v + 1] += begins[v];
    std::vector<Index> next(begins.begin(), begins.end() - 1);
    for (Index t = 0; t != mesh.triangles.size(); ++t)
      for (const Index v : mesh.triangles[t]) triangles[next[v]++] = t;
  }
  std::span<const Index> at(std::size_t v) const {
    return std::span(triangles).subspan(begins[v], begins[v + 1] - begins[v]);
  }
};

struct Plane {
  Vec3 point, normal;
};

Vec3 meeting_point(std::span<const Index> fan, std::span<const Plane> planes) {
  Vec3 middle = Vec3::Zero();
  for (const Index t : fan) middle += planes[t].point / static_cast<float>(fan.size());
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  for (const Index t : fan) {
    const auto& [p, n] = planes[t];
    A += n * n.transpose();
    b += n * n.dot(p - middle);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(A);
  Vec3 x = middle;
  for (int k = 0; k != 3; ++k) {
    const float value = eigen.eigenvalues()[k];
    if (!(value > least_difference * eigen.eigenvalues()[2])) continue;
    const Vec3 direction = eigen.eigenvectors().col(k);
    x += direction * (direction.dot(b) / value);
  }
  return x;
}

}  // namespace

void sharpen(TriangleMesh& mesh, const std::function<Nearest(const Vec3&)>& nearest, float farthest) {
  const Fans fans(mesh);
  const std::vector<Vec3> first = mesh.vertices;
  std::vector<Plane> planes(mesh.triangles.size());
  for (int round = 0; round != rounds; ++round) {
    parallel_for(planes.size(), [&](std::size_t t) {
      const Vec3 middle = (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) / 3;
      const Nearest from_middle = nearest(middle);
      const Vec3 point = middle - from_middle.distance * from_middle.normal;
      planes[t] = {point, nearest(point).normal};
    });
    parallel_for(mesh.vertices.size(), [&](std::size_t v) {
      if (fans.at(v).empty()) return;
      const Vec3 x = meeting_point(fans.at(v), planes);
      if ((x - first[v]).norm() < farthest) mesh.vertices[v] = x;
    });
  }
}

void part_at_edges(Geometry& geometry) {
  TriangleMesh& mesh = geometry.mesh;
  const Fans fans(mesh);
  const auto area = [&](Index t) -> Vec3 {
    return (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
  };
  const std::size_t count = mesh.vertices.size();
  geometry.normals.assign(count, Vec3::Zero());
  for (std::size_t v = 0; v != count; ++v) {
    // Sides of the edges that meet here, each with a vertex of its own; the first keeps the vertex.
    std::vector<Index> sides;
    for (const Index t : fans.at(v)) {
      const Vec3 its = area(t);
      std::size_t side = 0;
      while (side != sides.size() && its.dot(geometry.normals[sides[side]]) <
                                         edge_cosine * its.norm() * geometry.normals[sides[side]].norm())
        ++side;
      if (side == sides.size()) {
        sides.push_back(static_cast<Index>(side == 0 ? v : mesh.vertices.size()));
        if (side != 0) {
          mesh.vertices.push_back(Vec3(mesh.vertices[v]));
          geometry.normals.push_back(Vec3::Zero());
        }
      }
      geometry.normals[sides[side]] += its;
      for (Index& corner : mesh.triangles[t])
        if (corner == v) corner = sides[side];
    }
  }
  for (Vec3& n : geometry.normals) n = n.isZero(0) ? Vec3(Vec3::UnitZ()) : n.stableNormalized();
}

}  // namespace fondue
