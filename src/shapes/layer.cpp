#include "shapes/layer.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "core/error.h"
#include "shapes/mesh.h"

namespace fondue {

namespace {

/// How many spacings a length has, at least one.
int parts_of(float length, float spacing) { return std::max(1, static_cast<int>(std::lround(length / spacing))); }

/// Coordinates of flat surfaces.
Layer with_plane_texture(TriangleMesh mesh) {
  Layer result{std::move(mesh), {}};
  for (const Vec3& x : result.mesh.vertices) result.texture.push_back({x.x(), x.y()});
  return result;
}

/// A square lattice that reaches from edge to edge, its squares divided along alternating diagonals.
Layer rectangle(const Vec3& centre, float width, float length, float spacing) {
  const Index nx = static_cast<Index>(parts_of(width, spacing)), ny = static_cast<Index>(parts_of(length, spacing));
  TriangleMesh mesh;
  for (Index b = 0; b <= ny; ++b)
    for (Index a = 0; a <= nx; ++a)
      mesh.vertices.push_back(centre + Vec3(width * (static_cast<float>(a) / static_cast<float>(nx) - 0.5f),
                                            length * (static_cast<float>(b) / static_cast<float>(ny) - 0.5f), 0));
  for (Index b = 0; b != ny; ++b)
    for (Index a = 0; a != nx; ++a) {
      const Index i = b * (nx + 1) + a, j = i + 1, k = i + nx + 2, l = i + nx + 1;
      if ((a + b) % 2 == 0) {
        mesh.triangles.push_back({i, j, k});
        mesh.triangles.push_back({i, k, l});
      } else {
        mesh.triangles.push_back({i, j, l});
        mesh.triangles.push_back({j, k, l});
      }
    }
  return with_plane_texture(std::move(mesh));
}

/// Rings around a centre, the k-th with 6 k points.
Layer disc(const Vec3& centre, float radius, float spacing) {
  const Index n = static_cast<Index>(parts_of(radius, spacing));
  TriangleMesh mesh;
  mesh.vertices.push_back(centre);
  const auto first = [](Index ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); };
  for (Index ring = 1; ring <= n; ++ring)
    for (Index k = 0; k != 6 * ring; ++k) {
      const double angle = 2 * std::numbers::pi * k / (6.0 * ring), r = radius * static_cast<double>(ring) / n;
      mesh.vertices.push_back(centre + Vec3d(r * std::cos(angle), r * std::sin(angle), 0).cast<float>());
    }
  for (Index ring = 1; ring <= n; ++ring)
    for (Index sector = 0; sector != 6; ++sector)
      for (Index k = 0; k != ring; ++k) {
        const auto outer = [&](Index at) { return first(ring) + (sector * ring + at) % (6 * ring); };
        const auto inner = [&](Index at) {
          return ring == 1 ? 0 : first(ring - 1) + (sector * (ring - 1) + at) % (6 * (ring - 1));
        };
        mesh.triangles.push_back({outer(k), outer(k + 1), inner(k)});
        if (k + 1 != ring) mesh.triangles.push_back({inner(k), outer(k + 1), inner(k + 1)});
      }
  return with_plane_texture(std::move(mesh));
}

/// The rings of a disc, wrapped around a sphere from its lowest point to its equator.
Layer bowl(const Vec3& centre, float radius, float spacing) {
  Layer result = disc(Vec3::Zero(), 0.5f * std::numbers::pi_v<float> * radius, spacing);
  for (Vec3& x : result.mesh.vertices) {
    const float around = x.norm(), angle = around / radius;
    const Vec3 out = around > 0 ? Vec3(x / around) : Vec3(Vec3::Zero());
    x = centre + radius * (std::sin(angle) * out - std::cos(angle) * Vec3::UnitZ());
  }
  return result;
}

/// A surface without an inside that knows how it is sampled.
class Surface final : public Shape {
 public:
  using Sample = std::function<Layer(float spacing)>;
  Surface(const TriangleMesh& outline, Sample sample)
      : mesh_(make_mesh(outline, MeshInside::sheet)), sample_(std::move(sample)) {}

