#pragma once
// Data shared by all shaders of a picture: the View block and the edges of containers.

#include <array>
#include <cstdint>
#include <vector>

#include "picture/spheres.h"

namespace fondue {

/// Side of the square shadow map [texels].
inline constexpr int shadow_size = 512;

/// Must match the View block of the shaders (std140 layout).
struct alignas(16) ViewBlock {
  std::array<float, 2> extent, picture, pixel, range;
  Float4 to_light, up, floor_x, floor_y, floor_depth, lower, upper;
  std::array<float, 16> to_shadow;
  std::int32_t perspective, flat_look;
  float per_range, occlusion_radius, shadow_radius, shadow_scale, shadow_depth, shadow_bias, mesh_bias;
  float detail, grid_spacing, floor_fade, floor_x0, floor_y0;
  std::int32_t has_floor;
};

/// `mean_radius` is that of the particles, 0 if there are none.
ViewBlock make_view_block(const PreviewScene& scene, const ViewFrame& view, const SeenBounds& bounds, float mean_radius,
                          int width, int height);

/// Ends of the edges of containers in view space; two-dimensional scenes show only the rectangle in their plane.
std::vector<Float4> container_edges(const PreviewScene& scene, const ViewFrame& view);

}  // namespace fondue
