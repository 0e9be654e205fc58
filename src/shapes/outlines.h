#pragma once
// Glyph outlines as closed polygons in the plane, from a font file.

#include <Eigen/Core>
#include <string>
#include <vector>

namespace fondue {

using Vec2 = Eigen::Vector2f;

struct LetterEdge {
  Vec2 from, to;
};

/// One letter: all its contours; those of holes have the opposite orientation.
struct LetterOutline {
  Vec2 min, max;
  std::vector<LetterEdge> edges;
};

/// The letters of a line of text side by side, with capitals of the given height; spaces have no outline. Errors as in
/// make_text().
std::vector<LetterOutline> text_outlines(const std::string& text, float height, const std::string& font);

}  // namespace fondue
