#pragma once
// The limited set of shades shared by the vertices of a drawn object. Position on the colour map, wetness, heat and
// tint (small differences between grains) and the place between looks that follow a column are quantised: one of them
// alone to 64 steps, two to 8 each, three to 4 each, more to 2 each. Only shades that occur are in the palette.

#include <vector>

#include "picture/povray_scene.h"

namespace fondue {

struct Palette {
  static constexpr std::size_t most = 64;
  /// Whether it is coloured by a quantity instead of the look.
  bool coloured = false;
  std::vector<Shade> shades;
  /// Index of each vertex's shade.
  std::vector<Index> of_vertex;
};

Palette make_palette(const DrawnObject& object);

}  // namespace fondue
