#include "shapes/primitives.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "shapes/layer.h"

namespace fondue {
namespace {

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const float length = v.norm();
  return length > 0 ? Vec3(v / length) : otherwise;
}

void require(bool good, const char* shape, const char* what) {
  if (!good) throw InputError(fmt::format("{}: {}", shape, what));
}

bool positive(float value) { return value > 0 && std::isfinite(value); }

class ConvexShape : public Shape {
 public:
  Curvature curvature() const override { return Curvature::convex; }
};

class BoxShape final : public ConvexShape {
 public:
  explicit BoxShape(const Box& box) : box_(box) {}
  float distance(const Vec3& x) const override {
    const Vec3 beyond = (box_.min - x).cwiseMax(x - box_.max);
    return std::min(beyond.maxCoeff(), 0.0f) + beyond.cwiseMax(0.0f).norm();
  }
  Nearest nearest(const Vec3& x) const override {
    const Vec3 beyond = (box_.min - x).cwiseMax(x - box_.max);
    Vec3 side;
    for (int a = 0; a < 3; ++a) side[a] = box_.min[a] - x[a] > x[a] - box_.max[a] ? -1.0f : 1.0f;
    int axis;
    const float deepest = beyond.maxCoeff(&axis);
    if (deepest <= 0) return {deepest, Vec3::Unit(axis) * side[axis]};
    const Vec3 away = side.cwiseProduct(beyond.cwiseMax(0.0f));
    return {away.norm(), away.normalized()};
  }
  Box bounds() const override { return box_; }
  std::optional<FlatSides> flat_sides() const override { return FlatSides{.local = box_}; }
  std::optional<Construction> construction() const override {
    return Construction{.kind = Construction::Kind::box, .a = box_.min, .b = box_.max};
  }

 private:
  Box box_;
};

class Plane final : public ConvexShape {
 public:
  Plane(const Vec3& point, const Vec3& normal) : point_(point), normal_(normal) {}
  float distance(const Vec3& x) const override { return normal_.dot(x - point_); }
  Nearest nearest(const Vec3& x) const override { return {distance(x), normal_}; }
  Box bounds() const override {
    Box box{Vec3::Constant(-infinity), Vec3::Constant(infinity)};
    for (int a = 0; a < 3; ++a) {
      if (normal_[a] == 1) box.max[a] = point_[a];
      if (normal_[a] == -1) box.min[a] = point_[a];
    }
    return box;
  }
  std::optional<Construction> construction() const override {
    return Construction{.kind = Construction::Kind::half_space, .a = point_, .b = normal_};
  }
  /// Local axes aligned with the coordinate axes where the normal allows it; in two dimensions one of them is z.
  std::optional<FlatSides> flat_sides() const override {
    FlatSides sides;
    const Vec3 across = std::abs(normal_.z()) < 0.9f ? Vec3::UnitZ() : Vec3::UnitX();
    const Vec3 u = across.cross(normal_).normalized();
    sides.rotation << normal_.cross(u), u, normal_;
    sides.translation = point_;
    sides.local = {Vec3::Constant(-infinity), Vec3(infinity, infinity, 0)};
    return sides;
  }