  float distance(const Vec3& x) const override { return mesh_->distance(x); }
  Nearest nearest(const Vec3& x) const override { return mesh_->nearest(x); }
  Box bounds() const override { return mesh_->bounds(); }
  std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const override {
    return mesh_->sweep(start, end, margin);
  }
  bool contains(const Vec3&) const override { return false; }
  std::optional<TriangleMesh> triangles() const override { return mesh_->triangles(); }
  std::optional<Layer> layer(float spacing) const override { return sample_(spacing); }

 private:
  ShapePtr mesh_;
  Sample sample_;
};

void need_length(const char* what, float length) {
  if (!(length > 0 && std::isfinite(length))) throw InputError(fmt::format("{} must be above 0", what));
}

}  // namespace

ShapePtr make_rectangle(const Vec3& centre, float width, float length) {
  need_length("the width of a rectangle", width);
  need_length("the length of a rectangle", length);
  return std::make_shared<Surface>(rectangle(centre, width, length, std::max(width, length)).mesh,
                                   [=](float spacing) { return rectangle(centre, width, length, spacing); });
}

ShapePtr make_disc(const Vec3& centre, float radius) {
  need_length("the radius of a disc", radius);
  constexpr float rings = 16;
  return std::make_shared<Surface>(disc(centre, radius, radius / rings).mesh,
                                   [=](float spacing) { return disc(centre, radius, spacing); });
}

ShapePtr make_bowl(const Vec3& centre, float radius) {
  need_length("the radius of a bowl", radius);
  constexpr float rings = 24;
  return std::make_shared<Surface>(bowl(centre, radius, radius / rings).mesh,
                                   [=](float spacing) { return bowl(centre, radius, spacing); });
}

/// The faces of an icosahedron divided into n^2 triangles each and blown up.
Layer layer_of_sphere(const Vec3& centre, float radius, float spacing) {
  const double g = std::numbers::phi;
  const Vec3d corners[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                             {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  constexpr int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  // Edges of the icosahedron are 1.05 radii long, on the sphere 1.11.
  const int n = parts_of(1.107f * radius, spacing);
  Layer layer;
  std::map<std::array<long, 3>, Index> known;
  const auto vertex = [&](const Vec3d& flat) {
    const Vec3d direction = flat.normalized();
    const std::array key = {std::lround(1e6 * direction.x()), std::lround(1e6 * direction.y()),
                            std::lround(1e6 * direction.z())};
    const auto [place, made] = known.insert({key, static_cast<Index>(layer.mesh.vertices.size())});
    if (made) {
      layer.mesh.vertices.push_back(centre + radius * direction.cast<float>());
      layer.texture.push_back({radius * static_cast<float>(std::atan2(direction.y(), direction.x())),
                               radius * static_cast<float>(std::asin(direction.z()))});
    }
    return place->second;
  };
  for (const auto& face : faces) {
    const Vec3d &a = corners[face[0]], b = corners[face[1]] - a, c = corners[face[2]] - a;
    const auto at = [&](int u, int v) { return vertex(a + b * u / n + c * v / n); };
    for (int u = 0; u != n; ++u)
      for (int v = 0; v != n - u; ++v) {
        layer.mesh.triangles.push_back({at(u, v), at(u + 1, v), at(u, v + 1)});
        if (u + v + 1 != n) layer.mesh.triangles.push_back({at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)});
      }
  }
  return layer;
}

Layer layer_of_heights(const Vec3& min, const Vec3& max, const std::function<float(float x, float y)>& height,
                       float spacing) {
  Layer result = rectangle(0.5f * (min + max), max.x() - min.x(), max.y() - min.y(), spacing);
  for (Vec3& x : result.mesh.vertices) x.z() = height(x.x(), x.y());
  return result;
}

Layer layer_of_mesh(const TriangleMesh& mesh, float spacing) {
  float shortest = infinity, longest = 0;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t)
    for (int k = 0; k != 3; ++k) {
      const float length = (mesh.corner(t, k) - mesh.corner(t, (k + 1) % 3)).norm();
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
  if (shortest < 0.5f * spacing || longest > 2 * spacing)
    throw InputError(fmt::format(
        "the edges of its triangles are {:.3g} to {:.3g} m long; particles of a sheet sit on the vertices of its mesh, "
        "so they must be {:.3g} to {:.3g} m long for a spacing of {:.3g} m",
        shortest, longest, 0.5f * spacing, 2 * spacing, spacing));
  return with_plane_texture(mesh);
}

}  // namespace fondue
