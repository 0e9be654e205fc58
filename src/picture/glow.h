#pragma once
// What glowing matter does to a picture beyond its own colour: it lights what is around it, and bright parts bloom, as
// in a lens and in the eye.
//
// Lights: the glowing surface is divided into a few clusters. One of area A and mean radiance L lights a surface at the
// distance d like a lamp of brightness L (A/pi) / d^2; POV-Ray's fading, 2 c / (1 + (d/f)^2), does the same for
// f^2 = A/pi and c = L/2.
//
// Bloom: what glows is rendered alone, in black surroundings, blurred by 1 % and 5 % of the picture's height, and
// added.

#include <vector>

#include "picture/image.h"
#include "picture/palette.h"

namespace fondue {

struct GlowLight {
  /// In metres.
  Vec3 position;
  float fade_distance;
  /// Linear.
  Vec3 colour;
};
/// At most a handful; none for matter that is too cold.
std::vector<GlowLight> glow_lights(const DrawnObject& object, const Palette& palette);

/// Adds the bloom of a picture that shows only what glows; of any size.
void add_bloom(Image& picture, const Image& glowing);

}  // namespace fondue
