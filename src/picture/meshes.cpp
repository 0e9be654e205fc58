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

/// Area-weighted mean of the normals of the triangles around each vertex.
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

/// Outcode of a point: one bit per side plane of the view frustum and one for behind the eye; a triangle whose corners
/// share a bit is not in the picture.
unsigned outside(const Vec3& x, const ViewFrame& view) {
  const float scale = view.perspective ? -x.z() : 1;
  const float across = view.extent.x() * scale, upright = view.extent.y() * scale;
  return (x.x() > across) | (x.x() < -across) << 1 | (x.y() > upright) << 2 | (x.y() < -upright) << 3 |
         (view.perspective && x.z() >= 0) << 4;
}

/// Conservative bounds of the part of a triangle that is in the picture.
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

/// A mesh at its current position.
struct Placed {
  const Geometry& geometry;
  Mat3 rotation;
  Vec3 position;
};

constexpr unsigned not_finite = 1 << 5;

/// Adds the vertices of a mesh; returns the outcode of each, or not_finite.
std::vector<unsigned> add_vertices(Meshes& meshes, const Placed& placed, const std::vector<std::uint32_t>& colours,
                                   const ViewFrame& view) {
  const Geometry& geometry = placed.geometry;
  const std::size_t first = meshes.vertices.size(), count = geometry.mesh.vertices.size();
  const std::vector<Vec3> computed = geometry.normals.empty() ? vertex_normals(geometry.mesh) : std::vector<Vec3>();
  const std::vector<Vec3>& normals = geometry.normals.empty() ? computed : geometry.normals;
  const Mat3 rotation = view.rotation * placed.rotation;
  std::vector<unsigned> outcodes(count);
  meshes.vertices.resize(first + count);
  parallel_for(count, [&](std::size_t i) {
    const Vec3 x = view.to_view(placed.position + placed.rotation * geometry.mesh.vertices[i]);
    outcodes[i] = x.allFinite() ? outside(x, view) : not_finite;
    meshes.vertices[first + i] = {{x.x(), x.y(), x.z()}, packed_normal(rotation * normals[i]), colours[i]};
  });
  return outcodes;
}

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

/// A hash whose sum over all triangles is zero if every edge is used equally often in both directions (a closed mesh).
std::uint64_t open_edge_hash(const Triangle& t) {
  const auto walk = [](std::uint64_t from, std::uint64_t to) {
    return scrambled(from << 32 | to) - scrambled(to << 32 | from);
  };
  return walk(t[0], t[1]) + walk(t[1], t[2]) + walk(t[2], t[0]);
}

/// Sorts the triangles of a mesh into visible and shadow-casting ones, after its vertices were added.
class TriangleFilter {
 public:
  TriangleFilter(const Meshes& meshes, Index first, const std::vector<Triangle>& triangles,
                 const std::vector<unsigned>& outcodes, const ViewFrame& view)
      : meshes_(meshes), first_(first), triangles_(triangles), outcodes_(outcodes), view_(view) {
    const auto value = [&](std::size_t t) {
      if (!valid(t)) return Sum{};
      const std::array<Vec3, 3> x = corners(t);
      Sum sum{open_edge_hash(triangles_[t]), (x[0] - point(0)).dot(normal(x)), {}, {}};
      for (const Vec3& corner : x) sum.whole.add(corner);
      if (in_picture(t)) sum.seen = seen_bounds(x, view_);
      return sum;
    };
    const Sum sum = parallel_reduce(triangles.size(), Sum{}, value, join);
    closed_ = sum.open_edges == 0 && sum.volume > 0;
    around_eye_ = view.perspective && sum.whole.contains(Vec3::Zero());
    bounds_ = sum.seen;
  }

  const SeenBounds& bounds() const { return bounds_; }
  bool valid(std::size_t t) const { return !((outcode(t, 0) | outcode(t, 1) | outcode(t, 2)) & not_finite); }
  bool seen(std::size_t t) const {
    if (!in_picture(t)) return false;
    if (!closed_ || around_eye_) return true;
    const std::array<Vec3, 3> x = corners(t);
    const Vec3 n = normal(x);
    return (view_.perspective ? -n.dot(x[0]) : n.z()) >= 0;
  }
  bool casts(std::size_t t) const { return !closed_ || view_.light.row(2).dot(normal(corners(t))) >= 0; }

 private:
  struct Sum {
    std::uint64_t open_edges = 0;
    double volume = 0;
    Box whole;
    SeenBounds seen;
  };
  static Sum join(Sum a, const Sum& b) {
    a.open_edges += b.open_edges;
    a.volume += b.volume;
    a.whole.add(b.whole);
    a.seen.add(b.seen);
    return a;
  }
  static Vec3 normal(const std::array<Vec3, 3>& x) { return (x[1] - x[0]).cross(x[2] - x[0]); }
  unsigned outcode(std::size_t t, std::size_t corner) const { return outcodes_[triangles_[t][corner]]; }
  bool in_picture(std::size_t t) const { return !(outcode(t, 0) & outcode(t, 1) & outcode(t, 2)); }
  Vec3 point(Index i) const { return Eigen::Map<const Vec3>(meshes_.vertices[first_ + i].point.data()); }
  std::array<Vec3, 3> corners(std::size_t t) const {
    return {point(triangles_[t][0]), point(triangles_[t][1]), point(triangles_[t][2])};
  }

  const Meshes& meshes_;
  const Index first_;
  const std::vector<Triangle>& triangles_;
  const std::vector<unsigned>& outcodes_;
  const ViewFrame& view_;
  SeenBounds bounds_;
  bool closed_ = false, around_eye_ = false;
};

void add_mesh(Meshes& meshes, const Placed& placed, const std::vector<std::uint32_t>& colours, const ViewFrame& view) {
  check(placed.geometry);
  const auto first = static_cast<Index>(meshes.vertices.size());
  const std::vector<unsigned> outcodes = add_vertices(meshes, placed, colours, view);
  const std::vector<Triangle>& triangles = placed.geometry.mesh.triangles;
  const TriangleFilter filter(meshes, first, triangles, outcodes, view);
  meshes.bounds.add(filter.bounds());

  enum : char { seen = 1, casts = 2, finite = 4 };
  std::vector<char> uses(triangles.size());
  parallel_for(triangles.size(), [&](std::size_t t) {
    if (filter.valid(t))
      uses[t] = static_cast<char>(finite | (filter.seen(t) ? seen : 0) | (filter.casts(t) ? casts : 0));
  });
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Triangle shifted = {first + triangles[t][0], first + triangles[t][1], first + triangles[t][2]};
    if (uses[t] & seen) meshes.seen.push_back(shifted);
    if (uses[t] & casts) meshes.casters.push_back(shifted);
    meshes.left_out += !(uses[t] & finite);
  }
}

}  // namespace

Meshes make_meshes(const PreviewScene& scene, const ViewFrame& view) {
  Meshes meshes;
  for (const PreviewMesh& mesh : scene.meshes) {
    const std::size_t count = mesh.geometry->mesh.vertices.size();
    add_mesh(meshes, {*mesh.geometry, Mat3::Identity(), Vec3::Zero()},
             packed_colours({mesh.values, mesh.colours, mesh.colour}, count, "vertices", scene.legend), view);
  }
  for (const PlacedMesh& solid : scene.solid_meshes)
    add_mesh(meshes, {*solid.geometry, solid.rotation, solid.position},
             std::vector<std::uint32_t>(solid.geometry->mesh.vertices.size(),
                                        packed_colour(solid.colour.value_or(solid_grey))),
             view);
  return meshes;
}

}  // namespace fondue
