#pragma once
// Height field: heights z over a rectangle of the x-y plane, solid from there down to a flat base. It is a mesh with
// two triangles per grid cell, closed by walls and the base.

#include <functional>
#include <string>
#include <vector>

#include "shapes/shape.h"

namespace fondue {

/// The rectangle, and the height of the base, below all heights.
struct Ground {
  float min_x, min_y, max_x, max_y;
  float base;
};

/// columns * rows heights, x changing fastest; the first and last ones lie on the rectangle's border.
ShapePtr make_height_field(const Ground& ground, int columns, int rows, const std::vector<float>& heights);
ShapePtr make_height_field(const Ground& ground, int columns, int rows,
                           const std::function<float(float x, float y)>& height);
/// From the brightness of an image (PNG or another format that stb reads): black is `low`, white is `high`, the image's
/// upper edge is at max_y.
ShapePtr make_height_field(const Ground& ground, const std::string& image, float low, float high);

}  // namespace fondue
