#include "surface/sparse_grid.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "core/parallel.h"
#include "surface/marching_cubes.h"

namespace fondue {

namespace {

/// Value of forced corners: well inside at any scale of the function.
constexpr float surely_inside = 1;
/// Minimum distance of a vertex from the ends of its edge [cells], so that no triangle has zero area.
constexpr float margin = 1e-3f;

int corner_number(int x, int y, int z) { return x + block_side * (y + block_side * z); }
constexpr int strides[3] = {1, block_side, block_side* block_side};

/// A vertex as referenced by a block: on an edge, given by its lower corner and its axis, in this block or an adjacent
/// one; or one of the block's additional vertices.
struct Reference {
  std::uint8_t towards = 0;
  std::uint16_t code;
};
constexpr std::uint16_t first_centre = 3 * block_corners;

/// The surface within a block.
struct Piece {
  /// Edges whose vertices it owns, sorted; the vertices of loop centres follow.
  std::vector<std::uint16_t> codes;
  std::vector<Vec3> positions, normals;
  std::vector<std::array<Reference, 3>> triangles;

  Index place(std::uint16_t code) const {
    if (code >= first_centre) return static_cast<Index>(codes.size()) + code - first_centre;
    return static_cast<Index>(std::lower_bound(codes.begin(), codes.end(), code) - codes.begin());
  }
};

/// Sets the corners that are shared with a block listed as inside.
void force_inside(const SparseGrid& grid, BlockKey key, BlockValues& values) {
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t at = grid.find({key.x() + dx, key.y() + dy, key.z() + dz});
        if (at == grid.blocks.size() || !grid.inside[at]) continue;
        const auto begin = [](int d) { return d > 0 ? block_cells : 0; };
        const auto end = [](int d) { return d < 0 ? 1 : block_side; };
        for (int z = begin(dz); z != end(dz); ++z)
          for (int y = begin(dy); y != end(dy); ++y)
            for (int x = begin(dx); x != end(dx); ++x) values.f[corner_number(x, y, z)] = surely_inside;
      }
}

float crossing(float from, float to) { return std::clamp(from / (from - to), margin, 1 - margin); }

class PieceMaker {
 public:
  PieceMaker(const SparseGrid& grid, BlockKey key, const BlockValues& values) : grid_(grid), key_(key), v_(values) {}

  Piece make() {
    make_vertices();
    for (int z = 0; z != block_cells; ++z)
      for (int y = 0; y != block_cells; ++y)
        for (int x = 0; x != block_cells; ++x) make_cell(x, y, z);
    piece_.positions.insert(piece_.positions.end(), centres_.begin(), centres_.end());
    piece_.normals.resize(piece_.positions.size(), Vec3::Zero());
    return std::move(piece_);
  }

 private:
  void make_vertices() {
    for (int z = 0; z != block_cells; ++z)
      for (int y = 0; y != block_cells; ++y)
        for (int x = 0; x != block_cells; ++x)
          for (int axis = 0; axis != 3; ++axis) {
            const int from = corner_number(x, y, z), to = from + strides[axis];
            if ((v_.f[from] > 0) == (v_.f[to] > 0)) continue;
            const float t = crossing(v_.f[from], v_.f[to]);
            Vec3 position = grid_.corner(key_, x, y, z);
            position[axis] += t * grid_.cell;
            Vec3 uphill;
            for (int a = 0; a != 3; ++a) uphill[a] = (1 - t) * v_.gradient[a][from] + t * v_.gradient[a][to];
            // Where the gradient is zero, use the direction of the edge.
            if (!(uphill.squaredNorm() > 1e-30f)) uphill = (v_.f[to] > 0 ? 1.0f : -1.0f) * Vec3::Unit(axis);
            piece_.codes.push_back(static_cast<std::uint16_t>(3 * from + axis));
            piece_.positions.push_back(position);
            piece_.normals.push_back(-uphill.normalized());
          }
  }

