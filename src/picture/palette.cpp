#include "picture/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "picture/colour_map.h"

namespace fondue {
namespace {

constexpr int no_number = -1;

float value_at(const Geometry::Attribute& attribute, std::size_t vertex) {
  if (attribute.components == 1) return attribute.values[vertex];
  const auto components = static_cast<std::size_t>(attribute.components);
  return length(std::span(attribute.values).subspan(vertex * components, components));
}

/// A grain's colour, lighter or darker by up to a third for a tint of 1 or -1.
Vec3 tinted(const Vec3& colour, float tint) {
  return to_display((1 + 0.33f * tint) * to_linear(colour)).cwiseMin(1.0f);
}

/// One quantity that varies between vertices.
struct Variation {
  const Geometry::Attribute* attribute = nullptr;
  float min = 0, max = 1;
  /// The middle if the range is a single value.
  float position(std::size_t vertex) const {
    const float value = value_at(*attribute, vertex);
    return max > min ? (value - min) / (max - min) : 0.5f + 0 * value;
  }
};

/// Quantisation step of a vertex, and the value in [0, 1] that a step represents.
int step_of(const Variation& variation, std::size_t vertex, int steps) {
  const float position = variation.position(vertex);
  if (std::isnan(position)) return no_number;
  return static_cast<int>(std::lround(std::clamp(position, 0.0f, 1.0f) * static_cast<float>(steps - 1)));
}
float place_of(int step, int steps) { return static_cast<float>(step) / static_cast<float>(steps - 1); }

}  // namespace

Palette make_palette(const DrawnObject& object) {
  const Geometry& geometry = object.geometry;
  enum { colour, wetness, heat, tint, place, kinds };
  std::array<Variation, kinds> variations;
  const auto use = [&](int kind, std::string_view name, float min, float max) {
    const Geometry::Attribute* attribute = geometry.find(name);
    if (attribute) variations[static_cast<std::size_t>(kind)] = {attribute, min, max};
  };
  if (object.colouring)
    use(colour, object.colouring->attribute, object.colouring->legend.min, object.colouring->legend.max);
  const bool coloured = variations[colour].attribute;
  use(wetness, "saturation", 0, 1);
  if (object.look.look == Look::lava && !coloured) use(heat, "temperature", object.cold, object.hot);

  if (!coloured) use(tint, "tint", -1, 1);
  const Keyable<float>& places = object.look.place;
  if (!coloured && places.over_attribute())
    use(place, places.over(), static_cast<float>(places.curve().keys().front()),
        static_cast<float>(places.curve().keys().back()));

  Palette palette;
  palette.coloured = coloured;
  const auto varying =
      std::count_if(variations.begin(), variations.end(), [](const Variation& v) { return v.attribute; });
  const int steps = varying <= 1 ? 64 : varying == 2 ? 8 : varying == 3 ? 4 : 2;

  const Vec3 own = look_colour(object.look);
  const ColourMap map(coloured ? object.colouring->legend.map : "viridis");
  const auto shade_of = [&](const std::array<int, kinds>& step) {
    Shade shade;
    shade.colour = !coloured ? own : step[colour] == no_number ? not_finite_colour : map(place_of(step[colour], steps));
    if (variations[wetness].attribute) shade.wetness = place_of(std::max(0, step[wetness]), steps);
    shade.heat = variations[heat].attribute ? place_of(std::max(0, step[heat]), steps) : coloured ? 0 : unknown_heat;
    if (variations[tint].attribute)
      shade.colour = tinted(shade.colour, 2 * place_of(std::max(0, step[tint]), steps) - 1);
    shade.place = object.place;
    if (const Variation& along = variations[place]; along.attribute)
      shade.place = places.curve()(along.min + place_of(std::max(0, step[place]), steps) * (along.max - along.min));
    return shade;
  };
  std::map<std::array<int, kinds>, Index> numbers;
  for (std::size_t i = 0; i != geometry.mesh.vertices.size(); ++i) {
    std::array<int, kinds> step{};
    for (std::size_t k = 0; k != kinds; ++k)
      if (variations[k].attribute) step[k] = step_of(variations[k], i, steps);
    const auto [entry, fresh] = numbers.try_emplace(step, static_cast<Index>(palette.shades.size()));
    if (fresh) palette.shades.push_back(shade_of(step));
    palette.of_vertex.push_back(entry->second);
  }
  return palette;
}

}  // namespace fondue
