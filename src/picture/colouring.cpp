#include "picture/colouring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "picture/colour_map.h"

namespace fondue {
namespace {

void check(const Colouring& colouring, std::size_t count, const char* points, const std::optional<Legend>& legend) {
  const auto expect = [&](std::size_t size, const char* what) {
    if (size != count && size != 0)
      throw InputError(fmt::format("picture: {} {} for {} {}", size, what, count, points));
  };
  expect(colouring.values.size(), "values");
  expect(colouring.colours.size(), "colours");
  if (!colouring.values.empty() && !legend)
    throw InputError("picture: values need a legend that says how to colour them");
}

}  // namespace

std::uint32_t packed_colour(const Vec3& colour) {
  const auto byte = [](float c) { return static_cast<std::uint32_t>(std::clamp(c, 0.0f, 1.0f) * 255 + 0.5f); };
  return byte(colour.x()) | byte(colour.y()) << 8 | byte(colour.z()) << 16;
}

ColourTable::ColourTable(const Legend& legend) : legend_(legend) {
  const ColourMap map(legend.map);
  for (int i = 0; i < 1024; ++i) colours_.push_back(packed_colour(map(static_cast<float>(i) / 1023)));
}

std::uint32_t ColourTable::operator()(float value) const {
  const float t = legend_.position(value);
  return std::isnan(t) ? packed_colour(not_finite_colour)
                       : colours_[static_cast<std::size_t>(std::clamp(t, 0.0f, 1.0f) * 1023 + 0.5f)];
}

std::vector<std::uint32_t> packed_colours(const Colouring& colouring, std::size_t count, const char* points,
                                          const std::optional<Legend>& legend) {
  check(colouring, count, points, legend);
  const auto checked = [](const Vec3& colour) {
    return packed_colour(colour.allFinite() ? colour : not_finite_colour);
  };
  std::vector<std::uint32_t> result(count, checked(colouring.colour));
  if (!colouring.values.empty()) {
    const ColourTable colour(*legend);
    parallel_for(count, [&](std::size_t i) { result[i] = colour(colouring.values[i]); });
  } else if (!colouring.colours.empty()) {
    parallel_for(count, [&](std::size_t i) { result[i] = checked(colouring.colours[i]); });
  }
  return result;
}

}  // namespace fondue
