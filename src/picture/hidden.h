#pragma once
// Spheres that surely cannot be seen, found before they are drawn: of a body of particles only the skin is ever
// visible.
//
// Every sphere covers the pixels of a coarse picture whose middles are well inside its outline, with its surface there;
// the nearest covering surface of each pixel is kept. A sphere is hidden if at all its pixels it lies behind that by a
// part of its own radius, so that what shows through gaps between the nearest spheres is still there. Of a radius in
// pixels r, at rho of it from the middle, the surface is in front of the centre by r sqrt(1 - rho^2), which is at least
// r (1 - rho^2), taken for what covers, and at most r (1 - rho^2/2), taken for what may be hidden. Exact for radii of
// five pixels and more; of smaller spheres single pixels in a million may show what is behind a body.

#include <vector>

#include "core/vec.h"

namespace fondue {

/// A sphere as seen: centre and radius in pixels of the coarse picture, distance and radius in metres.
struct Outline {
  float x, y, radius_pixels;
  float distance, radius;
};

/// The nearest distance at the middle of every pixel, row by row, of discs that face the viewer, each through the
/// centre of its sphere; otherwise where there is none.
std::vector<float> nearest_discs(const std::vector<Outline>& outlines, int width, int height, float otherwise);

/// Numbers of those that may be seen, in order. Outlines with radius 0 are not.
std::vector<Index> not_hidden(const std::vector<Outline>& outlines, int width, int height);

}  // namespace fondue
