// The surface within one cell, and cells together.

#include <gtest/gtest.h>

#include "surface/marching_cubes.h"
#include "unit/surface/meshes.h"

namespace fondue::test_marching_cubes {
namespace {

/// A grid of corner values of a function, in blocks around the origin.
template <class Function>
Geometry surface_of(Function&& f, int blocks, float cell) {
  SparseGrid grid{cell, {}, {}};
  for (int z = -blocks; z != blocks; ++z)
    for (int y = -blocks; y != blocks; ++y)
      for (int x = -blocks; x != blocks; ++x) grid.blocks.emplace_back(x, y, z);
  grid.inside.assign(grid.blocks.size(), 0);
  const float end = float(blocks) * grid.width();
  return extract_surface(grid, [&](BlockKey block, BlockValues& values) {
    for (int k = 0; k != block_corners; ++k) {
      const Vec3 x = grid.corner(block, k % block_side, k / block_side % block_side, k / (block_side * block_side));
      // Outside at the boundary, so that everything is closed.
      values.f[k] = x.cwiseAbs().maxCoeff() > end - 0.5f * cell ? -1.0f : f(x);
      for (auto& gradient : values.gradient) gradient[k] = 0;
    }
  });
}

/// Euler characteristic: 2 per closed piece, minus 2 per handle.
int euler(const TriangleMesh& mesh) {
  return static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.triangles.size() / 2);
}

TEST(MarchingCubes, RandomCornersGiveAClosedManifold) {
  // Random signs produce all cases, including ambiguous ones, next to each other.
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Geometry surface = surface_of(
        [&](const Vec3& x) {
          const Vec3 n = (x.array() + 1000.5f).floor();
          return random_unit(seed, static_cast<std::uint64_t>(n.x() + 4096 * (n.y() + 4096.0 * n.z()))) - 0.5f;
        },
        1, 1);
    ASSERT_GT(surface.mesh.triangles.size(), 3000u);
    EXPECT_EQ(manifold_fault(surface.mesh), "") << "seed " << seed;
  }
}

TEST(MarchingCubes, ValuesThatAreExactlyZeroGiveAClosedManifold) {
  const Geometry surface = surface_of([](const Vec3& x) { return 2 - x.cwiseAbs().maxCoeff(); }, 1, 0.5f);
  EXPECT_EQ(manifold_fault(surface.mesh), "");
  for (std::size_t t = 0; t != surface.mesh.triangles.size(); ++t)
    EXPECT_GT((surface.mesh.corner(t, 1) - surface.mesh.corner(t, 0)).norm(), 0);
}

TEST(MarchingCubes, SphereHasItsVolumeToSecondOrder) {
  double error[2];
  for (int k = 0; k != 2; ++k) {
    const float cell = k == 0 ? 0.1f : 0.05f;
    const Geometry surface = surface_of([](const Vec3& x) { return 1 - x.norm(); }, k == 0 ? 2 : 4, cell);
    EXPECT_EQ(manifold_fault(surface.mesh), "");
    EXPECT_EQ(euler(surface.mesh), 2);
    error[k] = std::abs(enclosed_volume(surface.mesh) / (4 * M_PI / 3) - 1);
  }
  // Chords cut off an amount proportional to the square of the cell size.
  EXPECT_LT(error[0], 0.01);
  EXPECT_NEAR(error[0] / error[1], 4, 0.8);
}

TEST(MarchingCubes, TorusHasOneHandle) {
  const Geometry surface = surface_of(
      [](const Vec3& x) {
        const float ring = std::hypot(x.x(), x.y()) - 0.6f;
        return 0.25f - std::hypot(ring, x.z());
      },
      2, 0.08f);
  EXPECT_EQ(manifold_fault(surface.mesh), "");
  EXPECT_EQ(euler(surface.mesh), 0);
}

/// A single cell with these values, surrounded by outside.
std::array<float, 8> corners(std::initializer_list<int> inside, float in, float out) {
  std::array<float, 8> values;
  values.fill(out);
  for (const int k : inside) values[k] = in;
  return values;
}

