#include "surface/sheet_mesh.h"

#include <Eigen/Geometry>
#include <map>

#include "surface/vertex_normals.h"

namespace fondue {

namespace {

/// A vertex is a particle, or lies between two of them.
struct Divided {
  TriangleMesh mesh;
  std::vector<std::array<Index, 2>> between;
};

Divided divided(const Particles& particles, const std::vector<SheetTriangle>& triangles) {
  const auto x = particles[columns::position];
  Divided result;
  std::map<Index, Index> vertex_of;
  TriangleMesh coarse;
  for (const SheetTriangle& t : triangles) {
    auto& corners = coarse.triangles.emplace_back();
    for (int k = 0; k != 3; ++k) {
      const auto [place, made] = vertex_of.insert({t[k], static_cast<Index>(coarse.vertices.size())});
      if (made) {
        coarse.vertices.push_back(x[t[k]]);
        result.between.push_back({t[k], t[k]});
      }
      corners[k] = place->second;
    }
  }
  const std::vector<Vec3> normals = vertex_normals(coarse);
  result.mesh.vertices = coarse.vertices;
  std::map<std::array<Index, 2>, Index> middles;
  const auto middle = [&](Index a, Index b) {
    const auto [place, made] =
        middles.insert({{std::min(a, b), std::max(a, b)}, static_cast<Index>(result.mesh.vertices.size())});
    if (made) {
      const Vec3 &from = coarse.vertices[a], &to = coarse.vertices[b], edge = to - from;
      result.mesh.vertices.push_back(0.5f * (from + to) -
                                     0.125f * (edge.dot(normals[a]) * normals[a] - edge.dot(normals[b]) * normals[b]));
      result.between.push_back({result.between[a][0], result.between[b][0]});
    }
    return place->second;
  };
  for (const auto& [a, b, c] : coarse.triangles) {
    const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const std::array<Index, 3>& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      result.mesh.triangles.push_back(part);
  }
  return result;
}

}  // namespace

Geometry sheet_mesh(const Particles& particles, Index object, const Geometry& points) {
  const auto belongs = particles[columns::object];
  std::vector<SheetTriangle> triangles = sheets::triangles(particles);
  std::erase_if(triangles, [&](const SheetTriangle& t) { return belongs[t[0]] != object; });
  Geometry result;
  if (triangles.empty()) return result;
  const Divided sheet = divided(particles, triangles);
  const std::vector<Vec3> normals = vertex_normals(sheet.mesh);
  const Index count = static_cast<Index>(sheet.mesh.vertices.size());
  const auto thickness = particles[columns::thickness];
  for (const float side : {0.5f, -0.5f})
    for (Index v = 0; v != count; ++v) {
      result.mesh.vertices.push_back(sheet.mesh.vertices[v] + side * thickness[sheet.between[v][0]] * normals[v]);
      result.normals.push_back(2 * side * normals[v]);
    }
  // Edges that only one triangle has make the rim.
  std::map<std::array<Index, 2>, int> edges;
  for (const auto& [a, b, c] : sheet.mesh.triangles) {
    result.mesh.triangles.push_back({a, b, c});
    result.mesh.triangles.push_back({count + a, count + c, count + b});
    for (const auto& [from, to] : {std::array{a, b}, {b, c}, {c, a}}) ++edges[{from, to}];
  }
  for (const auto& [edge, uses] : edges) {
    const auto [a, b] = edge;
    if (edges.contains({b, a})) continue;
    result.mesh.triangles.push_back({b, a, count + a});
    result.mesh.triangles.push_back({b, count + a, count + b});
  }

  const auto add = [&](const std::string& name, const std::string& unit, std::size_t components, const float* values) {
    Geometry::Attribute& own = result.attributes.emplace_back();
    own = {name, unit, static_cast<int>(components), {}};
    for (int side = 0; side != 2; ++side)
      for (const auto& [i, j] : sheet.between)
        for (std::size_t c = 0; c != components; ++c)
          own.values.push_back(0.5f * (values[components * i + c] + values[components * j + c]));
  };
  for (const Geometry::Attribute& attribute : points.attributes)
    add(attribute.name, attribute.unit, static_cast<std::size_t>(attribute.components), attribute.values.data());
  if (!result.find(columns::texture.name))
    add(columns::texture.name, columns::texture.unit, 2, particles[columns::texture].front().data());
  return result;
}

}  // namespace fondue
