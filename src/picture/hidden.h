#pragma once
// Spheres that surely cannot be seen, found before they are drawn: of a body of particles only the skin is ever
// visible.
//
// Every sphere covers the pixels of a coarse picture whose middles are well inside its outline, with its surface there;
// the nearest covering surface of each pixel is kept. A sphere is hidden if at all its pixels it lies behind that by a
// margin of a quarter of its own radius, or three radii if it is smaller than 2.5 pixels, so that what shows through
// gaps between the nearest spheres is still there. At rho radii r from the middle of its outline, the surface of a
// sphere is in front of its centre by r sqrt(1 - rho^2), which is at least r (1 - rho^2), taken for what covers, and at
// most r (1 - rho^2/2), taken for what may be hidden.

#include <vector>

#include "core/vec.h"

namespace fondue {

/// A sphere as seen: centre and radius in pixels of the coarse picture, distance and radius in metres.
struct Outline {
  float x, y, radius_pixels;
  float distance, radius;
  /// How many radii it reaches at most; more than 1 if it is seen aslant.
  float stretch = 1;
};

/// The nearest distance at the middle of every pixel, row by row, of discs that face the viewer, each through the
/// centre of its sphere; otherwise where there is none.
std::vector<float> nearest_discs(const std::vector<Outline>& outlines, int width, int height, float otherwise);

/// Numbers of those that may be seen, in order. Outlines with radius 0 are not.
std::vector<Index> not_hidden(const std::vector<Outline>& outlines, int width, int height, float margin = 0.25f);

}  // namespace fondue
