#pragma once
// Pictures in memory and on disk. Colours are display (sRGB) values in [0, 1].

#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct Image {
  int width = 0, height = 0;
  /// Three bytes per pixel, top row first.
  std::vector<std::uint8_t> rgb;

  Vec3 colour(int x, int y) const;
  /// Blends a colour over a pixel; pixels outside the picture are ignored.
  void blend(int x, int y, const Vec3& colour, float opacity);
};

/// The mean of pictures of the same size, in linear light: motion blur.
Image mean_of(const std::vector<Image>& images);

/// Written under a temporary name and then renamed, so that an incomplete picture is never visible. Throws OutputError.
void write_png(const Image& image, const std::string& path);
/// Throws InputError if the picture is missing or damaged.
Image read_png(const std::string& path);

}  // namespace fondue
