#include "shapes/combine.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/error.h"
#include "shapes/mesh_sequence.h"

namespace fondue {
namespace {

Box intersected(const Box& a, const Box& b) { return {a.min.cwiseMax(b.min), a.max.cwiseMin(b.max)}; }

class Complement final : public Shape {
 public:
  explicit Complement(ShapePtr shape) : shape_(std::move(shape)) {}
  float distance(const Vec3& x) const override { return -shape_->distance(x); }
  Nearest nearest(const Vec3& x) const override {
    const Nearest inner = shape_->nearest(x);
    return {-inner.distance, -inner.normal};
  }
  bool contains(const Vec3& x) const override { return !shape_->contains(x); }
  Box bounds() const override { return {Vec3::Constant(-infinity), Vec3::Constant(infinity)}; }
  Box surface_bounds() const override { return shape_->surface_bounds(); }
  Curvature curvature() const override {
    switch (shape_->curvature()) {
      case Curvature::convex:
        return Curvature::concave;
      case Curvature::concave:
        return Curvature::convex;
      case Curvature::general:
        break;
    }
    return Curvature::general;
  }
  std::optional<FlatSides> flat_sides() const override {
    auto sides = shape_->flat_sides();
    if (sides) sides->inverted = !sides->inverted;
    return sides;
  }
  std::string faults() const override { return shape_->faults(); }
  std::optional<Construction> construction() const override {
    const auto part = shape_->construction();
    if (!part) return std::nullopt;
    return Construction{.kind = Construction::Kind::complement, .parts = {*part}};
  }
  std::shared_ptr<const MeshSequence> sequence() const override { return shape_->sequence(); }

 private:
  ShapePtr shape_;
};

/// Union, or as its mirror image the intersection: max(a, b) = -min(-a, -b).
class Combination final : public Shape {
 public:
  Combination(bool is_union, std::vector<ShapePtr> parts, float radius)
      : is_union_(is_union), sign_(is_union ? 1.0f : -1.0f), parts_(std::move(parts)), radius_(radius) {
    for (const ShapePtr& part : parts_)
      if (part->sequence() || part->one_sided())
        throw InputError("mesh sequences and one-sided meshes cannot be combined with other shapes");
  }

  float distance(const Vec3& x) const override {
    float d = sign_ * parts_[0]->distance(x);
    for (std::size_t i = 1; i < parts_.size(); ++i) d = blend(d, sign_ * parts_[i]->distance(x)).distance;
    return sign_ * d;
  }

  Nearest nearest(const Vec3& x) const override {
    auto [d, n] = parts_[0]->nearest(x);
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      const Nearest part = parts_[i]->nearest(x);
      const Blend blended = blend(sign_ * d, sign_ * part.distance);
      d = sign_ * blended.distance;
      n = (1 - blended.weight) * n + blended.weight * part.normal;
    }
    return {d, n.isZero() ? parts_[0]->normal(x) : n.normalized()};
  }

  bool contains(const Vec3& x) const override {
    if (radius_ > 0) return distance(x) < 0;
    const auto holds = [&](const ShapePtr& part) { return part->contains(x); };
    return is_union_ ? std::ranges::any_of(parts_, holds) : std::ranges::all_of(parts_, holds);
  }

  /// The earliest hit of all parts.
  std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const override {
    if (!is_union_ || radius_ > 0) return Shape::sweep(start, end, margin);
    std::optional<Hit> first;
    for (const ShapePtr& part : parts_) {
      const auto hit = part->sweep(start, end, margin);
      if (hit && (!first || hit->fraction < first->fraction)) first = hit;
    }
    return first;
  }

  Box bounds() const override {
    Box box = parts_[0]->bounds();
    for (const ShapePtr& part : parts_) {
      if (is_union_)
        box.add(part->bounds());
      else
        box = intersected(box, part->bounds());
    }
    return is_union_ ? box.grown(bulge()) : box;
  }

  Box surface_bounds() const override {
    Box box;
    for (const ShapePtr& part : parts_) box.add(part->surface_bounds());
    box = box.grown(bulge());
    return is_union_ ? box : intersected(box, bounds());
  }

  std::string faults() const override {
    for (const ShapePtr& part : parts_)
      if (std::string faults = part->faults(); !faults.empty()) return faults;
    return {};
  }

  /// None with smooth seams.
  std::optional<Construction> construction() const override {
    Construction whole{.kind = is_union_ ? Construction::Kind::unite : Construction::Kind::intersect};
    for (const ShapePtr& part : parts_) {
      const auto made = part->construction();
      if (!made || radius_ > 0) return std::nullopt;
      whole.parts.push_back(*made);
    }
    return whole;
  }

  Curvature curvature() const override {
    const Curvature kept = is_union_ ? Curvature::concave : Curvature::convex;
    const bool all = std::ranges::all_of(parts_, [&](const ShapePtr& part) { return part->curvature() == kept; });
    return all ? kept : Curvature::general;
  }

 private:
  struct Blend {
    float distance;
    /// Weight of the second gradient.
    float weight;
  };
  Blend blend(float a, float b) const {
    const float h = radius_ > 0 ? std::max(0.0f, 1 - std::abs(a - b) / radius_) : 0.0f;
    return {std::min(a, b) - 0.25f * radius_ * h * h, b < a ? 1 - 0.5f * h : 0.5f * h};
  }

  /// Maximum distance by which a smooth seam extends beyond the parts.
  float bulge() const { return 0.25f * radius_ * static_cast<float>(parts_.size() - 1); }

