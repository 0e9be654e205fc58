#include "shapes/outlines.h"

#include <fmt/format.h>
#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/error.h"

namespace fondue {
namespace {

/// Code points of a UTF-8 text.
std::vector<int> characters(const std::string& text) {
  std::vector<int> result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : -1;
    int character = more < 1 ? lead : lead & (0x3f >> more);
    for (int k = 0; k < more; ++k, ++i) {
      if (i >= text.size() || (text[i] & 0xc0) != 0x80) throw InputError("text: not valid UTF-8");
      character = character << 6 | (text[i] & 0x3f);
    }
    if (more < 0) throw InputError("text: not valid UTF-8");
    result.push_back(character);
  }
  return result;
}

class Font {
 public:
  explicit Font(const std::string& path) : path_(path) {
    std::ifstream file(path, std::ios::binary);
    data_.assign(std::istreambuf_iterator<char>(file), {});
    // Padding: the parser may read beyond the end of a truncated file.
    data_.resize(data_.size() + 64);
    const auto* bytes = reinterpret_cast<const unsigned char*>(data_.data());
    const int offset = file ? stbtt_GetFontOffsetForIndex(bytes, 0) : -1;
    if (offset < 0 || !stbtt_InitFont(&info_, bytes, offset)) {
      throw InputError(fmt::format("{}: cannot be read as a TrueType or OpenType font", path));
    }
  }

  int glyph(int character) const {
    const int found = stbtt_FindGlyphIndex(&info_, character);
    if (found == 0) throw InputError(fmt::format("{}: the font has no glyph for U+{:04X}", path_, character));
    return found;
  }

  float capital_height() const {
    int x0, y0, x1, y1 = 0;
    if (!stbtt_GetGlyphBox(&info_, glyph('H'), &x0, &y0, &x1, &y1) || y1 <= 0) {
      throw InputError(fmt::format("{}: the font has no letter H to measure", path_));
    }
    return static_cast<float>(y1);
  }

  float advance(int glyph, int next) const {
    int width, bearing;
    stbtt_GetGlyphHMetrics(&info_, glyph, &width, &bearing);
    return static_cast<float>(width + (next ? stbtt_GetGlyphKernAdvance(&info_, glyph, next) : 0));
  }

  /// The contours of a glyph in font units, curves flattened to within the tolerance.
  std::vector<LetterEdge> contours(int glyph, float tolerance) const {
    stbtt_vertex* raw = nullptr;
    const int count = stbtt_GetGlyphShape(&info_, glyph, &raw);
    const auto release = [this](stbtt_vertex* vertices) { stbtt_FreeShape(&info_, vertices); };
    const std::unique_ptr<stbtt_vertex, decltype(release)> owner(raw, release);
    std::vector<LetterEdge> edges;
    Vec2 pen = Vec2::Zero(), start = pen;
    const auto line_to = [&](const Vec2& to) {
      if (to != pen) edges.push_back({pen, to});
      pen = to;
    };
    for (int v = 0; v < count; ++v) {
      const stbtt_vertex& vertex = raw[v];
      const Vec2 to(vertex.x, vertex.y), c(vertex.cx, vertex.cy), c1(vertex.cx1, vertex.cy1), from = pen;
      if (vertex.type == STBTT_vmove) {
        line_to(start);
        pen = start = to;
        continue;
      }
      const bool cubic = vertex.type == STBTT_vcubic, curve = cubic || vertex.type == STBTT_vcurve;
      const float bend =
          cubic ? 3 * std::max((from - 2 * c + c1).norm(), (c - 2 * c1 + to).norm()) : (from - 2 * c + to).norm();
      const int pieces = curve ? std::max(1, static_cast<int>(std::ceil(std::sqrt(bend / (4 * tolerance))))) : 1;
      for (int k = 1; k < pieces; ++k) {
        const float t = static_cast<float>(k) / static_cast<float>(pieces), s = 1 - t;
        line_to(cubic ? Vec2(s * s * s * from + 3 * s * s * t * c + 3 * s * t * t * c1 + t * t * t * to)
                      : Vec2(s * s * from + 2 * s * t * c + t * t * to));
      }
      line_to(to);
    }
    line_to(start);
    return edges;
  }

 private:
  std::string path_;
  std::vector<char> data_;
  stbtt_fontinfo info_{};
};

}  // namespace

std::vector<LetterOutline> text_outlines(const std::string& text, float height, const std::string& font_path) {
  const Font font(font_path);
  const float units = font.capital_height(), scale = height / units;
  std::vector<int> glyphs;
  for (int character : characters(text)) glyphs.push_back(font.glyph(character));
  std::vector<LetterOutline> outlines;
  Vec2 pen = Vec2::Zero();
  for (std::size_t i = 0; i < glyphs.size(); ++i) {
    LetterOutline outline{Vec2::Constant(INFINITY), Vec2::Constant(-INFINITY), font.contours(glyphs[i], 1e-3f * units)};
    for (LetterEdge& edge : outline.edges) {
      edge = {pen + scale * edge.from, pen + scale * edge.to};
      outline.min = outline.min.cwiseMin(edge.from);
      outline.max = outline.max.cwiseMax(edge.from);
    }
    if (!outline.edges.empty()) outlines.push_back(std::move(outline));
    pen.x() += scale * font.advance(glyphs[i], i + 1 < glyphs.size() ? glyphs[i + 1] : 0);
  }
  return outlines;
}

}  // namespace fondue
