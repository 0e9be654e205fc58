#pragma once
// Letters as closed polygons in the plane, from a font file.

#include <Eigen/Core>
#include <string>
#include <vector>

namespace fondue {

using Vec2 = Eigen::Vector2f;

struct LetterEdge {
  Vec2 from, to;
};

/// One letter: all its contours, holes running the other way round.
struct LetterOutline {
  Vec2 min, max;
  std::vector<LetterEdge> edges;
};

/// The letters of a line of text side by side, with capitals of the given height; blanks have no outline. InputError as
/// make_text() says.
std::vector<LetterOutline> text_outlines(const std::string& text, float height, const std::string& font);

}  // namespace fondue