  bool is_union_;
  float sign_;
  std::vector<ShapePtr> parts_;
  float radius_;
};

class Transformed final : public Shape {
 public:
  Transformed(ShapePtr shape, const Mat3& rotation, const Vec3& translation, float scale)
      : shape_(std::move(shape)), rotation_(rotation), translation_(translation), scale_(scale) {
    if (const auto inner = shape_->sequence())
      sequence_ = inner->transformed([&](const Vec3& x) -> Vec3 { return translation_ + scale_ * (rotation_ * x); });
  }

  float distance(const Vec3& x) const override { return scale_ * shape_->distance(local(x)); }
  std::optional<TriangleMesh> triangles() const override {
    std::optional<TriangleMesh> mesh = shape_->triangles();
    if (mesh)
      for (Vec3& x : mesh->vertices) x = translation_ + scale_ * (rotation_ * x);
    return mesh;
  }
  std::optional<Layer> layer(float spacing) const override {
    std::optional<Layer> inner = shape_->layer(spacing / scale_);
    if (!inner) return inner;
    for (Vec3& x : inner->mesh.vertices) x = translation_ + scale_ * (rotation_ * x);
    for (auto& [u, v] : inner->texture) u *= scale_, v *= scale_;
    return inner;
  }
  Nearest nearest(const Vec3& x) const override {
    const Nearest inner = shape_->nearest(local(x));
    return {scale_ * inner.distance, rotation_ * inner.normal};
  }
  bool contains(const Vec3& x) const override { return shape_->contains(local(x)); }
  Box bounds() const override { return placed(shape_->bounds()); }
  Box surface_bounds() const override { return placed(shape_->surface_bounds()); }
  Curvature curvature() const override { return shape_->curvature(); }
  std::string faults() const override { return shape_->faults(); }
  std::optional<Construction> construction() const override {
    const auto part = shape_->construction();
    if (!part) return std::nullopt;
    return Construction{.kind = Construction::Kind::place,
                        .parts = {*part},
                        .rotation = rotation_,
                        .translation = translation_,
                        .scale = scale_};
  }
  bool one_sided() const override { return shape_->one_sided(); }
  std::shared_ptr<const MeshSequence> sequence() const override { return sequence_; }

  std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const override {
    auto hit = shape_->sweep(local(start), local(end), margin / scale_);
    if (hit) hit->normal = rotation_ * hit->normal;
    return hit;
  }

  std::optional<FlatSides> flat_sides() const override {
    auto sides = shape_->flat_sides();
    if (!sides) return sides;
    sides->local = {sides->local.min * scale_, sides->local.max * scale_};
    sides->translation = translation_ + rotation_ * (scale_ * sides->translation);
    sides->rotation = rotation_ * sides->rotation;
    return sides;
  }

 private:
  Vec3 local(const Vec3& x) const { return rotation_.transpose() * (x - translation_) / scale_; }

  /// Component by component, since an infinite side times 0 must contribute nothing.
  Box placed(const Box& box) const {
    if (box.empty()) return box;
    Box result{translation_, translation_};
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        const float r = scale_ * rotation_(row, column);
        if (r == 0) continue;
        result.min[row] += std::min(r * box.min[column], r * box.max[column]);
        result.max[row] += std::max(r * box.min[column], r * box.max[column]);
      }
    }
    return result;
  }

  ShapePtr shape_;
  Mat3 rotation_;
  Vec3 translation_;
  float scale_;
  std::shared_ptr<const MeshSequence> sequence_;
};

ShapePtr combination(bool is_union, std::vector<ShapePtr> parts, float radius) {
  if (parts.empty()) throw InputError("a combination of shapes needs at least one part");
  if (!(radius >= 0 && std::isfinite(radius))) throw InputError("the radius of a smooth combination must be 0 or more");
  return std::make_shared<Combination>(is_union, std::move(parts), radius);
}

}  // namespace

ShapePtr make_union(std::vector<ShapePtr> parts, float radius) { return combination(true, std::move(parts), radius); }

ShapePtr make_intersection(std::vector<ShapePtr> parts, float radius) {
  return combination(false, std::move(parts), radius);
}

ShapePtr make_difference(ShapePtr shape, ShapePtr removed, float radius) {
  return combination(false, {std::move(shape), make_complement(std::move(removed))}, radius);
}

ShapePtr make_complement(ShapePtr shape) { return std::make_shared<Complement>(std::move(shape)); }

ShapePtr make_transformed(ShapePtr shape, const Placement& placement) {
  const bool finite =
      placement.translation.allFinite() && placement.axis.allFinite() && std::isfinite(placement.degrees);
  if (!finite) throw InputError("transform: translation, axis and angle must be finite");
  if (!(placement.scale > 0 && std::isfinite(placement.scale)))
    throw InputError("transform: the scale must be above 0");
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  if (placement.degrees != 0) {
    if (placement.axis.isZero(0)) throw InputError("transform: the axis of a rotation must not be 0");
    const double angle = placement.degrees * std::numbers::pi / 180;
    rotation = Eigen::AngleAxisd(angle, placement.axis.cast<double>().normalized()).toRotationMatrix();
    // Right angles are exact, so that infinite sides stay infinite along one axis only.
    for (double& entry : rotation.reshaped()) {
      if (std::abs(entry) < 1e-9) entry = 0;
      if (std::abs(std::abs(entry) - 1) < 1e-9) entry = std::copysign(1, entry);
    }
  }
  return std::make_shared<Transformed>(std::move(shape), rotation.cast<float>(), placement.translation,
                                       placement.scale);
}

}  // namespace fondue
