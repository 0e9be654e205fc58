#pragma once
// Colour maps: numbers in [0, 1] to display colours, interpolated linearly between a few colours.
//
//   viridis    dark violet, green, yellow; even steps of lightness, for any quantity
//   heat       black, red, yellow, white; for temperature
//   water      deep blue to white foam; for speed of water
//   diverging  blue, light grey, red; for quantities with a meaningful middle

#include <array>
#include <span>
#include <string_view>

#include "core/vec.h"

namespace fondue {

inline constexpr std::array<std::string_view, 4> colour_map_names = {"viridis", "heat", "water", "diverging"};

/// Shown instead where a value is not finite.
inline const Vec3 not_finite_colour(1.0f, 0.0f, 0.85f);

class ColourMap {
 public:
  /// Throws InputError for a name that is not in colour_map_names.
  explicit ColourMap(std::string_view name);
  /// Values outside [0, 1] are clamped to the ends.
  Vec3 operator()(float t) const;

 private:
  std::span<const std::uint32_t> colours_;
};

}  // namespace fondue
