#include "shapes/mesh_side.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "shapes/mesh_faults.h"

namespace fondue {
namespace {

/// Triangles and random points at which pseudo-normals are compared with winding numbers.
constexpr std::size_t samples = 500;

/// Which triangles intersect others: an edge of one crosses the other. Vertices at one place have one number.
std::vector<std::uint8_t> find_crossed(const TriangleMesh& mesh, const MeshQueries& queries,
                                       const std::vector<Index>& vertex) {
  const std::size_t count = mesh.triangles.size();
  std::vector<std::vector<Index>> crossed_by(count);
  parallel_for(
      count,
      [&](std::size_t t) {
        for (int k = 0; k != 3; ++k) {
          const Index a = vertex[mesh.triangles[t][k]], b = vertex[mesh.triangles[t][(k + 1) % 3]];
          // Every edge belongs to two triangles, and both are crossed.
          queries.visit_crossings(mesh.corner(t, k), mesh.corner(t, (k + 1) % 3), [&](Index other) {
            const auto touches = [&](Index corner) { return vertex[corner] == a || vertex[corner] == b; };
            if (std::ranges::none_of(mesh.triangles[other], touches)) crossed_by[t].push_back(other);
          });
        }
      },
      64);
  std::vector<std::uint8_t> crossed(count, 0);
  for (std::size_t t = 0; t != count; ++t)
    for (const Index other : crossed_by[t]) crossed[t] = crossed[other] = 1;
  return crossed;
}

}  // namespace

MeshSide::MeshSide(const TriangleMesh& mesh, const MeshQueries& queries)
    : mesh_(mesh), queries_(queries), winding_(mesh), normals_(PseudoNormals::of(mesh)) {
  if (!normals_) return;
  const std::size_t count = mesh_.triangles.size();
  bool agree = agree_at_random_points();
  for (std::size_t k = 0; k != samples && agree; ++k) agree = agree_beside(k * count / samples);
  if (agree) return;
  find_trust();
  if (!agree_at_random_points()) normals_.reset();
}

double MeshSide::trusted_share() const {
  if (!normals_) return 0;
  if (trust_.empty()) return 1;
  const auto trusted = static_cast<double>(std::ranges::count(trust_, Trust::everywhere));
  return trusted / static_cast<double>(mesh_.triangles.size());
}

bool MeshSide::agree_at(const Vec3& x) const { return inside(x, queries_.closest(x)) == (winding_.at(x) > 0.5f); }

bool MeshSide::agree_beside(std::size_t t) const {
  const Vec3 &a = mesh_.corner(t, 0), &b = mesh_.corner(t, 1), &c = mesh_.corner(t, 2);
  const Vec3 area = 0.5f * (b - a).cross(c - a), middle = (a + b + c) / 3;
  const Vec3 away = 0.1f / std::sqrt(area.norm()) * area;
  return agree_at(middle + away) && agree_at(middle - away);
}

bool MeshSide::agree_at_random_points() const {
  const Box& box = queries_.bounds();
  for (std::size_t k = 0; k != samples; ++k)
    if (!agree_at(box.min + box.size().cwiseProduct(random_point(1, static_cast<Index>(k))))) return false;
  return true;
}

void MeshSide::find_trust() {
  const Index count = static_cast<Index>(mesh_.triangles.size());
  const std::vector<Index> vertex = merged_vertices(mesh_.vertices);
  const std::vector<std::uint8_t> crossed = find_crossed(mesh_, queries_, vertex);

  std::vector<std::uint8_t> bad(count);
  parallel_for(
      count, [&](std::size_t t) { bad[t] = crossed[t] || !agree_beside(t); }, 64);

  // The nearest point may be on the edge between a good triangle and a bad one.
  std::vector<std::uint8_t> at_vertex(mesh_.vertices.size(), 0);
  for (Index t = 0; t != count; ++t)
    if (bad[t])
      for (const Index corner : mesh_.triangles[t]) at_vertex[vertex[corner]] = 1;
  trust_.resize(count);
  for (Index t = 0; t != count; ++t) {
    const auto touches_bad = [&](Index corner) { return at_vertex[vertex[corner]] != 0; };
    trust_[t] = bad[t]                                                 ? Trust::nowhere
                : std::ranges::any_of(mesh_.triangles[t], touches_bad) ? Trust::within_face
                                                                       : Trust::everywhere;
  }
}

}  // namespace fondue
