#include "shapes/facets.h"

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>

namespace fondue {
namespace {

using Kind = Construction::Kind;

constexpr int around = 72, across = 36;

struct Point {
  Vec3 position, normal;
};

/// A surface over the parameters u and v in [0, 1], with positions and normals, as columns x rows cells.
void add_sheet(Geometry& geometry, int columns, int rows, const std::function<Point(float, float)>& surface) {
  const auto first = static_cast<Index>(geometry.mesh.vertices.size());
  for (int r = 0; r <= rows; ++r)
    for (int c = 0; c <= columns; ++c) {
      const Point point = surface(static_cast<float>(c) / static_cast<float>(columns),
                                  static_cast<float>(r) / static_cast<float>(rows));
      geometry.mesh.vertices.push_back(point.position);
      geometry.normals.push_back(point.normal);
    }
  const auto at = [&](int c, int r) { return first + static_cast<Index>(r * (columns + 1) + c); };
  for (int r = 0; r != rows; ++r)
    for (int c = 0; c != columns; ++c)
      for (const auto& t : {std::array{at(c, r), at(c + 1, r), at(c + 1, r + 1)},
                            std::array{at(c, r), at(c + 1, r + 1), at(c, r + 1)}}) {
        // Poles and tips make triangles without area.
        const auto& x = geometry.mesh.vertices;
        const Vec3 area = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
        if (area.isZero(0)) continue;
        const bool outward = area.dot(geometry.normals[t[0]] + geometry.normals[t[1]] + geometry.normals[t[2]]) > 0;
        geometry.mesh.triangles.push_back(outward ? t : std::array{t[0], t[2], t[1]});
      }
}

float turns(float part) { return 2 * std::numbers::pi_v<float> * part; }

void add_box(Geometry& geometry, const Construction& c) {
  const Vec3 middle = 0.5f * (c.a + c.b), half = 0.5f * (c.b - c.a);
  for (int axis = 0; axis != 3; ++axis)
    for (const float side : {-1.0f, 1.0f})
      add_sheet(geometry, 1, 1, [&](float u, float v) {
        Vec3 corner;
        corner[axis] = side;
        corner[(axis + 1) % 3] = 2 * u - 1;
        corner[(axis + 2) % 3] = 2 * v - 1;
        return Point{middle + half.cwiseProduct(corner), side * Vec3::Unit(axis)};
      });
}

void add_sphere(Geometry& geometry, const Construction& c) {
  add_sheet(geometry, around, across, [&](float u, float v) {
    const float from_pole = std::numbers::pi_v<float> * v;
    const Vec3 n(std::sin(from_pole) * std::cos(turns(u)), std::sin(from_pole) * std::sin(turns(u)),
                 std::cos(from_pole));
    return Point{c.a + c.r * n, n};
  });
}

void add_cone(Geometry& geometry, const Construction& c) {
  const Vec3 axis = (c.b - c.a).normalized(), x = axis.unitOrthogonal(), y = axis.cross(x);
  const float height = (c.b - c.a).norm();
  const auto out = [&](float u) { return Vec3(std::cos(turns(u)) * x + std::sin(turns(u)) * y); };
  add_sheet(geometry, around, 1, [&](float u, float v) {
    const float radius = (1 - v) * c.r + v * c.s;
    return Point{c.a + v * height * axis + radius * out(u), (height * out(u) + (c.r - c.s) * axis).normalized()};
  });
  for (const auto& [centre, radius, normal] :
       {std::tuple<Vec3, float, Vec3>{c.a, c.r, -axis}, std::tuple<Vec3, float, Vec3>{c.b, c.s, axis}})
    if (radius > 0)
      add_sheet(geometry, around, 1, [&](float u, float v) { return Point{centre + v * radius * out(u), normal}; });
}

void add_torus(Geometry& geometry, const Construction& c) {
  const Vec3 axis = c.b.normalized(), x = axis.unitOrthogonal(), y = axis.cross(x);
  add_sheet(geometry, around, across, [&](float u, float v) {
    const Vec3 out = std::cos(turns(u)) * x + std::sin(turns(u)) * y;
    const Vec3 n = std::cos(turns(v)) * out + std::sin(turns(v)) * axis;
    return Point{c.a + c.r * out + c.s * n, n};
  });
}

bool add(Geometry& geometry, const Construction& c) {
  switch (c.kind) {
    case Kind::box:
      if (!c.a.allFinite() || !c.b.allFinite()) return false;
      return add_box(geometry, c), true;
    case Kind::sphere:
      return add_sphere(geometry, c), true;
    case Kind::cone:
      return add_cone(geometry, c), true;
    case Kind::torus:
      return add_torus(geometry, c), true;
    case Kind::unite:
      for (const Construction& part : c.parts)
        if (!add(geometry, part)) return false;
      return true;
    case Kind::place: {
      const std::size_t first = geometry.mesh.vertices.size();
      if (!add(geometry, c.parts.front())) return false;
      for (std::size_t i = first; i != geometry.mesh.vertices.size(); ++i) {
        geometry.mesh.vertices[i] = c.translation + c.scale * (c.rotation * geometry.mesh.vertices[i]);
        geometry.normals[i] = c.rotation * geometry.normals[i];
      }
      return true;
    }
    case Kind::half_space:
    case Kind::intersect:
    case Kind::complement:
      break;
  }
  return false;
}

}  // namespace

std::optional<Geometry> facets_of(const Construction& construction) {
  Geometry geometry;
  if (!add(geometry, construction)) return std::nullopt;
  return geometry;
}

}  // namespace fondue
