#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "particles/sheets.h"

namespace fondue::test_sheets {
namespace {

/// A strip of squares, each divided in two; by id: 0 1 / 2 3 / 4 5 ...
Particles strip(Index squares) {
  Particles particles;
  sheets::require(particles);
  particles.create(2 * squares + 2);
  std::vector<SheetTriangle> triangles;
  for (Index s = 0; s != squares; ++s) {
    const Index a = 2 * s;
    triangles.push_back({a, a + 1, a + 3});
    triangles.push_back({a, a + 3, a + 2});
  }
  sheets::add(particles, triangles);
  return particles;
}

/// The triangles by the ids of their corners.
std::vector<SheetTriangle> by_id(const Particles& particles) {
  std::vector<SheetTriangle> result = sheets::triangles(particles);
  for (SheetTriangle& t : result)
    for (Index& corner : t) corner = particles[columns::id][corner];
  return result;
}

TEST(Sheets, TrianglesComeBackAsTheyWereGiven) {
  EXPECT_EQ(by_id(strip(2)), (std::vector<SheetTriangle>{{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}}));
}

TEST(Sheets, SortingTheParticlesChangesNothing) {
  Particles particles = strip(5);
  const std::vector<SheetTriangle> before = by_id(particles);
  std::vector<Index> order(particles.size());
  for (Index i = 0; i != order.size(); ++i) order[i] = (7 * i + 3) % static_cast<Index>(order.size());
  particles.reorder(order);
  EXPECT_EQ(by_id(particles), before);
}

TEST(Sheets, CuttingAnEdgeTakesTheTrianglesOnBothSides) {
  Particles particles = strip(3);
  const BondSet::Pair edges[] = {{3, 2}, {0, 5}};
  sheets::cut(particles, edges);
  EXPECT_EQ(by_id(particles), (std::vector<SheetTriangle>{{0, 1, 3}, {2, 5, 4}, {4, 5, 7}, {4, 7, 6}}))
      << "0 and 5 share no edge";
}

/// Six triangles around a particle; without one of them it is at an edge.
TEST(Sheets, AParticleIsSurroundedByAClosedFan) {
  Particles particles;
  sheets::require(particles);
  particles.create(7);
  std::vector<SheetTriangle> fan;
  for (Index k = 1; k != 7; ++k) fan.push_back({0, k, k % 6 + 1});
  sheets::add(particles, fan);
  EXPECT_EQ(sheets::surrounded(particles), (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0}));
  const BondSet::Pair rim[] = {{2, 3}};
  sheets::cut(particles, rim);
  EXPECT_EQ(sheets::surrounded(particles)[0], 0);
}

TEST(Sheets, TrianglesGoWithTheirCornersAndWithTheirEdges) {
  Particles particles = strip(2);
  std::vector<std::uint8_t> marked(particles.size(), 0);
  marked[5] = 1;
  particles.remove(marked);
  EXPECT_EQ(by_id(particles), (std::vector<SheetTriangle>{{0, 1, 3}, {0, 3, 2}}));
  // The edge between 0 and 3 belongs to both.
  BondSet& bonds = particles.bonds(sheets::bond_set);
  std::vector<std::uint8_t> torn(bonds.size(), 0);
  for (Index b = bonds.begins()[0]; b != bonds.begins()[1]; ++b) torn[b] = bonds.neighbours()[b] == 3;
  bonds.remove(torn);
  EXPECT_TRUE(by_id(particles).empty());
}

TEST(Sheets, ThreeTrianglesAtOneEdgeAreNoSheet) {
  Particles particles;
  sheets::require(particles);
  particles.create(5);
  const SheetTriangle triangles[] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  EXPECT_THROW(sheets::add(particles, triangles), SimulationError);
}

}  // namespace
}  // namespace fondue::test_sheets
