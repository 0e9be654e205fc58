#include "picture/font.h"

#include <fmt/format.h>
#include <stb_truetype.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/error.h"

namespace fondue {
namespace {

constexpr const char* font_path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

/// Removes one code point from the front of UTF-8 text; an invalid byte becomes the replacement character.
int next_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80         ? 1
                             : (first >> 5) == 6  ? 2
                             : (first >> 4) == 14 ? 3
                             : (first >> 3) == 30 ? 4
                                                  : 0;
  unsigned code = length == 1 ? first : length == 0 ? 0xfffd : first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) >> 6) != 2) {
      text.remove_prefix(1);
      return 0xfffd;
    }
    code = code << 6 | (byte(i) & 0x3f);
  }
  text.remove_prefix(std::max<std::size_t>(length, 1));
  return static_cast<int>(code);
}

}  // namespace

struct Font::Outlines {
  std::vector<unsigned char> file;
  stbtt_fontinfo info;

  /// Calls visit(glyph, pen position) for every glyph of the text and returns the width.
  template <class Visit>
  float walk(std::string_view text, float scale, Visit&& visit) const {
    float pen = 0;
    int previous = 0;
    while (!text.empty()) {
      const int glyph = stbtt_FindGlyphIndex(&info, next_code_point(text));
      if (previous) pen += scale * static_cast<float>(stbtt_GetGlyphKernAdvance(&info, previous, glyph));
      visit(glyph, pen);
      int advance = 0;
      stbtt_GetGlyphHMetrics(&info, glyph, &advance, nullptr);
      pen += scale * static_cast<float>(advance);
      previous = glyph;
    }
    return pen;
  }
};

Font::Font() : outlines_(std::make_unique<Outlines>()) {
  std::ifstream stream(font_path, std::ios::binary);
  outlines_->file.assign(std::istreambuf_iterator<char>(stream), {});
  if (outlines_->file.empty() || !stbtt_InitFont(&outlines_->info, outlines_->file.data(), 0))
    throw OutputError(fmt::format("{}: cannot read the font for captions; install fonts-dejavu-core", font_path));
}
Font::~Font() = default;
Font::Font(Font&&) noexcept = default;

float Font::width(std::string_view text, float size) const {
  return outlines_->walk(text, stbtt_ScaleForPixelHeight(&outlines_->info, size), [](int, float) {});
}

void Font::draw(Image& image, float x, float y, std::string_view text, float size, const Vec3& colour) const {
  const stbtt_fontinfo& info = outlines_->info;
  const float scale = stbtt_ScaleForPixelHeight(&info, size);
  std::vector<unsigned char> coverage;
  outlines_->walk(text, scale, [&](int glyph, float pen) {
    const float left = std::floor(x + pen), top = std::floor(y);
    const float shift_x = x + pen - left, shift_y = y - top;
    int x0, y0, x1, y1;
    stbtt_GetGlyphBitmapBoxSubpixel(&info, glyph, scale, scale, shift_x, shift_y, &x0, &y0, &x1, &y1);
    const int width = x1 - x0, height = y1 - y0;
    if (width <= 0 || height <= 0) return;
    coverage.assign(static_cast<std::size_t>(width * height), 0);
    stbtt_MakeGlyphBitmapSubpixel(&info, coverage.data(), width, height, width, scale, scale, shift_x, shift_y, glyph);
    for (int j = 0; j < height; ++j)
      for (int i = 0; i < width; ++i)
        image.blend(static_cast<int>(left) + x0 + i, static_cast<int>(top) + y0 + j, colour,
                    static_cast<float>(coverage[static_cast<std::size_t>(j * width + i)]) / 255);
  });
}

}  // namespace fondue
