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
  const float r = o.radius_pixels;
  return o.radius > 0 && o.x + r > 0 && o.y + r > 0 && o.x - r < static_cast<float>(width) &&
         o.y - r < static_cast<float>(height);
}

/// Rows of a picture that one thread fills.
struct Band {
  float* pixels;
  int width, first, end;

  /// Pixels whose middles are in the disc.
  void cover(const Outline& o, float reach) {
    const int y0 = clamped(std::ceil(o.y - reach - 0.5f), first, end),
              y1 = clamped(std::floor(o.y + reach + 0.5f), first, end);
    for (int y = y0; y < y1; ++y) {
      const float dy = static_cast<float>(y) + 0.5f - o.y;
      const float half = std::sqrt(std::max(0.0f, reach * reach - dy * dy));
      const int x0 = clamped(std::ceil(o.x - half - 0.5f), 0, width),
                x1 = clamped(std::floor(o.x + half + 0.5f), 0, width);
      float* const row = pixels + static_cast<std::ptrdiff_t>(y) * width;
      for (int x = x0; x < x1; ++x) row[x] = std::min(row[x], o.distance);
    }
  }
};

}  // namespace

std::vector<float> nearest_covering(const std::vector<Outline>& outlines, float part, int width, int height,
                                    float otherwise) {
  constexpr int bands = 16;
  std::vector<float> nearest(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), otherwise);
  const auto fill = [&](std::size_t b) {
    const int i = static_cast<int>(b);
    Band band{nearest.data(), width, i * height / bands, (i + 1) * height / bands};
    const float low = static_cast<float>(band.first), high = static_cast<float>(band.end);
    for (const Outline& o : outlines) {
      const float reach = part * o.radius_pixels;
      if (o.radius > 0 && o.y + reach > low && o.y - reach < high) band.cover(o, reach);
    }
  };
  parallel_for(bands, fill, 1);
  return nearest;
}

std::vector<Index> not_hidden(const std::vector<Outline>& outlines, int width, int height) {
  const std::vector<float> covered = nearest_covering(outlines, 0.85f, width, height, infinity);
  std::vector<char> seen(outlines.size(), 0);
  parallel_for(outlines.size(), [&](std::size_t i) {
    const Outline& o = outlines[i];
    if (!in_picture(o, width, height)) return;
    const float front = o.distance - 4 * o.radius, r = o.radius_pixels;
    const int x0 = clamped(o.x - r, 0, width - 1), x1 = clamped(o.x + r, 0, width - 1),
              y0 = clamped(o.y - r, 0, height - 1), y1 = clamped(o.y + r, 0, height - 1);
    for (int y = y0; y <= y1 && !seen[i]; ++y) {
      const float* const row = covered.data() + static_cast<std::ptrdiff_t>(y) * width;
      seen[i] = std::any_of(row + x0, row + x1 + 1, [&](float nearest) { return nearest >= front; });
    }
  });
  std::vector<Index> result;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) result.push_back(static_cast<Index>(i));
  return result;
}

}  // namespace fondue