 private:
  Vec3 point_, normal_;
};

/// All points within a radius of a segment; a sphere if its ends coincide.
class Capsule final : public ConvexShape {
 public:
  Capsule(const Vec3& from, const Vec3& to, float radius) : from_(from), axis_(to - from), radius_(radius) {}
  float distance(const Vec3& x) const override { return static_cast<float>(from_axis(x).norm() - double(radius_)); }
  Nearest nearest(const Vec3& x) const override {
    const Vec3 otherwise = axis_.isZero() ? Vec3(Vec3::UnitZ()) : Vec3(axis_.unitOrthogonal());
    return {distance(x), unit_or(from_axis(x).cast<float>(), otherwise)};
  }
  Box bounds() const override {
    Box box;
    box.add(from_), box.add(from_ + axis_);
    return box.grown(radius_);
  }
  std::optional<Layer> layer(float spacing) const override {
    if (!axis_.isZero()) return std::nullopt;
    return layer_of_sphere(from_, radius_, spacing);
  }
  std::optional<Construction> construction() const override {
    using Kind = Construction::Kind;
    const Vec3 to = from_ + axis_;
    const Construction end{.kind = Kind::sphere, .a = from_, .r = radius_};
    if (axis_.isZero()) return end;
    return Construction{.kind = Kind::unite,
                        .parts = {end,
                                  {.kind = Kind::cone, .a = from_, .b = to, .r = radius_, .s = radius_},
                                  {.kind = Kind::sphere, .a = to, .r = radius_}}};
  }

 private:
  /// In double precision, since the distance is a small difference of large numbers.
  Vec3d from_axis(const Vec3& x) const {
    const Vec3d p = x.cast<double>() - from_.cast<double>(), axis = axis_.cast<double>();
    const double along = axis_.isZero() ? 0 : std::clamp(p.dot(axis) / axis.squaredNorm(), 0.0, 1.0);
    return p - along * axis;
  }

  Vec3 from_, axis_;
  float radius_;
};

/// A truncated cone; a cylinder if both radii are equal. In the half plane (distance from the axis, height) it is a
/// polygon of three edges: base, side and top.
class Cone final : public ConvexShape {
 public:
  Cone(const Vec3& base, const Vec3& top, float base_radius, float top_radius)
      : base_(base), axis_((top - base).normalized()), height_((top - base).norm()), radii_{base_radius, top_radius} {}

  float distance(const Vec3& x) const override { return in_half_plane(x).distance; }
  Nearest nearest(const Vec3& x) const override {
    const Vec3 p = x - base_;
    const Vec3 outwards = unit_or(p - axis_ * axis_.dot(p), axis_.unitOrthogonal());
    const auto [distance, n] = in_half_plane(x);
    return {distance, outwards * n.x() + axis_ * n.y()};
  }
  Box bounds() const override {
    Box box;
    for (int end = 0; end < 2; ++end) {
      const Vec3 reach = radii_[end] * (Vec3::Ones() - axis_.cwiseAbs2()).cwiseMax(0.0f).cwiseSqrt();
      const Vec3 centre = base_ + axis_ * (end * height_);
      box.add(centre - reach), box.add(centre + reach);
    }
    return box;
  }
  std::optional<Construction> construction() const override {
    return Construction{
        .kind = Construction::Kind::cone, .a = base_, .b = base_ + height_ * axis_, .r = radii_[0], .s = radii_[1]};
  }

 private:
  using Vec2 = Eigen::Vector2f;
  struct NearestEdge {
    float distance;
    Vec2 normal;
  };

  NearestEdge in_half_plane(const Vec3& x) const {
    const Vec3 p = x - base_;
    const float up = axis_.dot(p);
    const Vec2 q((p - axis_ * up).norm(), up);
    const std::array<Vec2, 4> corners = {Vec2(0, 0), Vec2(radii_[0], 0), Vec2(radii_[1], height_), Vec2(0, height_)};
    NearestEdge best{infinity, Vec2::Zero()};
    Vec2 away = Vec2::Zero();
    bool inside = true;
    for (int edge = 0; edge < 3; ++edge) {
      const Vec2 a = corners[edge], along = corners[edge + 1] - a;
      if (along.isZero()) continue;
      const Vec2 outwards = Vec2(along.y(), -along.x()).normalized();
      const Vec2 gap = q - (a + along * std::clamp((q - a).dot(along) / along.squaredNorm(), 0.0f, 1.0f));
      inside = inside && outwards.dot(q - a) <= 0;
      if (gap.norm() < best.distance) best = {gap.norm(), outwards}, away = gap;
    }
    if (inside) return {-best.distance, best.normal};
    if (best.distance > 1e-6f * (height_ + radii_[0] + radii_[1])) best.normal = away / best.distance;
    return best;
  }

