#include "shapes/mesh.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "shapes/layer.h"
#include "shapes/mesh_faults.h"
#include "shapes/mesh_queries.h"
#include "shapes/mesh_side.h"

namespace fondue {
namespace {

Vec3 area_vector(const TriangleMesh& mesh, std::size_t t) {
  return 0.5f * (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
}

/// Removes triangles without area and, unless the mesh is one-sided, reverses it if its volume is negative. The volume
/// is computed relative to the centre of area, since that of an open mesh depends on the reference point.
TriangleMesh cleaned(TriangleMesh mesh, MeshInside inside) {
  std::erase_if(mesh.triangles, [&](const auto& triangle) {
    for (Index corner : triangle) {
      if (corner >= mesh.vertices.size()) throw InputError("mesh: a triangle has a vertex that does not exist");
      if (!mesh.vertices[corner].allFinite()) throw InputError("mesh: a coordinate is not a finite number");
    }
    const Vec3& a = mesh.vertices[triangle[0]];
    return (mesh.vertices[triangle[1]] - a).cross(mesh.vertices[triangle[2]] - a).isZero(0);
  });
  if (mesh.triangles.empty()) throw InputError("mesh: no triangle has an area");
  if (inside == MeshInside::one_sided) return mesh;
  Vec3d centre = Vec3d::Zero();
  double total = 0, volume = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double area = area_vector(mesh, t).norm();
    centre += area / 3 * (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)).cast<double>();
    total += area;
  }
  centre /= total;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    volume += area_vector(mesh, t).cast<double>().dot(mesh.corner(t, 0).cast<double>() - centre) / 3;
  }
  if (volume < 0) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  return mesh;
}

bool faces_one_way(const TriangleMesh& mesh) {
  Vec3d sum = Vec3d::Zero();
  double total = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = area_vector(mesh, t);
    sum += area.cast<double>();
    total += area.norm();
  }
  return sum.norm() > 0.7 * total;
}

class MeshShape final : public Shape {
 public:
  MeshShape(const TriangleMesh& mesh, MeshInside inside)
      : mesh_(cleaned(mesh, inside)),
        queries_(mesh_),
        one_sided_(inside == MeshInside::one_sided),
        sheet_(one_sided_ || inside == MeshInside::sheet || (inside == MeshInside::automatic && faces_one_way(mesh_))) {
    if (inside == MeshInside::automatic) faults_ = mesh_faults(mesh, sheet_);
    if (!sheet_) side_.emplace(mesh_, queries_);
  }

  float distance(const Vec3& x) const override {
    const auto closest = queries_.closest(x);
    return inside(x, closest) ? -closest.distance : closest.distance;
  }

  Nearest nearest(const Vec3& x) const override {
    const auto closest = queries_.closest(x);
    const float sign = inside(x, closest) ? -1.0f : 1.0f;
    // On the surface itself the difference vector is only rounding error.
    const float rounding = 8 * std::numeric_limits<float>::epsilon() * x.cwiseAbs().maxCoeff();
    const bool on_surface = !(closest.distance > rounding);
    const Vec3 away = on_surface ? area_vector(mesh_, closest.triangle) : Vec3(sign * (x - closest.point));
    return {sign * closest.distance, away.normalized()};
  }

  bool contains(const Vec3& x) const override {
    if (sheet_ || !queries_.bounds().contains(x)) return false;
    return side_->inside(x);
  }

  Box bounds() const override { return queries_.bounds(); }
  std::optional<TriangleMesh> triangles() const override { return mesh_; }
  std::optional<Layer> layer(float spacing) const override { return layer_of_mesh(mesh_, spacing); }
  std::string faults() const override { return faults_; }
  void name_faults(const std::string& file) {
    if (!faults_.empty()) faults_ = fmt::format("{}: {}", file, faults_);
  }
  bool one_sided() const override { return one_sided_; }

  /// Sphere tracing keeps the margin; an additional ray ensures that nothing passes even where a path starts on a
  /// triangle. A path with no triangle within reach is free.
  std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const override {
    if (!queries_.any_within(start, (end - start).norm() + margin)) return std::nullopt;
    if (one_sided_) return sweep_fronts(start, end, margin);
    const auto hit = Shape::sweep(start, end, margin);
    const float free = hit ? hit->fraction : 1;
    const Vec3 path = free * (end - start);
    const auto crossing = queries_.first_crossing(start, start + path);
    if (!crossing) return hit;
    Vec3 n = area_vector(mesh_, crossing->triangle).normalized();
    const float approach = n.dot(path);
    if (approach >= 0 && !sheet_) return hit;
    if (approach > 0) n = -n;
    const float back = approach != 0 ? margin / std::abs(approach) : 0.0f;
    return Hit{free * std::max(0.0f, crossing->fraction - back), n};
  }

 private:
  bool inside(const Vec3& x, const MeshQueries::Closest& closest) const {
    if (sheet_ || !queries_.bounds().contains(x)) return false;
    return side_->inside(x, closest);
  }

  /// Only front faces stop the path; where it ends close to one, a quarter of the margin is kept.
  std::optional<Hit> sweep_fronts(const Vec3& start, const Vec3& end, float margin) const {
    const Vec3 path = end - start;
    if (const auto crossing = queries_.first_crossing(start, end, true)) {
      const Vec3 n = area_vector(mesh_, crossing->triangle).normalized();
      return Hit{std::max(0.0f, crossing->fraction + margin / n.dot(path)), n};
    }
    const auto closest = queries_.closest(end);
    const Vec3 n = area_vector(mesh_, closest.triangle).normalized();
    const float approach = n.dot(path), missing = 0.25f * margin - closest.distance;
    if (!(missing > 0 && approach < 0 && n.dot(end - closest.point) > 0)) return std::nullopt;
    return Hit{std::max(0.0f, 1 + missing / approach), n};
  }

  TriangleMesh mesh_;
  MeshQueries queries_;
  bool one_sided_, sheet_;
  /// None of a sheet.
  std::optional<MeshSide> side_;
  std::string faults_;
};

}  // namespace

ShapePtr make_mesh(const TriangleMesh& mesh, MeshInside inside) { return std::make_shared<MeshShape>(mesh, inside); }

ShapePtr make_mesh(const std::string& path, MeshInside inside) {
  const TriangleMesh mesh = read_mesh(path);
  try {
    auto shape = std::make_shared<MeshShape>(mesh, inside);
    shape->name_faults(path);
    return shape;
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

}  // namespace fondue
