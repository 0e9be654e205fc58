#pragma once
// The few appearances that the vertices of a drawn object share. Place on the colour map, wetness and heat are each cut
// into steps: one of them alone into 64, two into 8 each, three into 4 each. Only steps that occur are in the palette.

#include <vector>

#include "picture/povray_scene.h"

namespace fondue {

struct Palette {
  static constexpr std::size_t most = 64;
  /// The look they are shades of, which a coloured object may not keep.
  Look look = Look::clay;
  std::vector<Shade> shades;
  /// Number of each vertex's shade.
  std::vector<Index> of_vertex;
};

Palette make_palette(const DrawnObject& object);

}  // namespace fondue
