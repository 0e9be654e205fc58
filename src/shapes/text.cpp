#include "shapes/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "shapes/outlines.h"

namespace fondue {
namespace {

class Text final : public Shape {
 public:
  Text(std::vector<LetterOutline> outlines, float depth) : outlines_(std::move(outlines)), half_depth_(0.5f * depth) {}

  float distance(const Vec3& x) const override {
    const Vec2 beyond(in_plane(Vec2(x.x(), x.z())).distance, std::abs(x.y()) - half_depth_);
    return std::min(beyond.maxCoeff(), 0.0f) + beyond.cwiseMax(0.0f).norm();
  }

  Nearest nearest(const Vec3& x) const override {
    const auto [a, n] = in_plane(Vec2(x.x(), x.z()));
    const float b = std::abs(x.y()) - half_depth_;
    const Vec3 side(n.x(), 0, n.y()), face(0, x.y() < 0 ? -1.0f : 1.0f, 0);
    if (a > 0 && b > 0) return {std::hypot(a, b), (a * side + b * face).normalized()};
    return a > b ? Nearest{a, side} : Nearest{b, face};
  }

  Box bounds() const override {
    Box box;
    for (const LetterOutline& outline : outlines_) {
      box.add(Vec3(outline.min.x(), -half_depth_, outline.min.y()));
      box.add(Vec3(outline.max.x(), half_depth_, outline.max.y()));
    }
    return box;
  }

 private:
  struct NearestEdge {
    float distance;
    Vec2 normal;
  };

  NearestEdge in_plane(const Vec2& p) const {
    float squared = infinity;
    Vec2 away = Vec2::Zero(), outwards = Vec2::Zero();
    int turns = 0;
    for (const LetterOutline& outline : outlines_) {
      const Vec2 beyond = (outline.min - p).cwiseMax(p - outline.max).cwiseMax(0.0f);
      if (beyond.squaredNorm() >= squared) continue;
      for (const LetterEdge& edge : outline.edges) {
        const Vec2 along = edge.to - edge.from, q = p - edge.from;
        const Vec2 gap = q - along * std::clamp(q.dot(along) / along.squaredNorm(), 0.0f, 1.0f);
        const float left = along.x() * q.y() - along.y() * q.x();
        if (gap.squaredNorm() < squared) {
          squared = gap.squaredNorm();
          away = gap, outwards = Vec2(along.y(), -along.x()).normalized();
        }
        // Winding number: contours that cross the ray to the right upwards count 1, downwards -1.
        if (edge.from.y() <= p.y() && edge.to.y() > p.y() && left > 0) ++turns;
        if (edge.from.y() > p.y() && edge.to.y() <= p.y() && left < 0) --turns;
      }
    }
    const float distance = std::sqrt(squared), sign = turns != 0 ? -1.0f : 1.0f;
    // TrueType contours have the inside on their right, so the outward normal points to the left.
    return {sign * distance, distance > 1e-6f ? Vec2(sign * away / distance) : Vec2(-outwards)};
  }

  std::vector<LetterOutline> outlines_;
  float half_depth_;
};

}  // namespace

ShapePtr make_text(const std::string& text, float height, float depth, const std::string& font) {
  if (!(height > 0 && std::isfinite(height))) throw InputError("text: the height must be above 0");
  if (!(depth > 0)) throw InputError("text: the depth must be above 0");
  std::vector<LetterOutline> outlines = text_outlines(text, height, font);
  if (outlines.empty()) throw InputError("text: it has no visible letters");
  return std::make_shared<Text>(std::move(outlines), depth);
}

}  // namespace fondue
