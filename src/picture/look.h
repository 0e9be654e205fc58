#pragma once
// What matter looks like in finished pictures, in the words of POV-Ray: a texture (colour, highlights, grain) for each
// look, and an interior where light passes through. Lengths are those of a picture that is ten units high.
//
//   water  clear, refracts (1.33), mirrors by Fresnel, absorbs red before blue; its colour is what a depth of it leaves
//   wax    ivory; light that wanders under the skin is imitated by a slow fall-off and a little glow of its own
//   lava   dark crust that glows from red through orange to near white with its heat
//   clay   matt terracotta
//   metal  brushed steel; its colour tints what it mirrors
//   paint  saturated and glossy
//   sand   matt, each grain a little lighter or darker than the next
//   cloth  matt, woven
//
// Wet matter is darker (Lenaerts 2009, eq. 6.13): f_wet = S (delta f_dry) + (1 - S) f_dry, with the reflectance f of
// the look's colour, delta = 0.4 and the saturation S of the pores. The source multiplies S by the porosity phi; here
// fully saturated matter is fully dark, so that looks need not know phi. Wet matter also shines.

#include <string>
#include <string_view>

#include "scene/scene.h"

namespace fondue {

/// One appearance of a look.
struct Shade {
  /// Display (sRGB) colour.
  Vec3 colour = Vec3::Zero();
  /// Saturation S in [0, 1].
  float wetness = 0;
  /// Lava's place between cold (0) and hottest (1).
  float heat = 0;
  bool operator==(const Shade&) const = default;
};

/// The colour that is given, or the look's own.
Vec3 look_colour(const LookSetup& setup);

/// The heat of lava whose temperature is not known.
inline constexpr float unknown_heat = 0.45f;

/// Light that matter of this heat gives off, linear red, green and blue; a white surface in full light shows 1.
Vec3 glow(float heat);

/// Display colour of wet matter.
Vec3 wetted(const Vec3& colour, float wetness);

/// texture { ... }
std::string look_texture(Look look, const Shade& shade);
/// interior { ... }, or nothing for looks that light does not enter.
std::string look_interior(Look look, const Vec3& colour);

/// texture { ... } of matter that is coloured by a quantity: nothing but the colour and a highlight.
std::string satin_texture(const Shade& shade);

/// texture { ... } of two-dimensional pictures: the colour itself, lit by nothing.
std::string flat_texture(Look look, const Shade& shade);

/// srgb <r, g, b>
std::string povray_colour(const Vec3& display);

/// Between display (sRGB) and linear values.
Vec3 to_linear(const Vec3& display);
Vec3 to_display(const Vec3& linear);

}  // namespace fondue
