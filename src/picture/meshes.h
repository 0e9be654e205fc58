#pragma once
// The meshes of a picture as uploaded to the GPU: vertices in view space (eye at the origin, looking along -z) with
// normals and colours, triangles, and their bounds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "picture/preview.h"
#include "picture/spheres.h"

namespace fondue {

struct MeshVertex {
  std::array<float, 3> point;
  /// In units of 1/32767; the fourth is padding.
  std::array<std::int16_t, 4> normal;
  /// Red in the lowest byte, then green and blue.
  std::uint32_t colour;
};

struct Meshes {
  std::vector<MeshVertex> vertices;
  /// Triangles that may be visible, and those that may cast shadows. Of a closed mesh only triangles that face the eye
  /// are visible, and those that face the light cast shadows.
  std::vector<std::array<Index, 3>> seen, casters;
  SeenBounds bounds;
  /// Number of triangles that cannot be drawn.
  std::size_t left_out = 0;
};

/// Throws InputError if a mesh is inconsistent.
Meshes make_meshes(const PreviewScene& scene, const ViewFrame& view);

}  // namespace fondue
