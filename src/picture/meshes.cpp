#include "picture/meshes.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "picture/colouring.h"
#include "shapes/geometry.h"

namespace fondue {
namespace {

using Triangle = std::array<Index, 3>;

void check(const Geometry& geometry) {
  const std::size_t count = geometry.mesh.vertices.size();
  if (geometry.normals.size() != count && !geometry.normals.empty())
    throw InputError(fmt::format("picture: {} normals for {} vertices", geometry.normals.size(), count));
  for (const Triangle& triangle : geometry.mesh.triangles)
    if (std::max({triangle[0], triangle[1], triangle[2]}) >= count)
      throw InputError(fmt::format("picture: triangle of vertices {}, {}, {} in a mesh of {}", triangle[0], triangle[1],
                                   triangle[2], count));
}

/// Mean of the normals of the triangles around each vertex, by area.
std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.vertices.size(), Vec3::Zero());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3& a = mesh.corner(t, 0);
    const Vec3 area = (mesh.corner(t, 1) - a).cross(mesh.corner(t, 2) - a);
    if (!area.allFinite()) continue;
    for (const Index i : mesh.triangles[t]) normals[i] += area;
  }
  return normals;
}

std::array<std::int16_t, 4> packed_normal(const Vec3& normal) {
  const float length = normal.norm();
  const Vec3 n = length > 0 && std::isfinite(length) ? Vec3(normal / length) : Vec3(0, 0, 1);
  const auto part = [](float x) { return static_cast<std::int16_t>(std::lround(32767 * x)); };
  return {part(n.x()), part(n.y()), part(n.z()), 0};
}

/// On which side of the picture's four planes through the eye, or behind the eye, a point is, one bit each; a triangle
/// whose corners share a bit is not in the picture.
unsigned outside(const Vec3& x, const ViewFrame& view) {
  const float scale = view.perspective ? -x.z() : 1;
  const float across = view.extent.x() * scale, upright = view.extent.y() * scale;
  return (x.x() > across) | (x.x() < -across) << 1 | (x.y() > upright) << 2 | (x.y() < -upright) << 3 |
         (view.perspective && x.z() >= 0) << 4;
}

/// Bounds of the part of a triangle that is in the picture, and perhaps a little more.
SeenBounds seen_bounds(const std::array<Vec3, 3>& corners, const ViewFrame& view) {
  const float farthest = -std::min({corners[0].z(), corners[1].z(), corners[2].z()});
  const Eigen::Vector2f most = view.extent * (view.perspective ? farthest : 1);
  SeenBounds bounds;
  for (Vec3 x : corners) {
    x.head<2>() = x.head<2>().cwiseMax(-most).cwiseMin(most);
    if (view.perspective) x.z() = std::min(x.z(), 0.0f);
    bounds.view.add(x);
    bounds.light.add(view.light * x);
  }
  return bounds;
}

/// A mesh where it is now.
struct Placed {
  const Geometry& geometry;
  Mat3 rotation;
  Vec3 position;
};

constexpr unsigned not_finite = 1 << 5;

/// Adds the vertices of a mesh; returns for each where it is outside, or not_finite.
std::vector<unsigned> add_vertices(Meshes& meshes, const Placed& placed, const std::vector<std::uint32_t>& colours,
                                   const ViewFrame& view) {
  const Geometry& geometry = placed.geometry;
  const std::size_t first = meshes.vertices.size(), count = geometry.mesh.vertices.size();
  const std::vector<Vec3> computed = geometry.normals.empty() ? vertex_normals(geometry.mesh) : std::vector<Vec3>();
  const std::vector<Vec3>& normals = geometry.normals.empty() ? computed : geometry.normals;
  const Mat3 turn = view.turn * placed.rotation;
  std::vector<unsigned> sides(count);
  meshes.vertices.resize(first + count);
  parallel_for(count, [&](std::size_t i) {
    const Vec3 x = view.to_view(placed.position + placed.rotation * geometry.mesh.vertices[i]);
    sides[i] = x.allFinite() ? outside(x, view) : not_finite;
    meshes.vertices[first + i] = {{x.x(), x.y(), x.z()}, packed_normal(turn * normals[i]), colours[i]};
  });
  return sides;
}

void add_mesh(Meshes& meshes, std::vector<Triangle>& casters, const Placed& placed,
              const std::vector<std::uint32_t>& colours, const ViewFrame& view) {
  check(placed.geometry);
  const auto first = static_cast<Index>(meshes.vertices.size());
  const std::vector<unsigned> sides = add_vertices(meshes, placed, colours, view);
  const std::vector<Triangle>& triangles = placed.geometry.mesh.triangles;
  const auto point = [&](Index i) { return Vec3(Eigen::Map<const Vec3>(meshes.vertices[first + i].point.data())); };
  const auto bounds_of = [&](std::size_t t) {
    const auto [a, b, c] = triangles[t];
    const bool seen = !((sides[a] | sides[b] | sides[c]) & not_finite) && !(sides[a] & sides[b] & sides[c]);
    return seen ? seen_bounds({point(a), point(b), point(c)}, view) : SeenBounds{};
  };
  const auto join = [](SeenBounds a, const SeenBounds& b) {
    a.add(b);
    return a;
  };
  meshes.bounds.add(parallel_reduce(triangles.size(), SeenBounds{}, bounds_of, join));
  for (const auto& [a, b, c] : triangles) {
    if ((sides[a] | sides[b] | sides[c]) & not_finite)
      ++meshes.left_out;
    else
      (sides[a] & sides[b] & sides[c] ? casters : meshes.triangles).push_back({first + a, first + b, first + c});
  }
}

}  // namespace

Meshes make_meshes(const PreviewScene& scene, const ViewFrame& view) {
  Meshes meshes;
  std::vector<Triangle> casters;
  for (const PreviewMesh& mesh : scene.meshes) {
    const std::size_t count = mesh.geometry->mesh.vertices.size();
    add_mesh(meshes, casters, {*mesh.geometry, Mat3::Identity(), Vec3::Zero()},
             packed_colours({mesh.values, mesh.colours, mesh.colour}, count, "vertices", scene.legend), view);
  }
  for (const PlacedMesh& solid : scene.solid_meshes)
    add_mesh(meshes, casters, {*solid.geometry, solid.rotation, solid.position},
             std::vector<std::uint32_t>(solid.geometry->mesh.vertices.size(), packed_colour(solid_grey)), view);
  meshes.in_picture = meshes.triangles.size();
  meshes.triangles.insert(meshes.triangles.end(), casters.begin(), casters.end());
  return meshes;
}

}  // namespace fondue
