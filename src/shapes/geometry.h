#pragma once
// What is drawn or handed to other programs: points, perhaps joined to triangles, with numbers at each. Surfaces of
// matter, carried meshes, grains and bare particles all take this form.

#include <string>
#include <string_view>

#include "shapes/triangle_mesh.h"

namespace fondue {

struct Geometry {
  /// One quantity at every point, with any number of components.
  struct Attribute {
    std::string name, unit;
    int components = 1;
    std::vector<float> values;
  };

  /// Vertices, and triangles that face outward; without triangles it is a cloud of points.
  TriangleMesh mesh;
  /// One a vertex, of unit length; none for points.
  std::vector<Vec3> normals;
  std::vector<Attribute> attributes;
  /// Permanent numbers of points that are particles; none for surfaces.
  std::vector<Index> ids;

  const Attribute* find(std::string_view name) const {
    for (const Attribute& attribute : attributes)
      if (attribute.name == name) return &attribute;
    return nullptr;
  }
};

}  // namespace fondue
