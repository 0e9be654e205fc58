#pragma once
// Colours of particles and vertices: from the legend's map, individual colours, or one for all; eight bits per channel.

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

/// The colours of a legend, made once for many values.
class ColourTable {
 public:
  explicit ColourTable(const Legend& legend);
  /// Packed; magenta as a warning where the value is not finite.
  std::uint32_t operator()(float value) const;

 private:
  Legend legend_;
  std::vector<std::uint32_t> colours_;
};

/// The source of the colours of a set of points: values if given, else colours, else the single colour.
struct Colouring {
  std::span<const float> values;
  std::span<const Vec3> colours;
  Vec3 colour;
};

/// One per point; magenta as a warning where the value or the colour is not finite. Throws InputError if the number of
/// values or colours differs from the number of points (`points` names them: "particles", "vertices"), or if there are
/// values but no legend.
std::vector<std::uint32_t> packed_colours(const Colouring& colouring, std::size_t count, const char* points,
                                          const std::optional<Legend>& legend);

}  // namespace fondue
