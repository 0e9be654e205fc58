#pragma once
// Marching cubes with the ambiguous cases resolved by the trilinear interpolant of the eight corners (Chernyaev 1995,
// Lewiner et al. 2003), without tables: the surface in a cell is traced instead of looked up.
//
//   faces     On each face the surface is one or two curves between crossed edges. Where the two diagonals of a face
//   have
//             opposite signs, the saddle of the bilinear interpolant decides which corners are joined: a c > b d
//             (Nielson & Hamann 1991). It depends on the four values of the face alone, so both cells that share it
//             agree, and the surface has no holes.
//   loops     The curves of the six faces join to closed loops, the boundaries of the surface in the cell.
//   tunnels   A loop is filled with a disc, or two loops are joined by a tube where the interpolant connects corners
//             through the interior of the cell that are separate on its faces.
//
// Corners are inside where their value is above zero. No diagonal of a polygon lies in a face, where the neighbouring
// cell might have the same one: each edge of the mesh has exactly two triangles, and the mesh is a closed manifold.

#include <array>
#include <cstdint>
#include <span>

#include "core/vec.h"

namespace fondue {

/// Corner k of a cell is at (k & 1, k >> 1 & 1, k >> 2). Edge 4 a + u + 2 v runs along axis a from the corner with
/// offsets u, v along the next two axes.
struct CellEdge {
  std::uint8_t axis, from, to;
};
CellEdge cell_edge(int edge);

/// The surface within one cell.
class CellSurface {
 public:
  /// At most 12 crossed edges in at most 4 loops; a disc of n corners has up to n triangles.
  static constexpr int most_triangles = 24, most_centres = 4;
  /// Indices 0 to 11 are edges; 12 and above are additional vertices within the cell.
  using Triangle = std::array<std::uint8_t, 3>;

  /// An additional vertex in the middle of a loop: the mean of its crossings.
  struct Centre {
    std::array<std::uint8_t, 12> edges;
    int count;
  };

  /// Corner values and, for the choice of diagonals, the point where each edge is crossed, in cell coordinates [0, 1].
  CellSurface(const std::array<float, 8>& values, const std::array<Vec3, 12>& crossings);

  /// Facing outward, towards values below zero.
  std::span<const Triangle> triangles() const { return {triangles_.data(), static_cast<std::size_t>(triangle_count_)}; }
  std::span<const Centre> centres() const { return {centres_.data(), static_cast<std::size_t>(centre_count_)}; }

 private:
  struct Loop {
    std::array<std::uint8_t, 12> edges;
    int count = 0;
  };
  void trace_loops();
  bool tunnel() const;
  bool fill_with_tube(const Loop& a, const Loop& b);
  void fill_with_disc(const Loop& loop);
  void add(int a, int b, int c);

  const std::array<float, 8>& values_;
  const std::array<Vec3, 12>& crossings_;
  std::array<Loop, 4> loops_;
  int loop_count_ = 0;
  /// Corners of equal sign that are connected by faces or edges have the same number.
  std::array<std::uint8_t, 8> component_;
  std::array<Triangle, most_triangles> triangles_;
  std::array<Centre, most_centres> centres_;
  int triangle_count_ = 0, centre_count_ = 0;
};

}  // namespace fondue
