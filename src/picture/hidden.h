#pragma once
// Occlusion culling of spheres before they are drawn: of a body of particles only the outermost ones are visible.
//
// Every sphere is drawn into the pixels of a coarse depth buffer whose centres are well inside its outline. A sphere is
// hidden if at all its pixels it is behind that depth by a margin of a quarter of its own radius, or three radii if it
// is smaller than 2.5 pixels, so that spheres visible through gaps between the nearest ones are kept. At rho radii from
// the centre of its outline, the surface of a sphere of radius r is in front of its centre by r sqrt(1 - rho^2). The
// lower bound r (1 - rho^2) is used for occluders, the upper bound r (1 - rho^2/2) for the spheres tested.

#include <vector>

#include "core/vec.h"

namespace fondue {

/// A projected sphere: centre and radius in pixels of the coarse picture, distance and radius in metres.
struct Outline {
  float x, y, radius_pixels;
  float distance, radius;
  /// Largest extent of the projected ellipse in radii; above 1 away from the centre of a perspective picture.
  float stretch = 1;
};

/// A depth buffer, row by row, of discs that face the viewer, each through the centre of its sphere: the nearest
/// distance at the centre of every pixel, or `otherwise` where there is none.
std::vector<float> nearest_discs(const std::vector<Outline>& outlines, int width, int height, float otherwise);

/// Indices of the spheres that may be visible, in order. Outlines with radius 0 never are.
std::vector<Index> possibly_visible(const std::vector<Outline>& outlines, int width, int height, float margin = 0.25f);

}  // namespace fondue
