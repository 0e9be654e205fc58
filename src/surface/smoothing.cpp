#include "surface/smoothing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernel.h"
#include "core/parallel.h"
#include "shapes/point_grid.h"

namespace fondue {

namespace {

/// Taubin's step factors lambda (forth) and mu (back); the pass-band frequency is 1/forth - 1/back = 0.1.
constexpr float forth = 0.5f, back = 0.5263f;

/// The neighbours of each vertex, in one array.
struct Links {
  std::vector<Index> begin, other;

  explicit Links(const TriangleMesh& mesh) : begin(mesh.vertices.size() + 1, 0) {
    // In a closed mesh each edge occurs once in either direction.
    for (const auto& t : mesh.triangles)
      for (int k = 0; k != 3; ++k) ++begin[t[k] + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    other.resize(begin.back());
    std::vector<Index> next(begin.begin(), begin.end() - 1);
    for (const auto& t : mesh.triangles)
      for (int k = 0; k != 3; ++k) other[next[t[k]]++] = t[(k + 1) % 3];
  }
};

void relax(const Links& links, const std::vector<Vec3>& from, std::span<const float> weights, float step,
           std::vector<Vec3>& to) {
  parallel_for(from.size(), [&](std::size_t v) {
    Vec3 mean = Vec3::Zero();
    const Index begin = links.begin[v], end = links.begin[v + 1];
    for (Index k = begin; k != end; ++k) mean += from[links.other[k]];
    to[v] = begin == end ? from[v] : Vec3(from[v] + step * weights[v] * (mean / float(end - begin) - from[v]));
  });
}

/// Keeps the marked vertices and the triangles between them.
void keep_vertices(Geometry& surface, std::span<const std::uint8_t> kept) {
  std::vector<Index> place(kept.size());
  Index count = 0;
  for (std::size_t v = 0; v != kept.size(); ++v) {
    place[v] = count;
    if (!kept[v]) continue;
    surface.mesh.vertices[count] = surface.mesh.vertices[v];
    surface.normals[count] = surface.normals[v];
    for (Geometry::Attribute& attribute : surface.attributes)
      std::copy_n(attribute.values.begin() + static_cast<std::ptrdiff_t>(v) * attribute.components,
                  attribute.components, attribute.values.begin() + std::ptrdiff_t{count} * attribute.components);
    ++count;
  }
  surface.mesh.vertices.resize(count);
  surface.normals.resize(count);
  for (Geometry::Attribute& attribute : surface.attributes)
    attribute.values.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(attribute.components));
  std::erase_if(surface.mesh.triangles, [&](const auto& t) { return !kept[t[0]]; });
  for (auto& t : surface.mesh.triangles)
    for (Index& v : t) v = place[v];
}

double signed_volume(const TriangleMesh& mesh, std::size_t triangle) {
  const Vec3d a = mesh.corner(triangle, 0).cast<double>(), b = mesh.corner(triangle, 1).cast<double>(),
              c = mesh.corner(triangle, 2).cast<double>();
  return a.dot(b.cross(c)) / 6;
}

}  // namespace

void smooth(Geometry& surface, int passes, std::span<const float> weights) {
  const Links links(surface.mesh);
  std::vector<Vec3>& x = surface.mesh.vertices;
  std::vector<Vec3> other(x.size());
  for (int pass = 0; pass != passes; ++pass) {
    relax(links, x, weights, forth, other);
    relax(links, other, weights, -back, x);
  }
}

std::vector<float> smoothing_weights(const Geometry& surface, const SurfaceParticles& particles) {
  std::vector<float> weights(surface.mesh.vertices.size(), 1.0f);
  if (particles.size() == 0) return weights;
  const float most = *std::ranges::max_element(particles.support);
  const PointGrid grid(particles.position, most);
  // Relative to a ball full of particles of the local size: 0.5 at a flat surface, much less near a single particle.
  parallel_for(weights.size(), [&](std::size_t v) {
    float sum = 0, full = 0;
    grid.visit(surface.mesh.vertices[v], most, [&](Index j, float r2) {
      const float R = particles.support[j], t = 1 - r2 / (R * R);
      if (!(t > 0)) return;
      sum += particles.volume[j] * t * t * t;
      full = std::max(full, particles.dimension == 3 ? 0.638f * R * R * R : 0.785f * R * R);
    });
    const float filled = full > 0 ? sum / full : 0.0f;
    const float t = std::clamp((filled - 0.16f) / 0.1f, 0.0f, 1.0f);
    weights[v] = t * t * (3 - 2 * t);
  });
  return weights;
}

void remove_small_pieces(Geometry& surface, float volume) {
  const TriangleMesh& mesh = surface.mesh;
  std::vector<Index> root(mesh.vertices.size());
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& t : mesh.triangles) {
    root[find(t[1])] = find(t[0]);
    root[find(t[2])] = find(t[0]);
  }
  std::vector<double> enclosed(mesh.vertices.size(), 0);
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t)
    enclosed[find(mesh.triangles[t][0])] += signed_volume(mesh, t);
  std::vector<std::uint8_t> kept(mesh.vertices.size());
  for (Index v = 0; v != kept.size(); ++v) kept[v] = std::abs(enclosed[find(v)]) >= volume;
  keep_vertices(surface, kept);
}

void attach(Geometry& surface, const SurfaceParticles& particles, std::span<const Geometry::Attribute> quantities) {
  const std::size_t first = surface.attributes.size(), count = surface.mesh.vertices.size();
  for (const Geometry::Attribute& quantity : quantities)
    surface.attributes.push_back({quantity.name, quantity.unit, quantity.components,
                                  std::vector<float>(count * static_cast<std::size_t>(quantity.components), 0.0f)});
  if (particles.size() == 0 || quantities.empty()) return;
  const Kernel kernel(KernelShape::cubic_spline, particles.dimension);
  const float most = *std::ranges::max_element(particles.support);
  const PointGrid grid(particles.position, most);
  parallel_for(count, [&](std::size_t v) {
    float weight = 0, least = infinity;
    Index nearest = 0;
    const auto each_value = [&](Index j, auto&& body) {
      for (std::size_t q = 0; q != quantities.size(); ++q)
        for (int c = 0; c != quantities[q].components; ++c) {
          const auto n = static_cast<std::size_t>(quantities[q].components), k = static_cast<std::size_t>(c);
          body(surface.attributes[first + q].values[n * v + k], quantities[q].values[n * j + k]);
        }
    };
    grid.visit(surface.mesh.vertices[v], most, [&](Index j, float r2) {
      const float w = particles.volume[j] * kernel.W(std::sqrt(r2), particles.support[j]);
      if (r2 < least) least = r2, nearest = j;
      weight += w;
      each_value(j, [&](float& to, float from) { to += w * from; });
    });
    if (weight > 0)
      each_value(nearest, [&](float& to, float) { to /= weight; });
    else if (least < infinity)
      each_value(nearest, [&](float& to, float from) { to = from; });
  });
}

double enclosed_volume(const TriangleMesh& mesh) {
  return parallel_reduce(
      mesh.triangles.size(), 0.0, [&](std::size_t t) { return signed_volume(mesh, t); },
      [](double a, double b) { return a + b; });
}

}  // namespace fondue
