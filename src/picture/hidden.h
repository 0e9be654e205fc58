#pragma once
// Spheres that surely cannot be seen, found before they are drawn: of a body of particles only the skin is ever
// visible.
//
// Every sphere covers the pixels of a coarse picture whose centres are well inside its outline; the nearest covering
// distance of each pixel is kept. A sphere is hidden if all its pixels are covered by spheres at least three of its own
// radii in front of it, so that what shows through gaps between the nearest spheres is still there. Exact for radii of
// five pixels and more; of smaller spheres single pixels in a million may show what is behind a body.

#include <vector>

#include "core/vec.h"

namespace fondue {

/// A sphere as seen: centre and radius in pixels of the coarse picture, distance and radius in metres.
struct Outline {
  float x, y, radius_pixels;
  float distance, radius;
};

/// The nearest distance of discs of a part of the outlines' radii at the middle of every pixel, row by row; otherwise
/// where there is none.
std::vector<float> nearest_covering(const std::vector<Outline>& outlines, float part, int width, int height,
                                    float otherwise);

/// Numbers of those that may be seen, in order. Outlines with radius 0 are not.
std::vector<Index> not_hidden(const std::vector<Outline>& outlines, int width, int height);

}  // namespace fondue
