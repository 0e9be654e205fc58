#include "picture/look.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fondue {
namespace {

/// What a look is without being asked for anything else.
struct LookConstants {
  std::array<float, 3> colour;
  /// Refractive index; 0: none is needed.
  float refraction = 0;
  /// How far white light travels until it has the colour [m]; 0: opaque.
  float clarity = 0;
  Vec3 own() const { return {colour[0], colour[1], colour[2]}; }
};

const LookConstants& constants_of(Look look) {
  static constexpr std::array<LookConstants, 19> all = {{{{0.42f, 0.80f, 0.88f}, 1.33f, 0.6f},    // water
                                                         {{0.97f, 0.90f, 0.76f}, 1.45f},          // wax
                                                         {{0.17f, 0.14f, 0.13f}},                 // lava
                                                         {{0.79f, 0.49f, 0.36f}},                 // clay
                                                         {{0.86f, 0.87f, 0.89f}},                 // metal
                                                         {{0.84f, 0.07f, 0.09f}, 1.45f},          // paint
                                                         {{0.87f, 0.73f, 0.52f}},                 // sand
                                                         {{0.30f, 0.44f, 0.70f}},                 // cloth
                                                         {{0.72f, 0.50f, 0.30f}},                 // wood
                                                         {{0.16f, 0.17f, 0.19f}},                 // rubber
                                                         {{0.80f, 0.92f, 0.86f}, 1.5f, 0.1f},     // glass
                                                         {{0.60f, 0.58f, 0.55f}},                 // stone
                                                         {{0.94f, 0.93f, 0.90f}, 1.5f},           // ceramic
                                                         {{0.98f, 0.74f, 0.22f}, 1.49f, 0.018f},  // honey
                                                         {{0.33f, 0.18f, 0.11f}, 1.4f},           // chocolate
                                                         {{0.78f, 0.91f, 0.96f}, 1.31f, 0.1f},    // ice
                                                         {{0.98f, 0.97f, 0.94f}, 1.35f},          // milk
                                                         {{0.95f, 0.96f, 0.99f}},                 // snow
                                                         {{0.93f, 0.76f, 0.38f}}}};               // sponge
  return all[static_cast<std::size_t>(look)];
}

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

/// Light scattered below the surface comes out again also where no light falls, and is more saturated (`tint`).
std::string scattering(const Shade& shade, const Vec3& tint, float gloss) {
  const Vec3 linear = to_linear(shade.colour), deep = linear.cwiseProduct(linear).cwiseProduct(tint);
  return fmt::format(
      "texture {{ pigment {{ {} }} finish {{ diffuse 0.62 brilliance 0.55 emission {} {} "
      "reflection {{ 0.0, {} fresnel on }} }} }}",
      povray_colour(shade.colour), linear_colour(0.16f * deep), shine(shade, 0.22f, 0.03f), gloss);
}

/// Clear with cloudy patches, and not quite even; less of both the less of it is ice.
std::string ice(const Shade& shade, float part = 1) {
  const std::string white = povray_colour(mixed(shade.colour, Vec3::Ones(), 0.6f));
  return fmt::format(
      "texture {{ pigment {{ bozo turbulence 0.6 octaves 4 color_map {{ [0.35 {0} filter {1:.3f}] [0.6 {0} filter "
      "{2:.3f}] [0.8 {0} filter {3:.3f}] }} scale 1.1 }} normal {{ bumps {4:.3f} scale 0.5 }} "
      "finish {{ diffuse {5:.3f} specular 0.5 roughness 0.006 reflection {{ 0.0, 0.9 fresnel on }} conserve_energy }} "
      "}}",
      white, 1 - 0.08f * part, 1 - 0.45f * part, 1 - 0.75f * part, 0.18f * part, 0.55f * part);
}

std::string stone(const Shade& shade) {
  return fmt::format("texture {{ {} normal {{ granite 0.25 scale 0.5 }} finish {{ diffuse 0.80 brilliance 0.9 {} }} }}",
                     grains(shade.colour, 0.55f, 1.25f, "0.45", "granite turbulence 0.1"), shine(shade, 0.06f, 0.08f));
}

/// Fine glitter on a matt ground that is brighter in its shadows than anything else.
std::string snow(const Shade& shade) {
  const Vec3 sky = to_linear(shade.colour).cwiseProduct(Vec3(0.75f, 0.88f, 1.0f));
  return fmt::format(
      "texture {{ pigment {{ {} }} normal {{ granite 0.22 scale 0.25 }} finish {{ diffuse 0.72 brilliance 0.6 "
      "emission {} {} }} }}",
      povray_colour(shade.colour), linear_colour(0.14f * sky), shine(shade, 0.25f, 0.02f));
}

/// Grains stand out while they are dry. In mud water fills what is between them: it is smoother, more even, and
/// reflects, most of all at a flat angle.
std::string sand(const Shade& shade) {
  const float mud = std::clamp((shade.wetness - 0.5f) / 0.5f, 0.0f, 1.0f);
  return fmt::format(
      "texture {{ {} normal {{ granite {:.3f} scale 0.14 }} finish {{ diffuse {:.3f} brilliance 0.85 {} "
      "reflection {{ 0.0, {:.3f} falloff 4 }} }} }}",
      grains(shade.colour, 0.55f + 0.25f * mud, 1.22f - 0.14f * mud, "0.05", "bozo"), 0.35f - 0.25f * mud,
      0.80f - 0.1f * mud, shine(shade, 0.0f, 0.1f), 0.5f * mud);
}

/// Dark holes around the centres of cells, large ones and small ones between them.
std::string sponge(const Shade& shade) {
  const Vec3 linear = to_linear(shade.colour);
  const auto holes = [&](float size, float edge) {
    return fmt::format("crackle form <1, 0, 0> color_map {{ [{:.2f} {}] [{:.2f} {}] [1 {}] }} scale {}", 0.5f * edge,
                       linear_colour(0.12f * linear), edge, linear_colour(0.92f * linear),
                       linear_colour(1.12f * linear), size);
  };
  return fmt::format(
      "texture {{ pigment {{ average pigment_map {{ [1 {}] [1.2 {}] }} }} normal {{ average normal_map {{ [1 crackle "
      "-1.6 form <1, 0, 0> scale 0.42] [1 crackle -1.2 form <1, 0, 0> scale 0.16] }} }} finish {{ diffuse 0.85 "
      "brilliance 0.8 {} }} }}",
      holes(0.42f, 0.42f), holes(0.16f, 0.5f), shine(shade, 0.02f, 0.15f));
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

/// Plain weave along the coordinates of a sheet. Threads of warp and weft lie above each other in turn, and some are
/// lighter than others. POV-Ray computes the pattern once, as an image of some threads that is repeated, instead of at
/// every ray. Light from behind shines through (the second number of `diffuse`).
std::string woven(const Shade& shade) {
  // Width of a thread in units of the scene, threads in the image, and points across a thread.
  constexpr double pitch = 0.075;
  constexpr int threads = 16, points = 14;
  const auto part = [&](const char* of) { return fmt::format("mod({}*{}, 1)", threads, of); };
  const auto which = [&](const char* of) { return fmt::format("floor({}*{})", threads, of); };
  // A thread is round across, and dives below its neighbours along its way.
  const auto thread = [&](const char* across, const char* along, double seed) {
    return fmt::format("pow(sin(pi*{}), 0.5)*(0.66+0.34*sin(pi*{}))*(0.93+0.07*sin({}*{}))", part(across), part(along),
                       seed, which(across));
  };
  const std::string weave = fmt::format("function {{ select(mod({}+{}, 2)-0.5, {}, {}) }}", which("x"), which("y"),
                                        thread("x", "y", 7.3), thread("y", "x", 4.7));
  const Vec3 linear = to_linear(shade.colour);
  const std::string image = fmt::format(
      "function {0}, {0} {{ pigment {{ {1} color_map {{ [0.05 {2}] [0.5 {3}] [0.95 {4}] }} }} }} interpolate 2",
      threads * points, weave, linear_colour(0.35f * linear), linear_colour(0.85f * linear),
      linear_colour((1.2f * linear).cwiseMin(1.0f)));
  const std::string relief =
      fmt::format("function {0}, {0} {{ pigment {{ {1} color_map {{ [0 rgb 0] [1 rgb 1] }} }} }} interpolate 2",
                  threads * points, weave);
  return fmt::format(
      "texture {{ uv_mapping pigment {{ image_map {{ {0} }} scale {2:.4f} }} "
      "normal {{ uv_mapping bump_map {{ {1} bump_size 0.6 }} scale {2:.4f} }} "
      "finish {{ diffuse 0.80, 0.55 brilliance 0.8 {3} }} }}",
      image, relief, threads * pitch, shine(shade, 0.04f, 0.12f));
}

/// Threads along all three axes, of varying lightness, where there are no coordinates.
std::string cloth(const Shade& shade) {
  if (shade.woven) return woven(shade);
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
  if (setup.colour) return *setup.colour;
  // Of looks that fade into each other, the first one's.
  return (setup.sequence_colours.empty() ? std::nullopt : setup.sequence_colours.front())
      .value_or(constants_of(setup.look).own());
}

float look_refraction(Look look) { return constants_of(look).refraction; }

float look_clarity(const LookSetup& setup) { return setup.clarity.value_or(constants_of(setup.look).clarity); }

bool is_clear(Look look) { return constants_of(look).clarity > 0; }

bool is_clear(const LookSetup& setup) {
  return is_clear(setup.look) || std::ranges::any_of(setup.sequence, [](Look look) { return is_clear(look); });
}

bool glows(const LookSetup& setup) {
  return setup.look == Look::lava || std::ranges::find(setup.sequence, Look::lava) != setup.sequence.end();
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
    case Look::honey:
      return "texture { pigment { rgbf 1 } finish { diffuse 0 specular 0.4 roughness 0.004 "
             "reflection { 0.0, 1.0 fresnel on } conserve_energy } }";
    case Look::wax:
      return scattering(shade, Vec3(1.0f, 0.85f, 0.6f), 0.12f);
    case Look::milk:
      return scattering(shade, Vec3(1.0f, 0.96f, 0.88f), 0.7f);
    case Look::ice:
      return ice(shade);
    case Look::stone:
      return stone(shade);
    case Look::snow:
      return snow(shade);
    case Look::sponge:
      return sponge(shade);
    case Look::ceramic:
      return fmt::format(
          "texture {{ pigment {{ {} }} finish {{ diffuse 0.78 specular 0.45 roughness 0.004 "
          "reflection {{ 0.0, 0.8 fresnel on }} conserve_energy }} }}",
          povray_colour(shade.colour));
    case Look::chocolate:
      return fmt::format(
          "texture {{ pigment {{ {} }} finish {{ diffuse 0.80 brilliance 0.85 specular 0.30 roughness 0.012 "
          "reflection {{ 0.0, 0.5 fresnel on }} }} }}",
          povray_colour(shade.colour));
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
      return sand(shade);
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

namespace {

/// The colour and the clarity of one look of a sequence.
Vec3 colour_in(const LookSetup& setup, std::size_t k) {
  if (setup.colour) return *setup.colour;
  return (k < setup.sequence_colours.size() ? setup.sequence_colours[k] : std::nullopt)
      .value_or(constants_of(setup.sequence[k]).own());
}
float clarity_in(const LookSetup& setup, std::size_t k) {
  if (setup.clarity) return *setup.clarity;
  return (k < setup.sequence_clarities.size() ? setup.sequence_clarities[k] : std::nullopt)
      .value_or(constants_of(setup.sequence[k]).clarity);
}

}  // namespace

std::string look_texture(const LookSetup& setup, const Shade& shade) {
  if (setup.sequence.empty()) return look_texture(setup.look, shade);
  const auto one = [&](std::size_t k) {
    Shade own = shade;
    if (!setup.colour) own.colour = colour_in(setup, k);
    return look_texture(setup.sequence[k], own);
  };
  const float place = std::clamp(shade.place, 0.0f, static_cast<float>(setup.sequence.size() - 1));
  const auto first = static_cast<std::size_t>(place);
  const float rest = place - static_cast<float>(first);
  if (rest < 0.01f) return one(first);
  // A mean of clear textures would follow every ray twice at every surface: ice becomes clearer instead, and others
  // change half-way.
  const Look a = setup.sequence[first], b = setup.sequence[first + 1];
  if (is_clear(a) && is_clear(b) && (a == Look::ice) != (b == Look::ice)) {
    Shade own = shade;
    if (!setup.colour) own.colour = colour_in(setup, a == Look::ice ? first : first + 1);
    return ice(own, a == Look::ice ? 1 - rest : rest);
  }
  if (is_clear(a) || is_clear(b)) return one(rest < 0.5f ? first : first + 1);
  // Entries of a map are textures without the word and its braces.
  const auto body = [](const std::string& texture) {
    const std::size_t open = texture.find('{') + 1;
    return texture.substr(open, texture.rfind('}') - open);
  };
  return fmt::format("texture {{ average texture_map {{ [{:.4f} {}] [{:.4f} {}] }} }}", 1 - rest, body(one(first)),
                     rest, body(one(first + 1)));
}

std::string look_interior(const LookSetup& setup, float scale, float place) {
  // Of looks that follow a column, light passes through the clear one; of those that follow time, through the clear one
  // that is nearest now.
  Look look = setup.look;
  Vec3 own = setup.colour.value_or(constants_of(look).own());
  float clarity = setup.clarity.value_or(constants_of(look).clarity), nearest = infinity;
  for (std::size_t k = 0; k != setup.sequence.size(); ++k) {
    const float away = setup.place.over_time() ? std::abs(static_cast<float>(k) - place) : static_cast<float>(k);
    if (!is_clear(setup.sequence[k]) || away >= nearest) continue;
    look = setup.sequence[k];
    own = colour_in(setup, k);
    clarity = clarity_in(setup, k);
    nearest = away;
  }
  const LookConstants& constants = constants_of(look);
  if (constants.refraction == 0) return {};
  if (constants.clarity == 0) return fmt::format("interior {{ ior {} }}", constants.refraction);
  // POV-Ray's light falls as exp(-(1 - fade_color) s / fade_distance); C^(s/c) is the same for -ln C instead of the
  // first.
  const Vec3 colour = to_linear(own).cwiseMax(1e-4f).cwiseMin(0.9999f);
  const Vec3 absorbed = -colour.array().log();
  const float most = absorbed.maxCoeff();
  return fmt::format("interior {{ ior {} fade_power 1001 fade_distance {:.6g} fade_color {} }}", constants.refraction,
                     scale * clarity / most, linear_colour(Vec3::Ones() - absorbed / most));
}

std::string satin_texture(const Shade& shade) {
  return fmt::format("texture {{ pigment {{ {} }} finish {{ diffuse 0.80 specular 0.30 roughness 0.015 }} }}",
                     povray_colour(wetted(shade.colour, shade.wetness)));
}

std::string woven_shadow(const Shade& shade) {
  constexpr float through = 0.5f;
  const Vec3 passed = through * to_linear(wetted(shade.colour, shade.wetness)).cwiseMax(0.05f).cwiseSqrt();
  return fmt::format("texture {{ pigment {{ {} filter 1 }} finish {{ diffuse 0 }} }}", linear_colour(passed));
}

std::string flat_texture(const LookSetup& setup, const Shade& shade) {
  Vec3 linear = to_linear(wetted(shade.colour, shade.wetness));
  if (!setup.sequence.empty() && !setup.colour) {
    const float place = std::clamp(shade.place, 0.0f, static_cast<float>(setup.sequence.size() - 1));
    const auto first = static_cast<std::size_t>(place), next = std::min(first + 1, setup.sequence.size() - 1);
    linear =
        mixed(to_linear(colour_in(setup, first)), to_linear(colour_in(setup, next)), place - static_cast<float>(first));
  }
  if (setup.look == Look::lava) linear = (linear + glow(shade.heat)).cwiseMin(1.0f);
  return fmt::format("texture {{ pigment {{ {} }} finish {{ diffuse 0 emission 1 }} }}", linear_colour(linear));
}

}  // namespace fondue
