#include "picture/colour_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace fondue {
namespace {

constexpr std::uint32_t viridis[] = {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                                     0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
constexpr std::uint32_t heat_map[] = {0x0c0406, 0x4a0c0c, 0x8c1510, 0xc92a12, 0xec5a14,
                                      0xf98e1d, 0xfdbd3a, 0xfde277, 0xfffce8};
constexpr std::uint32_t water[] = {0x123f85, 0x1759a5, 0x2079be, 0x469dd3, 0x7fc0e3, 0xbbdef0, 0xffffff};
constexpr std::uint32_t diverging[] = {0x2a4fa8, 0x5a83cf, 0x9cb9e3, 0xe6e6e4, 0xecae97, 0xd7654f, 0xa81f2c};

Vec3 unpack(std::uint32_t c) {
  return Vec3(static_cast<float>(c >> 16 & 255), static_cast<float>(c >> 8 & 255), static_cast<float>(c & 255)) / 255;
}

}  // namespace

ColourMap::ColourMap(std::string_view name) {
  if (name == "viridis") colours_ = viridis;
  if (name == "heat") colours_ = heat_map;
  if (name == "water") colours_ = water;
  if (name == "diverging") colours_ = diverging;
  if (colours_.empty())
    throw InputError(
        fmt::format("there is no colour map \"{}\"; there are {}", name, fmt::join(colour_map_names, ", ")));
}

Vec3 ColourMap::operator()(float t) const {
  const float position = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(colours_.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(position), colours_.size() - 2);
  const float f = position - static_cast<float>(i);
  return (1 - f) * unpack(colours_[i]) + f * unpack(colours_[i + 1]);
}

}  // namespace fondue
