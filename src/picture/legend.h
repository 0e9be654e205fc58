#pragma once
// What is written on a picture: the legend, a bar of a colour map with its quantity, unit and round numbers; the
// caption.

#include <string>
#include <vector>

#include "picture/font.h"
#include "picture/image.h"

namespace fondue {

/// What the colours of a picture mean.
struct Legend {
  std::string title, unit;
  float min = 0, max = 1;
  /// One of colour_map_names.
  std::string map = "viridis";

  /// Place of a value on the colour map; NaN stays NaN.
  float place(float value) const { return max > min ? (value - min) / (max - min) : 0.5f + 0 * value; }
};

struct Tick {
  double value;
  std::string label;
};

/// Multiples of 1, 2 or 5 times a power of ten inside the range, three to seven of them; the range's value alone if min
/// = max.
std::vector<Tick> legend_ticks(float min, float max);

/// At the right side of the picture.
void draw_legend(Image& image, const Font& font, const Legend& legend);
/// At the lower left.
void draw_caption(Image& image, const Font& font, const std::string& caption);

}  // namespace fondue
