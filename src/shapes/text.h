#pragma once
// Extruded text: the outlines of a TrueType or OpenType font, upright in the x-z plane (x along the line, z up) and
// extruded along y. The distance is exact for the outlines, flattened to within a thousandth of the letter height.

#include <string>

#include "shapes/shape.h"

namespace fondue {

/// From Debian's package fonts-dejavu-core.
inline constexpr const char* default_font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";

/// The text (UTF-8, one line) begins at the origin on its baseline and extends from y = -depth/2 to depth/2; the
/// depth may be infinite. The height is that of capital letters. InputError if the font cannot be read or lacks a
/// glyph.
ShapePtr make_text(const std::string& text, float height, float depth, const std::string& font = default_font);

}  // namespace fondue