  void make_cell(int x, int y, int z) {
    const int base = corner_number(x, y, z);
    std::array<float, 8> f;
    unsigned inside = 0;
    for (int k = 0; k != 8; ++k) {
      f[k] = v_.f[base + (k & 1) * strides[0] + (k >> 1 & 1) * strides[1] + (k >> 2) * strides[2]];
      inside |= (f[k] > 0 ? 1u : 0u) << k;
    }
    if (inside == 0 || inside == 255) return;
    std::array<Vec3, 12> crossings;
    for (int e = 0; e != 12; ++e) {
      const CellEdge edge = cell_edge(e);
      if ((inside >> edge.from & 1) == (inside >> edge.to & 1)) continue;
      crossings[e] = Vec3(float(edge.from & 1), float(edge.from >> 1 & 1), float(edge.from >> 2));
      crossings[e][edge.axis] = crossing(f[edge.from], f[edge.to]);
    }
    const CellSurface surface(f, crossings);
    const std::size_t centres_before = centres_.size();
    for (const CellSurface::Centre& centre : surface.centres()) {
      Vec3 mean = Vec3::Zero();
      for (int k = 0; k != centre.count; ++k) mean += crossings[centre.edges[k]] / float(centre.count);
      centres_.push_back(grid_.corner(key_, x, y, z) + grid_.cell * mean);
    }
    const auto reference = [&](int vertex) -> Reference {
      if (vertex >= 12)
        return {0, static_cast<std::uint16_t>(first_centre + centres_before + static_cast<std::size_t>(vertex) - 12)};
      const CellEdge edge = cell_edge(vertex);
      int at[3] = {x + (edge.from & 1), y + (edge.from >> 1 & 1), z + (edge.from >> 2)};
      std::uint8_t towards = 0;
      for (int a = 0; a != 3; ++a)
        if (at[a] == block_cells) {
          at[a] = 0;
          towards |= static_cast<std::uint8_t>(1 << a);
        }
      return {towards, static_cast<std::uint16_t>(3 * corner_number(at[0], at[1], at[2]) + edge.axis)};
    };
    for (const CellSurface::Triangle& t : surface.triangles())
      piece_.triangles.push_back({reference(t[0]), reference(t[1]), reference(t[2])});
  }

  const SparseGrid& grid_;
  BlockKey key_;
  const BlockValues& v_;
  Piece piece_;
  /// Vertices in the middle of loops.
  std::vector<Vec3> centres_;
};

/// Joins all pieces into one mesh.
Geometry join(const SparseGrid& grid, std::span<const Piece> pieces) {
  std::vector<Index> first_vertex(pieces.size() + 1, 0), first_triangle(pieces.size() + 1, 0);
  for (std::size_t b = 0; b != pieces.size(); ++b) {
    first_vertex[b + 1] = first_vertex[b] + static_cast<Index>(pieces[b].positions.size());
    first_triangle[b + 1] = first_triangle[b] + static_cast<Index>(pieces[b].triangles.size());
  }
  Geometry surface;
  surface.mesh.vertices.resize(first_vertex.back());
  surface.normals.resize(first_vertex.back());
  surface.mesh.triangles.resize(first_triangle.back());
  parallel_for(
      pieces.size(),
      [&](std::size_t b) {
        const Piece& piece = pieces[b];
        std::ranges::copy(piece.positions, surface.mesh.vertices.begin() + first_vertex[b]);
        std::ranges::copy(piece.normals, surface.normals.begin() + first_vertex[b]);
        std::size_t around[8];
        const BlockKey key = grid.blocks[b];
        if (!piece.triangles.empty())
          for (int k = 0; k != 8; ++k)
            around[k] = grid.find({key.x() + (k & 1), key.y() + (k >> 1 & 1), key.z() + (k >> 2)});
        for (std::size_t t = 0; t != piece.triangles.size(); ++t)
          for (int k = 0; k != 3; ++k) {
            const Reference reference = piece.triangles[t][k];
            const std::size_t owner = around[reference.towards];
            surface.mesh.triangles[first_triangle[b] + t][k] =
                first_vertex[owner] + pieces[owner].place(reference.code);
          }
      },
      16);
  return surface;
}

}  // namespace

std::size_t SparseGrid::find(BlockKey key) const {
  const auto found = std::lower_bound(blocks.begin(), blocks.end(), key);
  return found != blocks.end() && *found == key ? static_cast<std::size_t>(found - blocks.begin()) : blocks.size();
}

Vec3 SparseGrid::corner(BlockKey block, int x, int y, int z) const {
  return cell * Vec3(static_cast<float>(block_cells * block.x() + x), static_cast<float>(block_cells * block.y() + y),
                     static_cast<float>(block_cells * block.z() + z));
}

Geometry extract_surface(const SparseGrid& grid, const BlockFunction& evaluate) {
  std::vector<Piece> pieces(grid.blocks.size());
  parallel_for(
      pieces.size(),
      [&](std::size_t b) {
        if (grid.inside[b]) return;
        BlockValues values;
        evaluate(grid.blocks[b], values);
        force_inside(grid, grid.blocks[b], values);
        const bool first = values.f[0] > 0;
        if (std::all_of(values.f, values.f + block_corners, [&](float f) { return (f > 0) == first; })) return;
        pieces[b] = PieceMaker(grid, grid.blocks[b], values).make();
      },
      4);
  Geometry surface = join(grid, pieces);
  // A vertex in the middle of a loop has no edge from which to interpolate a gradient.
  for (const auto& t : surface.mesh.triangles)
    for (const Index vertex : t)
      if (surface.normals[vertex].isZero(0)) {
        const Vec3 &a = surface.mesh.vertices[t[0]], &b = surface.mesh.vertices[t[1]], &c = surface.mesh.vertices[t[2]];
        surface.normals[vertex] = (b - a).cross(c - a).stableNormalized();
      }
  return surface;
}

}  // namespace fondue
