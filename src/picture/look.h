#pragma once
// Materials of finished pictures in POV-Ray's language: a texture (colour, highlights, grain) for each look, and an
// interior where light passes through. Lengths are in units of a tenth of the picture's height.
//
//   water  clear, refraction 1.33, Fresnel reflection, absorption; the colour is that of transmitted light at some
//   depth wax    ivory; subsurface scattering is approximated by a soft fall-off and slight emission lava   dark crust
//   that glows from red through orange to near white with its heat clay   matt terracotta metal  brushed steel; its
//   colour tints reflections paint  saturated and glossy sand   matt, with small differences of lightness between
//   grains cloth  matt, woven wood   rings and fibres, satin rubber dark and matt, with a broad soft highlight glass
//   clear, refraction 1.5; its colour is that of light that has passed through some depth
//
// Wet matter is darker (Lenaerts 2009, eq. 6.13): f_wet = S (delta f_dry) + (1 - S) f_dry, with the reflectance f of
// the look's colour, delta = 0.4 and the saturation S of the pores. The source multiplies S by the porosity phi; here
// fully saturated matter is fully dark, so that looks do not depend on phi. Wet matter also has highlights.

#include <string>
#include <string_view>

#include "scene/scene.h"

namespace fondue {

/// One variant of a look.
struct Shade {
  /// Display (sRGB) colour.
  Vec3 colour = Vec3::Zero();
  /// Saturation S in [0, 1].
  float wetness = 0;
  /// Heat of lava, from cold (0) to hottest (1).
  float heat = 0;
  bool operator==(const Shade&) const = default;
};

/// The colour that is given, or the look's default.
Vec3 look_colour(const LookSetup& setup);

/// The heat of lava whose temperature is unknown.
inline constexpr float unknown_heat = 0.45f;

/// Emitted light at this heat, linear red, green and blue; a fully lit white surface is 1.
Vec3 glow(float heat);

/// Display colour of wet matter.
Vec3 wetted(const Vec3& colour, float wetness);

/// texture { ... }
std::string look_texture(Look look, const Shade& shade);
/// interior { ... }, or nothing for opaque looks.
std::string look_interior(Look look, const Vec3& colour);

/// texture { ... } of matter that is coloured by a quantity: only the colour and a highlight.
std::string satin_texture(const Shade& shade);

/// texture { ... } of two-dimensional pictures: the plain colour, unlit.
std::string flat_texture(Look look, const Shade& shade);

/// srgb <r, g, b>
std::string povray_colour(const Vec3& display);

/// Conversion between display (sRGB) and linear values.
Vec3 to_linear(const Vec3& display);
Vec3 to_display(const Vec3& linear);

}  // namespace fondue
