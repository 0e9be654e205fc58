#include "surface/faded.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "shapes/mesh_queries.h"
#include "surface/vertex_normals.h"

namespace fondue {
namespace {

/// Barycentric coordinates of a point of a triangle.
Vec3 barycentric(const TriangleMesh& mesh, Index triangle, const Vec3& point) {
  const Vec3& a = mesh.corner(triangle, 0);
  const Vec3& b = mesh.corner(triangle, 1);
  const Vec3& c = mesh.corner(triangle, 2);
  const Vec3 normal = (b - a).cross(c - a);
  const float squared = normal.squaredNorm();
  if (!(squared > 0)) return Vec3::Constant(1.0f / 3);
  const float second = normal.dot((point - a).cross(c - a)) / squared;
  const float third = normal.dot((b - a).cross(point - a)) / squared;
  return Vec3(1 - second - third, second, third).cwiseMax(0.0f).cwiseMin(1.0f);
}

/// Value of one component of an attribute at a point of a triangle.
float value_at(const Geometry::Attribute& attribute, const std::array<Index, 3>& corners, const Vec3& weights, int c) {
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += weights[k] * attribute.values[corners[k] * std::size_t(attribute.components) + c];
  return sum;
}

/// A subset of the triangles, with the vertices that they use in their original order.
Geometry part_of(const Geometry& whole, const std::vector<std::uint8_t>& wanted) {
  std::vector<Index> number(whole.mesh.vertices.size(), 0), taken;
  for (std::size_t t = 0; t < wanted.size(); ++t)
    for (const Index corner : whole.mesh.triangles[t]) number[corner] |= wanted[t];
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (!number[i]) continue;
    number[i] = static_cast<Index>(taken.size());
    taken.push_back(static_cast<Index>(i));
  }
  Geometry part;
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    if (!wanted[t]) continue;
    const auto& [a, b, c] = whole.mesh.triangles[t];
    part.mesh.triangles.push_back({number[a], number[b], number[c]});
  }
  for (const Index i : taken) part.mesh.vertices.push_back(whole.mesh.vertices[i]);
  for (const Index i : taken) part.normals.push_back(whole.normals[i]);
  for (const Geometry::Attribute& attribute : whole.attributes) {
    Geometry::Attribute& own = part.attributes.emplace_back(attribute);
    own.values.clear();
    for (const Index i : taken)
      for (int c = 0; c < own.components; ++c)
        own.values.push_back(attribute.values[i * std::size_t(own.components) + c]);
  }
  return part;
}

/// Adds the attributes that only the other mesh has, sampled at the closest points there.
void add_missing(Geometry& part, const Geometry& other, const MeshQueries& queries) {
  const std::size_t count = part.mesh.vertices.size();
  std::vector<const Geometry::Attribute*> missing;
  for (const Geometry::Attribute& attribute : other.attributes)
    if (!part.find(attribute.name)) missing.push_back(&attribute);
  if (missing.empty()) return;
  const std::size_t first = part.attributes.size();
  for (const Geometry::Attribute* attribute : missing) {
    part.attributes.push_back({attribute->name, attribute->unit, attribute->components, {}});
    part.attributes.back().values.assign(count * std::size_t(attribute->components), 0);
  }
  if (other.mesh.triangles.empty()) return;
  parallel_for(count, [&](std::size_t i) {
    const MeshQueries::Closest closest = queries.closest(part.mesh.vertices[i]);
    const Vec3 weights = barycentric(other.mesh, closest.triangle, closest.point);
    for (std::size_t m = 0; m < missing.size(); ++m) {
      Geometry::Attribute& own = part.attributes[first + m];
      for (int c = 0; c < own.components; ++c)
        own.values[i * std::size_t(own.components) + c] =
            value_at(*missing[m], other.mesh.triangles[closest.triangle], weights, c);
    }
  });
}

/// Appends b, which has the same attributes, to a.
void join(Geometry& a, const Geometry& b) {
  const auto offset = static_cast<Index>(a.mesh.vertices.size());
  a.mesh.vertices.insert(a.mesh.vertices.end(), b.mesh.vertices.begin(), b.mesh.vertices.end());
  a.normals.insert(a.normals.end(), b.normals.begin(), b.normals.end());
  for (const auto& [i, j, k] : b.mesh.triangles) a.mesh.triangles.push_back({i + offset, j + offset, k + offset});
  for (Geometry::Attribute& attribute : a.attributes) {
    const Geometry::Attribute& more = *b.find(attribute.name);
    if (more.components != attribute.components)
      throw InputError(fmt::format("\"{}\" has {} components on the carried mesh and {} on the extracted surface",
                                   attribute.name, attribute.components, more.components));
    attribute.values.insert(attribute.values.end(), more.values.begin(), more.values.end());
  }
}

