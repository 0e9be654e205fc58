#pragma once
// Geometry for pictures and exports: points or triangles with attributes at each vertex. Reconstructed surfaces,
// carried meshes, grains and particles all take this form.

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

  /// Vertices, and triangles that face outward; a point cloud if there are no triangles.
  TriangleMesh mesh;
  /// One unit normal per vertex; none for points.
  std::vector<Vec3> normals;
  std::vector<Attribute> attributes;
  /// Ids of points that are particles; none for surfaces.
  std::vector<Index> ids;

  const Attribute* find(std::string_view name) const {
    for (const Attribute& attribute : attributes)
      if (attribute.name == name) return &attribute;
    return nullptr;
  }
};

}  // namespace fondue
