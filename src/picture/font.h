#pragma once
// Text in pictures: DejaVu Sans, laid out on the baseline with sub-pixel positions.

#include <memory>
#include <string_view>

#include "picture/image.h"

namespace fondue {

class Font {
 public:
  /// Throws OutputError if the font is not installed.
  Font();
  ~Font();
  Font(Font&&) noexcept;

  /// Width [pixels] of UTF-8 text whose ascent plus descent is size pixels.
  float width(std::string_view text, float size) const;
  /// Draws text starting at x on the baseline y [pixels from the top left corner].
  void draw(Image& image, float x, float y, std::string_view text, float size, const Vec3& colour) const;

 private:
  struct Outlines;
  std::unique_ptr<Outlines> outlines_;
};

}  // namespace fondue
