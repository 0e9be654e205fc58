#include "surface/torn_mesh.h"

#include <array>
#include <unordered_map>

#include "core/parallel.h"
#include "surface/bonds.h"
#include "surface/marching_cubes.h"
#include "surface/vertex_normals.h"

namespace fondue {

TornMesh::TornMesh(const Shape& shape, const Box& within, float cell, const std::vector<Vec3>& particles,
                   std::span<const float> supports)
    : cell_(cell), particles_(particles) {
  const Box box = within.grown(cell);
  origin_ = box.min;
  for (int a = 0; a != 3; ++a) size_[a] = static_cast<int>(std::ceil(box.size()[a] / cell)) + 1;
  const std::size_t count = index({0, 0, size_[2]});
  distance_.resize(count);
  owner_.assign(count, 0);
  std::vector<Vec3> points(count);
  for (int z = 0; z != size_[2]; ++z)
    for (int y = 0; y != size_[1]; ++y)
      for (int x = 0; x != size_[0]; ++x) points[index({x, y, z})] = position({x, y, z});
  parallel_for(count, [&](std::size_t k) { distance_[k] = shape.distance(points[k]); });
  // Only what lies inside belongs to somebody.
  std::vector<Index> inside;
  for (std::size_t k = 0; k != count; ++k)
    if (distance_[k] < 2 * cell) inside.push_back(static_cast<Index>(k));
  std::vector<Vec3> wanted;
  for (const Index k : inside) wanted.push_back(points[k]);
  const Bonds near = find_bonds(wanted, particles_, supports);
  parallel_for(inside.size(), [&](std::size_t k) {
    const auto distance = [&](const Bonds::Bond& bond) {
      return (particles_[bond.particle] - wanted[k]).squaredNorm();
    };
    owner_[inside[k]] = std::ranges::min_element(near.of(k), {}, distance)->particle;
  });
}

Vec3 TornMesh::position(const std::array<int, 3>& at) const {
  return origin_ + cell_ * Vec3(static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]));
}

float TornMesh::crossing(const Vec3& x_from, const Vec3& x_to, std::size_t from, std::size_t to, bool cut) const {
  float t = 1;
  if (distance_[to] >= 0) t = distance_[from] / (distance_[from] - distance_[to]);
  if (cut) {
    // As far from the one particle as from the other.
    const Vec3 &own = particles_[owner_[from]], &other = particles_[owner_[to]];
    const float here = (x_from - other).squaredNorm() - (x_from - own).squaredNorm();
    const float there = (x_to - other).squaredNorm() - (x_to - own).squaredNorm();
    if (here > there) t = std::min(t, here / (here - there));
  }
  // Vertices on grid points would make triangles without area.
  return std::clamp(t, 0.02f, 0.98f);
}

/// Eight grid points: which are inside, and which of these hold together.
struct TornMesh::Cell {
  std::array<std::size_t, 8> corner;
  std::array<Vec3, 8> x;
  std::array<bool, 8> inside;
  std::array<bool, 12> cut{};
  /// The lowest corner that each is joined to.
  std::array<int, 8> piece;
  bool whole = true, any = false;

  Cell(const TornMesh& mesh, const std::array<int, 3>& at, const BodyLinks& links) {
    for (int k = 0; k != 8; ++k) {
      const std::array<int, 3> place = {at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)};
      corner[k] = mesh.index(place);
      inside[k] = mesh.distance_[corner[k]] < 0;
      any |= inside[k];
      whole &= inside[k];
      piece[k] = k;
    }
    if (!any) return;
    for (int k = 0; k != 8; ++k) x[k] = mesh.position({at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)});
    for (int e = 0; e != 12; ++e) {
      const auto [axis, from, to] = cell_edge(e);
      cut[e] = !links.hold(mesh.owner_[corner[from]], mesh.owner_[corner[to]]);
      if (cut[e]) whole = false;
      if (cut[e] || !inside[from] || !inside[to]) continue;
      const int kept = std::min(piece[from], piece[to]), gone = std::max(piece[from], piece[to]);
      for (int& p : piece)
        if (p == gone) p = kept;
    }
  }
};

TornMesh::Torn TornMesh::cut(const BodyLinks& links) const {
  Torn torn;
  TriangleMesh& mesh = torn.surface.mesh;
  std::unordered_map<std::uint64_t, Index> known;
  const auto add = [&](const Vec3& x, Index owner) {
    mesh.vertices.push_back(x);
    torn.owners.push_back(owner);
    return static_cast<Index>(mesh.vertices.size() - 1);
  };
  const auto surround = [&](const Cell& cell, int piece) {
    std::array<float, 8> values;
    for (int k = 0; k != 8; ++k) values[k] = cell.inside[k] && cell.piece[k] == piece ? 1.0f : -1.0f;
    std::array<Vec3, 12> at;
    std::array<Index, 12> vertex{};
    for (int e = 0; e != 12; ++e) {
      at[e] = Vec3::Constant(0.5f);
      const auto [axis, low, high] = cell_edge(e);
      if ((values[low] > 0) == (values[high] > 0)) continue;
      const int from = values[low] > 0 ? low : high, to = from == low ? high : low;
      const float t = crossing(cell.x[from], cell.x[to], cell.corner[from], cell.corner[to], cell.cut[e]);
      const Vec3 x = cell.x[from] + t * (cell.x[to] - cell.x[from]);
      at[e] = (x - cell.x[0]) / cell_;
      const std::uint64_t key = 6 * std::uint64_t{cell.corner[low]} + 2 * axis + (from == low ? 0 : 1);
      const auto [found, is_new] = known.try_emplace(key, Index{0});
      if (is_new) found->second = add(x, owner_[cell.corner[from]]);
      vertex[e] = found->second;
    }
    const CellSurface surface(values, at);
    std::array<Index, CellSurface::most_centres> centre{};
    for (std::size_t c = 0; c != surface.centres().size(); ++c) {
      const CellSurface::Centre& of = surface.centres()[c];
      Vec3 middle = Vec3::Zero();
      for (int k = 0; k != of.count; ++k) middle += mesh.vertices[vertex[of.edges[k]]] / static_cast<float>(of.count);
      centre[c] = add(middle, torn.owners[vertex[of.edges[0]]]);
    }
    for (const CellSurface::Triangle& t : surface.triangles()) {
      const auto number = [&](std::uint8_t k) { return k < 12 ? vertex[k] : centre[k - 12]; };
      mesh.triangles.push_back({number(t[0]), number(t[1]), number(t[2])});
    }
  };
  for (int z = 0; z + 1 < size_[2]; ++z)
    for (int y = 0; y + 1 < size_[1]; ++y)
      for (int x = 0; x + 1 < size_[0]; ++x) {
        const Cell cell(*this, {x, y, z}, links);
        if (!cell.any || cell.whole) continue;
        const bool all = std::ranges::count(cell.inside, true) == 8;
        for (int piece = 0; piece != 8; ++piece) {
          const auto members = std::ranges::count(cell.piece, piece);
          if (cell.inside[piece] && cell.piece[piece] == piece && !(all && members == 8)) surround(cell, piece);
        }
      }
  torn.surface.normals = vertex_normals(mesh);
  return torn;
}

}  // namespace fondue
