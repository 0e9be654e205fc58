#include "picture/look.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fondue {
namespace {

/// Fraction of its light that fully wet matter still reflects.
constexpr float wet_reflectance = 0.4f;

std::string linear_colour(const Vec3& c) { return fmt::format("rgb <{:.4f}, {:.4f}, {:.4f}>", c.x(), c.y(), c.z()); }

Vec3 mixed(const Vec3& a, const Vec3& b, float t) { return (1 - t) * a + t * b; }

/// Highlight of the film of water on wet matter.
std::string shine(const Shade& shade, float dry, float dry_roughness) {
  return fmt::format("specular {:.3f} roughness {:.4f}", dry + 0.5f * shade.wetness,
                     dry_roughness * (1 - shade.wetness) + 0.01f * shade.wetness);
}

/// The same colour in grains of different lightness.
std::string grains(const Vec3& colour, float darkest, float lightest, const char* scale, const char* pattern) {
  const Vec3 linear = to_linear(colour);
  return fmt::format("pigment {{ {} color_map {{ [0.2 {}] [0.8 {}] }} scale {} }}", pattern,
                     linear_colour(darkest * linear), linear_colour(lightest * linear), scale);
}

std::string wax(const Shade& shade) {
  const Vec3 linear = to_linear(shade.colour);
  // Light scattered below the surface is more saturated than reflected light.
  const Vec3 deep = linear.cwiseProduct(linear).cwiseProduct(Vec3(1.0f, 0.85f, 0.6f));
  return fmt::format(
      "texture {{ pigment {{ {} }} finish {{ diffuse 0.62 brilliance 0.55 emission {} {} "
      "reflection {{ 0.0, 0.12 fresnel on }} }} }}",
      povray_colour(shade.colour), linear_colour(0.16f * deep), shine(shade, 0.22f, 0.03f));
}

/// Lava of uniform heat. Brightly glowing parts need no other light, which saves shadow rays.
std::string ember(const Vec3& crust, float heat) {
  const Vec3 light = glow(heat);
  const float strength = std::max(light.maxCoeff(), 1e-3f);
  const float part = std::clamp(2.5f * strength, 0.0f, 1.0f);
  const Vec3 colour = mixed(to_linear(crust), light / strength, part);
  const std::string lit =
      part < 1 ? fmt::format("diffuse {:.3f} specular {:.3f} roughness 0.05", 0.75f * (1 - part), 0.10f * (1 - part))
               : "diffuse 0";
  return fmt::format(
      "pigment {{ {} }} normal {{ bumps {:.2f} turbulence 0.6 octaves 3 scale 0.10 }} finish {{ {} emission {:.3f} }}",
      linear_colour(colour), 0.7f * (1 - 0.8f * heat), lit, strength);
}

std::string lava(const Shade& shade) {
  // The surface cools unevenly: patches of crust on hotter matter.
  const float cool = std::clamp(shade.heat - 0.22f, 0.0f, 1.0f), hot = std::clamp(shade.heat + 0.06f, 0.0f, 1.0f);
  return fmt::format(
      "texture {{ bozo turbulence 0.7 octaves 4 lambda 2.4 texture_map {{ [0.32 {}] [0.55 {}] }} scale 0.7 }}",
      ember(shade.colour, cool), ember(shade.colour, shade.heat > 0.02f ? hot : shade.heat));
}

std::string metal(const Shade& shade) {
  return fmt::format(
      "texture {{ {} finish {{ diffuse 0.20 brilliance 1.6 specular 0.5 roughness 0.03 metallic "
      "reflection {{ 0.60, 0.85 metallic }} }} }}",
      grains(shade.colour, 0.80f, 1.04f, "<3, 0.035, 0.035>", "bozo"));
}

/// Rings of a trunk along x, with some turbulence.
std::string wood(const Shade& shade) {
  return fmt::format("texture {{ {} finish {{ diffuse 0.75 {} }} }}",
                     grains(shade.colour, 0.62f, 1.12f, "0.35", "wood turbulence 0.07 octaves 3 rotate <0, 88, 0>"),
                     shine(shade, 0.12f, 0.05f));
}

/// Threads along all three axes, of varying lightness.
std::string cloth(const Shade& shade) {
  const auto threads = [](const std::string& along) {
    return fmt::format("[1 bozo color_map {{ [0.25 Dark] [0.75 Light] }} scale {}]", along);
  };
  const Vec3 linear = to_linear(shade.colour);
  const std::string x = "<0.6, 0.03, 0.03>", y = "<0.03, 0.6, 0.03>", z = "<0.03, 0.03, 0.6>";
  std::string pigment =
      fmt::format("pigment {{ average pigment_map {{ {} {} {} }} }}", threads(x), threads(y), threads(z));
  const auto put = [&](const std::string& name, float lightness) {
    const std::string colour = linear_colour(lightness * linear);
    for (std::size_t at; (at = pigment.find(name)) != std::string::npos;) pigment.replace(at, name.size(), colour);
  };
  put("Dark", 0.65f);
  put("Light", 1.34f);
  return fmt::format(
      "texture {{ {} normal {{ average normal_map {{ [1 bumps 0.2 scale {}] [1 bumps 0.2 scale {}] [1 bumps 0.2 scale "
      "{}] }} }} "
      "finish {{ diffuse 0.80 brilliance 0.7 {} }} }}",
      pigment, x, y, z, shine(shade, 0.03f, 0.15f));
}

}  // namespace

