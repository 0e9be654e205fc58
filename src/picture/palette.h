#pragma once
// The few appearances that the vertices of a drawn object share. Place on the colour map, wetness, heat and tint (the
// small differences between grains) are each cut into steps: one of them alone into 64, two into 8 each, three into 4
// each, all into 2. Only steps that occur are in the palette.

#include <vector>

#include "picture/povray_scene.h"

namespace fondue {

struct Palette {
  static constexpr std::size_t most = 64;
  /// Coloured by a quantity, which takes the place of the look.
  bool coloured = false;
  std::vector<Shade> shades;
  /// Number of each vertex's shade.
  std::vector<Index> of_vertex;
};

Palette make_palette(const DrawnObject& object);

}  // namespace fondue
