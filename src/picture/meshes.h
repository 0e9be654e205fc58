#pragma once
// What the graphics card is told about the meshes of a picture: vertices in view space (eye at the origin, looking
// along -z) with normals and colours, the triangles between them, and how far they reach.

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
  /// Triangles that may be seen in the picture, and those that may cast shadows. Of a closed mesh only what faces the
  /// eye is seen, and what faces the light shades.
  std::vector<std::array<Index, 3>> seen, casters;
  SeenBounds bounds;
  /// How many triangles cannot be drawn.
  std::size_t left_out = 0;
};

/// Throws InputError if a mesh does not fit together.
Meshes make_meshes(const PreviewScene& scene, const ViewFrame& view);

}  // namespace fondue
