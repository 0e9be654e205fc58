#pragma once
// Materials of finished pictures in POV-Ray's language: a texture (colour, highlights, grain) for each look, and an
// interior where light passes through. Grain is in units of a tenth of the picture's height.
//
//   water, honey, glass, ice   clear: refraction, Fresnel reflection, absorption. White light that has travelled the
//                              clarity c [m] has the look's colour C; after a way s it is C^(s/c) (Beer's law).
//   ice, snow                  cloudy inside; matt with a bluish sheen
//   wax, milk                  scatter light below the surface, approximated by a soft fall-off and slight emission
//   lava                       dark crust that glows from red through orange to near white with its heat
//   clay, stone, sand          matt; sand with small differences of lightness between grains
//   metal                      brushed steel; its colour tints reflections
//   paint, ceramic, chocolate  saturated and glossy; glazed; satin
//   sponge                     matt, full of holes of two sizes
//   cloth                      a plain weave along the coordinates of a sheet, through which some light shines; without
//                              coordinates threads along all axes
//   wood, rubber               rings and fibres; dark with a broad soft highlight
//
// A look that follows a column is the mean of two textures, weighted by the place between them; ice and another clear
// look differ by how cloudy they are, and between other clear looks there is a border.
//
// Wet matter is darker (Lenaerts 2009, eq. 6.13): f_wet = S (delta f_dry) + (1 - S) f_dry, with the reflectance f of
// the look's colour, delta = 0.4 and the saturation S of the pores. The source multiplies S by the porosity phi; here
// fully saturated matter is fully dark, so that looks do not depend on phi. Wet matter also has highlights, and sand that is
// more than half full is smoother and reflects: mud.

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
  /// Place in the sequence of looks that follow a column: 0.5 is half-way from the first to the second.
  float place = 0;
  /// What is drawn has coordinates along warp and weft.
  bool woven = false;
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

/// Refractive index; 0 for looks that need none.
float look_refraction(Look look);
/// Of clear looks: how far white light travels until it has the look's colour [m].
float look_clarity(const LookSetup& setup);

/// Whether light passes through.
bool is_clear(Look look);
bool is_clear(const LookSetup& setup);
/// Whether it emits light.
bool glows(const LookSetup& setup);

/// texture { ... }
std::string look_texture(Look look, const Shade& shade);
/// The same for looks that follow a column: a mean of two of them.
std::string look_texture(const LookSetup& setup, const Shade& shade);
/// interior { ... }, or nothing for opaque looks. `scale`: units of the scene per metre; `place`: in a sequence of
/// looks that follow time.
std::string look_interior(const LookSetup& setup, float scale, float place = 0);

/// texture { ... } of what casts the shadow of woven cloth instead of it: light that shines through both its faces.
std::string woven_shadow(const Shade& shade);

/// texture { ... } of matter that is coloured by a quantity: only the colour and a highlight.
std::string satin_texture(const Shade& shade);

/// texture { ... } of two-dimensional pictures: the plain colour, unlit.
std::string flat_texture(const LookSetup& setup, const Shade& shade);

/// srgb <r, g, b>
std::string povray_colour(const Vec3& display);

/// Conversion between display (sRGB) and linear values.
Vec3 to_linear(const Vec3& display);
Vec3 to_display(const Vec3& linear);

}  // namespace fondue