/// Connected pieces of the surface in a cell, and its Euler characteristic with boundary.
std::pair<int, int> pieces_and_euler(const std::array<float, 8>& values) {
  std::array<Vec3, 12> crossings;
  for (int e = 0; e != 12; ++e) {
    const CellEdge edge = cell_edge(e);
    crossings[e] = Vec3(float(edge.from & 1), float(edge.from >> 1 & 1), float(edge.from >> 2));
    crossings[e][edge.axis] = values[edge.from] / (values[edge.from] - values[edge.to]);
  }
  const CellSurface surface(values, crossings);
  std::map<int, int> root;
  const auto find = [&](int v) {
    while (root.at(v) != v) v = root.at(v);
    return v;
  };
  std::set<std::pair<int, int>> edges;
  for (const auto& t : surface.triangles()) {
    for (const int v : t) root.emplace(v, v);
    for (int k = 0; k != 3; ++k) {
      edges.insert(std::minmax<int>(t[k], t[(k + 1) % 3]));
      root[find(t[k])] = find(t[(k + 1) % 3]);
    }
  }
  std::set<int> pieces;
  for (const auto& [v, r] : root) pieces.insert(find(v));
  return {static_cast<int>(pieces.size()), static_cast<int>(root.size()) - static_cast<int>(edges.size()) +
                                               static_cast<int>(surface.triangles().size())};
}

TEST(MarchingCubes, OppositeCornersAreJoinedByATunnelWhereTheInterpolantJoinsThem) {
  // Along the diagonal of the cell the trilinear interpolant in its middle is the mean of all corners.
  const auto apart = pieces_and_euler(corners({0, 7}, 0.5f, -1));
  EXPECT_EQ(apart, std::pair(2, 2)) << "two discs";
  const auto joined = pieces_and_euler(corners({0, 7}, 8, -0.5f));
  EXPECT_EQ(joined, std::pair(1, 0)) << "a tube";
  // The same with inside and outside exchanged.
  EXPECT_EQ(pieces_and_euler(corners({1, 2, 3, 4, 5, 6}, 1, -0.5f)), std::pair(2, 2));
  EXPECT_EQ(pieces_and_euler(corners({1, 2, 3, 4, 5, 6}, 0.5f, -8)), std::pair(1, 0));
}

TEST(MarchingCubes, FacesAreJoinedByTheirSaddle) {
  // Two diagonal corners of one face: one piece if a c > b d, else two.
  EXPECT_EQ(pieces_and_euler(corners({0, 3}, 2, -1)).first, 1);
  EXPECT_EQ(pieces_and_euler(corners({0, 3}, 1, -2)).first, 2);
}

TEST(MarchingCubes, EveryCaseOfSignsFillsItsLoops) {
  // All 256 cases with random magnitudes: a triangulated surface whose only open edges lie in the faces of the cell.
  for (int signs = 1; signs != 255; ++signs)
    for (std::uint64_t seed = 0; seed != 20; ++seed) {
      std::array<float, 8> values;
      for (int k = 0; k != 8; ++k)
        values[k] = (signs >> k & 1 ? 1.0f : -1.0f) * (0.05f + random_unit(seed, static_cast<std::uint64_t>(k)));
      std::array<Vec3, 12> crossings;
      for (int e = 0; e != 12; ++e) {
        const CellEdge edge = cell_edge(e);
        crossings[e] = Vec3(float(edge.from & 1), float(edge.from >> 1 & 1), float(edge.from >> 2));
        crossings[e][edge.axis] = std::clamp(values[edge.from] / (values[edge.from] - values[edge.to]), 0.0f, 1.0f);
      }
      const CellSurface surface(values, crossings);
      std::map<std::pair<int, int>, int> directed;
      for (const auto& t : surface.triangles())
        for (int k = 0; k != 3; ++k) ++directed[{t[k], t[(k + 1) % 3]}];
      for (const auto& [edge, count] : directed) {
        ASSERT_EQ(count, 1) << "signs " << signs;
        if (directed.contains({edge.second, edge.first})) continue;
        ASSERT_LT(edge.first, 12);
        ASSERT_LT(edge.second, 12);
        bool in_a_face = false;
        for (int a = 0; a != 3; ++a)
          for (const float side : {0.0f, 1.0f})
            in_a_face |= crossings[edge.first][a] == side && crossings[edge.second][a] == side;
        ASSERT_TRUE(in_a_face) << "signs " << signs;
      }
    }
}

}  // namespace
}  // namespace fondue::test_marching_cubes
