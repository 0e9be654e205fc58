#pragma once
// Annotations of a picture: the legend, a bar of a colour map with quantity, unit and round numbers; and the caption.

#include <string>
#include <vector>

#include "picture/font.h"
#include "picture/image.h"

namespace fondue {

/// The meaning of the colours of a picture.
struct Legend {
  std::string title, unit;
  float min = 0, max = 1;
  /// One of colour_map_names.
  std::string map = "viridis";

  /// Position of a value on the colour map in [0, 1]; NaN stays NaN.
  float position(float value) const { return max > min ? (value - min) / (max - min) : 0.5f + 0 * value; }
};

struct Tick {
  double value;
  std::string label;
};

/// Multiples of 1, 2 or 5 times a power of ten inside the range, three to seven of them; only the single value if
/// min = max.
std::vector<Tick> legend_ticks(float min, float max);

/// Drawn at the right side of the picture.
void draw_legend(Image& image, const Font& font, const Legend& legend);
/// Drawn at the lower left.
void draw_caption(Image& image, const Font& font, const std::string& caption);

}  // namespace fondue