/// Weight of the carried position of a vertex: 1 if intact, 0 at the seam and beyond.
float carried_weight(float intactness) { return std::clamp((intactness - fade_seam) / (1 - fade_seam), 0.0f, 1.0f); }

/// The carried mesh, moved towards the extracted surface where it is not intact.
Geometry moved_to_surface(Geometry mesh, std::span<const float> intactness, const Geometry& extracted,
                          const MeshQueries& queries) {
  if (extracted.mesh.triangles.empty()) return mesh;
  parallel_for(mesh.mesh.vertices.size(), [&](std::size_t i) {
    const float held = carried_weight(intactness[i]);
    if (held >= 1) return;
    Vec3& x = mesh.mesh.vertices[i];
    const MeshQueries::Closest closest = queries.closest(x);
    const Vec3 weights = barycentric(extracted.mesh, closest.triangle, closest.point);
    Vec3 normal = held * mesh.normals[i];
    for (int k = 0; k < 3; ++k)
      normal += (1 - held) * weights[k] * extracted.normals[extracted.mesh.triangles[closest.triangle][k]];
    x = held > 0 ? Vec3(x + (1 - held) * (closest.point - x)) : closest.point;
    if (!normal.isZero(0)) mesh.normals[i] = normal.normalized();
  });
  return mesh;
}

/// Marks the extracted triangles whose centre is not covered by the visible part of the carried mesh. A point beyond
/// the seam has its closest point on the seam, none of whose corners is held.
std::vector<std::uint8_t> uncovered(const TriangleMesh& extracted, const TriangleMesh& shown,
                                    const std::vector<std::uint8_t>& held, float reach) {
  constexpr float on_the_seam = 1e-3f;
  std::vector<std::uint8_t> stays(extracted.triangles.size(), 1);
  if (shown.triangles.empty()) return stays;
  const MeshQueries queries(shown);
  parallel_for(stays.size(), [&](std::size_t t) {
    const Vec3 middle = (extracted.corner(t, 0) + extracted.corner(t, 1) + extracted.corner(t, 2)) / 3;
    const MeshQueries::Closest closest = queries.closest(middle);
    if (!(closest.distance <= reach)) return;
    const Vec3 weights = barycentric(shown, closest.triangle, closest.point);
    float covered = 0;
    for (int k = 0; k < 3; ++k)
      if (held[shown.triangles[closest.triangle][k]]) covered += weights[k];
    stays[t] = covered > on_the_seam ? 0 : 1;
  });
  return stays;
}

}  // namespace

Geometry faded(const Geometry& carried, std::span<const float> intactness, const Geometry& extracted, float reach) {
  if (intactness.size() != carried.mesh.vertices.size())
    throw InputError(fmt::format("a carried mesh of {} vertices was given with {} values of intactness",
                                 carried.mesh.vertices.size(), intactness.size()));
  Geometry surface = extracted, mesh = carried;
  if (surface.normals.size() != surface.mesh.vertices.size()) surface.normals = vertex_normals(surface.mesh);
  if (mesh.normals.size() != mesh.mesh.vertices.size()) mesh.normals = vertex_normals(mesh.mesh);
  const MeshQueries surface_queries(surface.mesh);
  mesh = moved_to_surface(std::move(mesh), intactness, surface, surface_queries);
  const MeshQueries mesh_queries(mesh.mesh);

  std::vector<std::uint8_t> held(intactness.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = carried_weight(intactness[i]) > 0 ? 1 : 0;
  std::vector<std::uint8_t> shown(mesh.mesh.triangles.size());
  TriangleMesh shown_mesh{mesh.mesh.vertices, {}};
  for (std::size_t t = 0; t < shown.size(); ++t) {
    const std::array<Index, 3>& corners = mesh.mesh.triangles[t];
    shown[t] = held[corners[0]] | held[corners[1]] | held[corners[2]];
    if (shown[t]) shown_mesh.triangles.push_back(corners);
  }
  Geometry result = part_of(mesh, shown);
  Geometry rest = part_of(surface, uncovered(surface.mesh, shown_mesh, held, reach));
  add_missing(result, surface, surface_queries);
  add_missing(rest, mesh, mesh_queries);
  join(result, rest);
  return result;
}

}  // namespace fondue