Vec3 look_colour(const LookSetup& setup) {
  static constexpr std::array<std::array<float, 3>, 11> own = {{{0.42f, 0.80f, 0.88f},
                                                                {0.97f, 0.90f, 0.76f},
                                                                {0.17f, 0.14f, 0.13f},
                                                                {0.79f, 0.49f, 0.36f},
                                                                {0.86f, 0.87f, 0.89f},
                                                                {0.84f, 0.07f, 0.09f},
                                                                {0.87f, 0.73f, 0.52f},
                                                                {0.30f, 0.44f, 0.70f},
                                                                {0.72f, 0.50f, 0.30f},
                                                                {0.16f, 0.17f, 0.19f},
                                                                {0.80f, 0.92f, 0.86f}}};
  const auto& c = own[static_cast<std::size_t>(setup.look)];
  return setup.colour.value_or(Vec3(c[0], c[1], c[2]));
}

Vec3 glow(float heat) {
  static constexpr std::array<std::array<float, 4>, 6> ramp = {{{0.00f, 0, 0, 0},
                                                                {0.20f, 0.10f, 0.004f, 0},
                                                                {0.40f, 0.62f, 0.050f, 0.002f},
                                                                {0.60f, 1.05f, 0.24f, 0.012f},
                                                                {0.80f, 1.35f, 0.62f, 0.09f},
                                                                {1.00f, 1.60f, 1.20f, 0.62f}}};
  const float h = std::clamp(heat, 0.0f, 1.0f);
  std::size_t i = 1;
  while (i + 1 < ramp.size() && ramp[i][0] < h) ++i;
  const auto &a = ramp[i - 1], &b = ramp[i];
  return mixed(Vec3(a[1], a[2], a[3]), Vec3(b[1], b[2], b[3]), (h - a[0]) / (b[0] - a[0]));
}

Vec3 to_linear(const Vec3& display) {
  return display.unaryExpr([](float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); });
}

Vec3 to_display(const Vec3& linear) {
  return linear.unaryExpr(
      [](float c) { return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f; });
}

Vec3 wetted(const Vec3& colour, float wetness) {
  const float S = std::clamp(wetness, 0.0f, 1.0f);
  return to_display((S * wet_reflectance + (1 - S)) * to_linear(colour));
}

std::string povray_colour(const Vec3& display) {
  return fmt::format("srgb <{:.4f}, {:.4f}, {:.4f}>", display.x(), display.y(), display.z());
}

std::string look_texture(Look look, const Shade& dry) {
  Shade shade = dry;
  shade.colour = wetted(dry.colour, dry.wetness);
  switch (look) {
    case Look::water:
      return "texture { pigment { rgbf 1 } finish { diffuse 0 reflection { 0.0, 1.0 fresnel on } conserve_energy } }";
    case Look::wax:
      return wax(shade);
    case Look::lava:
      return lava(shade);
    case Look::clay:
      return fmt::format(
          "texture {{ {} normal {{ bumps 0.06 scale 0.12 }} finish {{ diffuse 0.78 brilliance 0.8 {} }} }}",
          grains(shade.colour, 0.88f, 1.06f, "0.5", "bozo"), shine(shade, 0.05f, 0.12f));
    case Look::metal:
      return metal(shade);
    case Look::paint:
      return fmt::format(
          "texture {{ pigment {{ {} }} finish {{ diffuse 0.75 specular 0.5 roughness 0.004 "
          "reflection {{ 0.0, 0.9 fresnel on }} conserve_energy }} }}",
          povray_colour(shade.colour));
    case Look::sand:
      return fmt::format(
          "texture {{ {} normal {{ granite 0.35 scale 0.14 }} finish {{ diffuse 0.80 brilliance 0.85 {} }} }}",
          grains(shade.colour, 0.55f, 1.22f, "0.05", "bozo"), shine(shade, 0.0f, 0.1f));
    case Look::cloth:
      return cloth(shade);
    case Look::wood:
      return wood(shade);
    case Look::rubber:
      return fmt::format("texture {{ pigment {{ {} }} finish {{ diffuse 0.70 brilliance 0.8 {} }} }}",
                         povray_colour(shade.colour), shine(shade, 0.14f, 0.12f));
    case Look::glass:
      return "texture { pigment { rgbf 1 } finish { diffuse 0 specular 0.6 roughness 0.002 "
             "reflection { 0.02, 1.0 fresnel on } conserve_energy } }";
  }
  return {};
}

std::string look_interior(Look look, const Vec3& colour) {
  if (look == Look::paint || look == Look::wax) return "interior { ior 1.45 }";
  if (look == Look::glass)
    return fmt::format("interior {{ ior 1.5 fade_power 1001 fade_distance 3 fade_color {} }}", povray_colour(colour));
  if (look != Look::water) return {};
  return fmt::format("interior {{ ior 1.33 fade_power 1001 fade_distance 1.5 fade_color {} }}", povray_colour(colour));
}

std::string satin_texture(const Shade& shade) {
  return fmt::format("texture {{ pigment {{ {} }} finish {{ diffuse 0.80 specular 0.30 roughness 0.015 }} }}",
                     povray_colour(wetted(shade.colour, shade.wetness)));
}

std::string flat_texture(Look look, const Shade& shade) {
  Vec3 linear = to_linear(wetted(shade.colour, shade.wetness));
  if (look == Look::lava) linear = (linear + glow(shade.heat)).cwiseMin(1.0f);
  return fmt::format("texture {{ pigment {{ {} }} finish {{ diffuse 0 emission 1 }} }}", linear_colour(linear));
}

}  // namespace fondue
