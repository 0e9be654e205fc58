#include "picture/hidden.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace fondue {
namespace {

int clamped(float pixel, int least, int most) {
  return static_cast<int>(std::clamp(pixel, static_cast<float>(least), static_cast<float>(most)));
}

bool in_picture(const Outline& o, int width, int height) {
  const float r = o.stretch * o.radius_pixels;
  return o.radius > 0 && o.x + r > 0 && o.y + r > 0 && o.x - r < static_cast<float>(width) &&
         o.y - r < static_cast<float>(height);
}

/// Rows of a picture that one thread fills.
struct Band {
  float* pixels;
  int width, first, end;

  /// Calls part(pixel, squared distance from the outline's centre) for all pixels whose centres are within reach.
  template <class Part>
  void cover(const Outline& o, float reach, Part&& part) const {
    const int y0 = clamped(o.y - reach + 0.5f, first, end), y1 = clamped(o.y + reach + 0.5f, first, end);
    for (int y = y0; y < y1; ++y) {
      const float dy = static_cast<float>(y) + 0.5f - o.y;
      const float half = std::sqrt(std::max(0.0f, reach * reach - dy * dy));
      const int x0 = clamped(o.x - half + 0.5f, 0, width), x1 = clamped(o.x + half + 0.5f, 0, width);
      float* const row = pixels + static_cast<std::ptrdiff_t>(y) * width;
      for (int x = x0; x < x1; ++x) {
        const float dx = static_cast<float>(x) + 0.5f - o.x;
        part(row[x], dx * dx + dy * dy);
      }
    }
  }
};

/// Calls covers(band, outline) for every outline, in bands that are filled in parallel.
template <class Covers>
std::vector<float> fill(const std::vector<Outline>& outlines, int width, int height, float otherwise, Covers&& covers) {
  constexpr int bands = 16;
  std::vector<float> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), otherwise);
  const auto fill_band = [&](std::size_t b) {
    const int i = static_cast<int>(b);
    const Band band{pixels.data(), width, i * height / bands, (i + 1) * height / bands};
    const float low = static_cast<float>(band.first), high = static_cast<float>(band.end);
    for (const Outline& o : outlines)
      if (o.radius > 0 && o.y + o.radius_pixels > low && o.y - o.radius_pixels < high) covers(band, o);
  };
  parallel_for(bands, fill_band, 1);
  return pixels;
}

/// The nearest surface at the centre of every pixel that is well inside an outline.
std::vector<float> nearest_surfaces(const std::vector<Outline>& outlines, int width, int height) {
  return fill(outlines, width, height, infinity, [](const Band& band, const Outline& o) {
    const float curve = o.radius / (o.radius_pixels * o.radius_pixels), front = o.distance - o.radius;
    const auto part = [&](float& pixel, float squared) { pixel = std::min(pixel, front + curve * squared); };
    band.cover(o, std::max(0.85f * o.radius_pixels, o.radius_pixels - 0.35f), part);
  });
}

}  // namespace

std::vector<float> nearest_discs(const std::vector<Outline>& outlines, int width, int height, float otherwise) {
  return fill(outlines, width, height, otherwise, [](const Band& band, const Outline& o) {
    band.cover(o, o.radius_pixels, [&](float& pixel, float) { pixel = std::min(pixel, o.distance); });
  });
}

std::vector<Index> possibly_visible(const std::vector<Outline>& outlines, int width, int height, float margin) {
  const std::vector<float> covered = nearest_surfaces(outlines, width, height);
  const auto shows = [&](const Outline& o) {
    if (!in_picture(o, width, height)) return false;
    const float widest = o.stretch * o.radius_pixels, r = widest + 0.7f;
    const float front = o.distance - (1 + (o.radius_pixels > 2.5f ? margin : 3)) * o.radius,
                curve = 0.5f * o.radius / (widest * widest);
    const int x0 = clamped(o.x - r, 0, width - 1), x1 = clamped(o.x + r, 0, width - 1),
              y0 = clamped(o.y - r, 0, height - 1), y1 = clamped(o.y + r, 0, height - 1);
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const float dx = static_cast<float>(x) + 0.5f - o.x, dy = static_cast<float>(y) + 0.5f - o.y,
                    squared = dx * dx + dy * dy;
        const float nearest = covered[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x];
        if (squared < r * r && front + curve * squared <= nearest) return true;
      }
    return false;
  };
  std::vector<char> seen(outlines.size(), 0);
  parallel_for(outlines.size(), [&](std::size_t i) { seen[i] = shows(outlines[i]); });
  std::vector<Index> result;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) result.push_back(static_cast<Index>(i));
  return result;
}

}  // namespace fondue