  Vec3 base_, axis_;
  float height_;
  std::array<float, 2> radii_;
};

class Torus final : public Shape {
 public:
  Torus(const Vec3& centre, const Vec3& axis, float ring, float tube)
      : centre_(centre), axis_(axis), ring_(ring), tube_(tube) {}
  float distance(const Vec3& x) const override { return from_ring(x).norm() - tube_; }
  Nearest nearest(const Vec3& x) const override { return {distance(x), unit_or(from_ring(x), axis_)}; }
  Box bounds() const override {
    const Vec3 reach = (Vec3::Ones() - axis_.cwiseAbs2()).cwiseMax(0.0f).cwiseSqrt() * ring_;
    return Box{centre_ - reach, centre_ + reach}.grown(tube_);
  }
  std::optional<Construction> construction() const override {
    return Construction{.kind = Construction::Kind::torus, .a = centre_, .b = axis_, .r = ring_, .s = tube_};
  }

 private:
  Vec3 from_ring(const Vec3& x) const {
    const Vec3 p = x - centre_;
    return p - unit_or(p - axis_ * axis_.dot(p), axis_.unitOrthogonal()) * ring_;
  }

  Vec3 centre_, axis_;
  float ring_, tube_;
};

}  // namespace

ShapePtr make_box(const Vec3& min, const Vec3& max) {
  require((min.array() < max.array()).all(), "box", "each component of min must be below that of max");
  const bool surface = min.array().isFinite().any() || max.array().isFinite().any();
  require(surface, "box", "at least one side must be finite");
  return std::make_shared<BoxShape>(Box{min, max});
}

ShapePtr make_sphere(const Vec3& centre, float radius) {
  require(centre.allFinite(), "sphere", "the centre must be finite");
  require(positive(radius), "sphere", "the radius must be above 0");
  return std::make_shared<Capsule>(centre, centre, radius);
}

ShapePtr make_cylinder(const Vec3& from, const Vec3& to, float radius) {
  require(positive((to - from).norm()), "cylinder", "its two ends must be finite and differ");
  require(positive(radius), "cylinder", "the radius must be above 0");
  return std::make_shared<Cone>(from, to, radius, radius);
}

ShapePtr make_capsule(const Vec3& from, const Vec3& to, float radius) {
  require(from.allFinite() && to.allFinite(), "capsule", "its two ends must be finite");
  require(positive(radius), "capsule", "the radius must be above 0");
  return std::make_shared<Capsule>(from, to, radius);
}

ShapePtr make_cone(const Vec3& base, const Vec3& top, float base_radius, float top_radius) {
  require(positive((top - base).norm()), "cone", "base and top must be finite and differ");
  const bool radii = base_radius >= 0 && top_radius >= 0 && positive(base_radius + top_radius);
  require(radii, "cone", "the radii must be 0 or more, and one of them above 0");
  return std::make_shared<Cone>(base, top, base_radius, top_radius);
}

ShapePtr make_torus(const Vec3& centre, const Vec3& axis, float ring_radius, float tube_radius) {
  require(centre.allFinite() && positive(axis.norm()), "torus", "centre and axis must be finite, the axis not 0");
  require(positive(ring_radius) && positive(tube_radius), "torus", "both radii must be above 0");
  require(tube_radius < ring_radius, "torus", "the tube's radius must be below the ring's");
  return std::make_shared<Torus>(centre, axis.normalized(), ring_radius, tube_radius);
}

ShapePtr make_plane(const Vec3& point, const Vec3& normal) {
  require(point.allFinite() && positive(normal.norm()), "plane", "point and normal must be finite, the normal not 0");
  return std::make_shared<Plane>(point, normal.normalized());
}

}  // namespace fondue
