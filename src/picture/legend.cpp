#include "picture/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "picture/colour_map.h"

namespace fondue {
namespace {

const Vec3 ink(0.16f, 0.18f, 0.22f);
const Vec3 paper(1, 1, 1);

/// Sizes are for pictures of 720 rows; in small pictures text stays readable.
float scale_of(const Image& image) { return std::max(0.65f, static_cast<float>(image.height) / 720); }

std::string superscript(int exponent) {
  constexpr std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (char c : std::to_string(exponent)) text += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  return text;
}

/// 0.25, 1200, −3; very large or small numbers as 2.5×10⁶; all with the same number of digits.
std::string tick_label(double value, double step, double largest) {
  constexpr double readable_most = 99999.5, readable_least = 1e-3;
  const int step_power = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  if (std::abs(value) < 1e-6 * step) value = 0;  // no −0
  const std::string sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  if (largest < readable_most && largest >= readable_least)
    return fmt::format("{}{:.{}f}", sign, size, std::max(0, -step_power));
  if (value == 0) return "0";
  const int power = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
  return fmt::format("{}{:.{}f}×10{}", sign, size / std::pow(10.0, power), std::max(0, power - step_power),
                     superscript(power));
}

/// Filled rectangle with anti-aliased edges.
void fill(Image& image, float x0, float y0, float x1, float y1, const Vec3& colour, float opacity) {
  const auto covered = [](float a, float b, int i) {
    return std::clamp(std::min(b, static_cast<float>(i + 1)) - std::max(a, static_cast<float>(i)), 0.0f, 1.0f);
  };
  for (int y = static_cast<int>(std::floor(y0)); static_cast<float>(y) < y1; ++y)
    for (int x = static_cast<int>(std::floor(x0)); static_cast<float>(x) < x1; ++x)
      image.blend(x, y, colour, opacity * covered(x0, x1, x) * covered(y0, y1, y));
}

}  // namespace

std::vector<Tick> legend_ticks(float min, float max) {
  if (!(max > min) || !std::isfinite(max - min)) return {{min, fmt::format("{:.3g}", min)}};
  const double rough = (static_cast<double>(max) - min) / 4;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  const double step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  const double largest = std::max(std::abs(static_cast<double>(min)), std::abs(static_cast<double>(max)));
  std::vector<Tick> ticks;
  for (double k = std::ceil(min / step - 1e-4); k * step <= max + 1e-4 * step; ++k)
    ticks.push_back({k * step, tick_label(k * step, step, largest)});
  return ticks;
}

void draw_legend(Image& image, const Font& font, const Legend& legend) {
  const float unit = scale_of(image);
  const float text = 17 * unit, title = 19 * unit, gap = 12 * unit, pad = 14 * unit;
  const float bar_width = std::round(16 * unit), bar_height = std::round(250 * unit);
  const std::vector<Tick> ticks = legend_ticks(legend.min, legend.max);
  const std::string heading = legend.unit.empty() ? legend.title : legend.title + " [" + legend.unit + "]";

  float width = font.width(heading, title);
  for (const Tick& tick : ticks) width = std::max(width, bar_width + gap + font.width(tick.label, text));
  const float left = std::round(static_cast<float>(image.width) - 34 * unit - width), bar_right = left + bar_width;
  const float top = std::round(0.5f * (static_cast<float>(image.height) - bar_height)), bottom = top + bar_height;

  fill(image, left - pad, top - 2.5f * title, left + width + pad, bottom + 1.3f * pad, paper, 0.55f);
  font.draw(image, left, top - 0.95f * title, heading, title, ink);
  fill(image, left - unit, top - unit, bar_right + unit, bottom + unit, ink, 0.55f);
  const ColourMap map(legend.map);
  for (float y = top; y < bottom; ++y) fill(image, left, y, bar_right, y + 1, map((bottom - y - 0.5f) / bar_height), 1);
  for (const Tick& tick : ticks) {
    const float y = bottom - bar_height * legend.position(static_cast<float>(tick.value));
    fill(image, bar_right + unit, y - 0.5f * unit, bar_right + 6 * unit, y + 0.5f * unit, ink, 0.8f);
    font.draw(image, bar_right + gap, y + 0.31f * text, tick.label, text, ink);
  }
}

void draw_caption(Image& image, const Font& font, const std::string& caption) {
  const float unit = scale_of(image);
  font.draw(image, 34 * unit, static_cast<float>(image.height) - 30 * unit, caption, 20 * unit, ink);
}

}  // namespace fondue
