#include "picture/povray_solid.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "picture/lights.h"

namespace fondue {
namespace {

using Kind = Construction::Kind;

/// A plane's half space: x below `at` along an axis, or above it.
std::string half_space(const Vec3& normal, float at) {
  return fmt::format("plane {{ {}, {:.7g} }} ", povray_vector(normal), at);
}

/// Sides that are infinite are left out.
std::string box(const Construction& c, float scale) {
  const Vec3 min = scale * c.a, max = scale * c.b;
  if (min.allFinite() && max.allFinite())
    return fmt::format("box {{ {}, {} }} ", povray_vector(min), povray_vector(max));
  std::string sides;
  for (int axis = 0; axis != 3; ++axis) {
    if (std::isfinite(max[axis])) sides += half_space(Vec3::Unit(axis), max[axis]);
    if (std::isfinite(min[axis])) sides += half_space(-Vec3::Unit(axis), -min[axis]);
  }
  return fmt::format("intersection {{ {}}} ", sides);
}

std::string cone(const Construction& c, float scale) {
  const std::string from = povray_vector(scale * c.a), to = povray_vector(scale * c.b);
  if (c.r == c.s) return fmt::format("cylinder {{ {}, {}, {:.7g} }} ", from, to, scale * c.r);
  return fmt::format("cone {{ {}, {:.7g}, {}, {:.7g} }} ", from, scale * c.r, to, scale * c.s);
}

/// POV-Ray's lies about the y axis.
std::string torus(const Construction& c, float scale) {
  const Mat3 turned = Eigen::Quaternionf::FromTwoVectors(Vec3::UnitY(), c.b).toRotationMatrix();
  return fmt::format("torus {{ {:.7g}, {:.7g} {}}} ", scale * c.r, scale * c.s, povray_matrix(turned, scale * c.a));
}

std::string solid(const Construction& c, float scale, bool clear) {
  const auto parts = [&] {
    std::string text;
    for (const Construction& part : c.parts) text += solid(part, scale, clear);
    return text;
  };
  switch (c.kind) {
    case Kind::box:
      return box(c, scale);
    case Kind::half_space:
      return half_space(c.b, scale * c.a.dot(c.b));
    case Kind::sphere:
      return fmt::format("sphere {{ {}, {:.7g} }} ", povray_vector(scale * c.a), scale * c.r);
    case Kind::cone:
      return cone(c, scale);
    case Kind::torus:
      return torus(c, scale);
    case Kind::unite:
      if (c.parts.size() == 1) return parts();
      return fmt::format("{} {{ {}}} ", clear ? "merge" : "union", parts());
    case Kind::intersect:
      if (c.parts.size() == 1) return parts();
      return fmt::format("intersection {{ {}}} ", parts());
    case Kind::complement:
      return fmt::format("object {{ {}inverse }} ", parts());
    case Kind::place:
      return fmt::format("object {{ {}scale {:.7g} {}}} ", parts(), c.scale,
                         povray_matrix(c.rotation, scale * c.translation));
  }
  return {};
}

}  // namespace

std::string povray_matrix(const Mat3& rotation, const Vec3& translation) {
  // POV-Ray multiplies rows from the left: the columns of the rotation follow each other.
  std::string text = "matrix <";
  for (int column = 0; column != 3; ++column)
    for (int row = 0; row != 3; ++row) text += fmt::format("{:.9g}, ", rotation(row, column));
  return text + fmt::format("{:.9g}, {:.9g}, {:.9g}> ", translation.x(), translation.y(), translation.z());
}

std::string povray_solid(const Construction& construction, float scale, const Box& within, bool clear) {
  const Construction clip{.kind = Kind::box, .a = within.min, .b = within.max};
  const std::string text = solid(construction, scale, clear);
  return within.finite() ? fmt::format("intersection {{ {}{}}} ", text, box(clip, scale)) : text;
}

}  // namespace fondue
