#include "picture/hidden.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace fondue {
namespace {

/// Pixels that an outline touches, inside the picture.
struct Pixels {
  Pixels(const Outline& o, float reach, int width, int height)
      : x0(clamped(o.x - reach, width)),
        x1(clamped(o.x + reach, width)),
        y0(clamped(o.y - reach, height)),
        y1(clamped(o.y + reach, height)) {}
  static int clamped(float pixel, int size) {
    return static_cast<int>(std::clamp(std::floor(pixel), 0.0f, static_cast<float>(size - 1)));
  }
  int x0, x1, y0, y1;
};

bool in_picture(const Outline& o, int width, int height) {
  const float r = o.radius_pixels;
  return o.radius > 0 && o.x + r > 0 && o.y + r > 0 && o.x - r < static_cast<float>(width) &&
         o.y - r < static_cast<float>(height);
}

}  // namespace

std::vector<Index> not_hidden(const std::vector<Outline>& outlines, int width, int height) {
  const auto row = [&](int y) { return static_cast<std::size_t>(y) * static_cast<std::size_t>(width); };
  std::vector<float> covered(row(height), infinity);
  for (const Outline& o : outlines) {
    if (!in_picture(o, width, height)) continue;
    const float reach = 0.85f * o.radius_pixels;
    const Pixels pixels(o, reach, width, height);
    for (int y = pixels.y0; y <= pixels.y1; ++y)
      for (int x = pixels.x0; x <= pixels.x1; ++x) {
        const float dx = static_cast<float>(x) + 0.5f - o.x, dy = static_cast<float>(y) + 0.5f - o.y;
        float& nearest = covered[row(y) + static_cast<std::size_t>(x)];
        if (dx * dx + dy * dy < reach * reach && o.distance < nearest) nearest = o.distance;
      }
  }

  std::vector<char> seen(outlines.size(), 0);
  parallel_for(outlines.size(), [&](std::size_t i) {
    const Outline& o = outlines[i];
    if (!in_picture(o, width, height)) return;
    const float front = o.distance - 4 * o.radius;
    const Pixels pixels(o, o.radius_pixels, width, height);
    for (int y = pixels.y0; y <= pixels.y1 && !seen[i]; ++y)
      for (int x = pixels.x0; x <= pixels.x1 && !seen[i]; ++x)
        seen[i] = covered[row(y) + static_cast<std::size_t>(x)] >= front;
  });
  std::vector<Index> result;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) result.push_back(static_cast<Index>(i));
  return result;
}

}  // namespace fondue
