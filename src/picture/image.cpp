#include "picture/image.h"

#include <fmt/format.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.h"
#include "picture/look.h"

namespace fondue {
namespace {

std::size_t offset(const Image& image, int x, int y) {
  return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
}

[[noreturn]] void fail(const std::string& path, const std::string& part) {
  const std::string reason = std::strerror(errno);
  std::remove(part.c_str());
  throw OutputError(fmt::format("{}: cannot write the picture: {}", path, reason));
}

}  // namespace

Vec3 Image::colour(int x, int y) const {
  const std::uint8_t* p = &rgb[offset(*this, x, y)];
  return Vec3(p[0], p[1], p[2]) / 255;
}

void Image::blend(int x, int y, const Vec3& colour, float opacity) {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  std::uint8_t* p = &rgb[offset(*this, x, y)];
  for (int k = 0; k < 3; ++k) {
    const float mixed = p[k] + opacity * (255 * colour[k] - p[k]);
    p[k] = static_cast<std::uint8_t>(std::min(255.0f, std::max(0.0f, mixed + 0.5f)));
  }
}

Image mean_of(const std::vector<Image>& images) {
  Image mean = images.front();
  if (images.size() == 1) return mean;
  std::array<float, 256> linear;
  for (std::size_t k = 0; k != linear.size(); ++k)
    linear[k] = to_linear(Vec3::Constant(static_cast<float>(k) / 255)).x();
  for (std::size_t i = 0; i != mean.rgb.size(); ++i) {
    float sum = 0;
    for (const Image& image : images) sum += linear[image.rgb[i]];
    const Vec3 display = to_display(Vec3::Constant(sum / static_cast<float>(images.size())));
    mean.rgb[i] = static_cast<std::uint8_t>(std::clamp(255 * display.x() + 0.5f, 0.0f, 255.0f));
  }
  return mean;
}

void write_png(const Image& image, const std::string& path) {
  std::vector<std::uint8_t> png;
  const auto append = [](void* to, void* data, int size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    static_cast<std::vector<std::uint8_t>*>(to)->insert(static_cast<std::vector<std::uint8_t>*>(to)->end(), bytes,
                                                        bytes + size);
  };
  if (!stbi_write_png_to_func(append, &png, image.width, image.height, 3, image.rgb.data(), 3 * image.width))
    throw OutputError(fmt::format("{}: cannot make a PNG of {} x {} pixels", path, image.width, image.height));

  const std::string part = path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (!file) fail(path, part);
  const bool written = std::fwrite(png.data(), 1, png.size(), file) == png.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || std::rename(part.c_str(), path.c_str()) != 0) fail(path, part);
}

Image read_png(const std::string& path) {
  Image image;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &image.width, &image.height, &channels, 3), stbi_image_free);
  if (!pixels) throw InputError(fmt::format("{}: cannot read the picture: {}", path, stbi_failure_reason()));
  image.rgb.assign(pixels.get(), pixels.get() + offset(image, 0, image.height));
  return image;
}

}  // namespace fondue
