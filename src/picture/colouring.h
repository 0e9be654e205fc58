#pragma once
// Colours of particles and of vertices: by the legend's map, their own, or one for all; in eight bits a channel.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "picture/legend.h"

namespace fondue {

/// Colour of solids.
inline const Vec3 solid_grey(0.90f, 0.90f, 0.89f);

/// Red in the lowest byte, then green and blue.
std::uint32_t packed_colour(const Vec3& colour);

/// What colours a number of points; values go before colours, and colours before the one colour.
struct Colouring {
  std::span<const float> values;
  std::span<const Vec3> colours;
  Vec3 colour;
};

/// One a point; a warning magenta where the value or the colour is no finite number. Throws InputError if there are not
/// as many values or colours as points ("particles", "vertices"), or values without a legend.
std::vector<std::uint32_t> packed_colours(const Colouring& colouring, std::size_t count, const char* points,
                                          const std::optional<Legend>& legend);

}  // namespace fondue
