#pragma once
// The particles of a picture as uploaded to the GPU: centres in view space (eye at the origin, looking along -z), radii
// and colours, and their bounds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "picture/preview.h"
#include "picture/view.h"

namespace fondue {

using Float4 = std::array<float, 4>;

/// Bounds of the visible geometry, in view space and in light space; empty if there is none.
struct SeenBounds {
  Box view, light;
  void add(const SeenBounds& other) {
    view.add(other.view);
    light.add(other.light);
  }
};

struct Spheres {
  /// Centre and radius; radius 0 for spheres that cannot be drawn.
  std::vector<Float4> places;
  /// Red in the lowest byte, then green and blue.
  std::vector<std::uint32_t> colours;
  SeenBounds bounds;
  float mean_radius = 0;
  /// Number of spheres that cannot be drawn.
  std::size_t left_out = 0;
};

Spheres make_spheres(const PreviewScene& scene, const ViewFrame& view);

/// Indices of the spheres that may be visible in a picture of this size.
std::vector<Index> seen_by_eye(const Spheres& spheres, const ViewFrame& view, int width, int height);

}  // namespace fondue
