// Bonds in slices: every bond once and in order, on a lattice and in disorder.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "particles/bond_slices.h"
#include "particles/particles.h"

namespace fondue::test_bond_slices {
namespace {

/// Two objects, each of half of these particles, bonded within two spacings of one.
Particles bonded(int nx, int ny, int nz, bool disorder, bool backwards = false) {
  std::vector<Vec3> x;
  for (int k = 0; k != nz; ++k)
    for (int j = 0; j != ny; ++j)
      for (int i = 0; i != nx; ++i) x.emplace_back(static_cast<float>(i), static_cast<float>(j), static_cast<float>(k));
  if (disorder)
    for (std::size_t i = 1; i < x.size(); ++i)
      std::swap(x[i], x[static_cast<std::size_t>(random_unit(5, i) * static_cast<float>(i))]);
  Particles particles;
  particles.create(static_cast<Index>(x.size()));
  const auto object = particles.require(columns::object);
  for (Index i = 0; i != x.size(); ++i) object[i] = i < x.size() / 2 ? 3 : 1;
  std::vector<BondSet::Pair> pairs;
  for (Index i = 0; i != x.size(); ++i)
    for (Index j = i + 1; j != x.size(); ++j)
      if ((x[i] - x[j]).norm() < 1.99f && object[i] == object[j]) pairs.push_back({i, j});
  particles.require_bonds("some").add(pairs, particles[columns::id]);
  if (backwards) {
    std::vector<Index> order(x.size());
    std::iota(order.rbegin(), order.rend(), Index{0});
    particles.reorder(order);
  }
  return particles;
}

SliceOrder order_of(const Particles& particles) {
  const BondSet* sets[] = {&particles.bonds("some")};
  return SliceOrder(sets, particles[columns::object], particles[columns::id]);
}

void expect_every_bond_once(const Particles& particles, bool aligned) {
  const BondSet& set = particles.bonds("some");
  const auto id = particles[columns::id];
  const SliceOrder order = order_of(particles);
  const BondSlices slices(set, order);
  std::vector<int> seen(set.size(), 0);
  constexpr Index width = SliceOrder::width;
  for (Index s = 0; s != order.slices(); ++s) {
    std::vector<Index> last(width, 0);
    for (Index row = slices.begins[s]; row != slices.begins[s + 1]; ++row)
      for (Index lane = 0; lane != width; ++lane) {
        const Index entry = width * row + lane, p = width * s + lane;
        ASSERT_LT(slices.neighbours[entry], order.places());
        if (slices.aligned[s]) {
          EXPECT_EQ(static_cast<std::int64_t>(slices.neighbours[entry]) - p, slices.offsets[row]);
        }
        const Index b = slices.bonds[entry];
        if (b == SliceOrder::none) continue;
        ++seen[b];
        const Index j = order.particle[slices.neighbours[entry]];
        EXPECT_EQ(set.neighbours()[b], j);
        EXPECT_EQ(set.neighbours()[set.reverses()[b]], order.particle[p]);
        EXPECT_GE(id[j], last[lane]) << "in the order of ids";
        last[lane] = id[j];
      }
  }
  EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
  ASSERT_EQ(order.parts.size(), 2u);
  for (const SliceOrder::Part& part : order.parts) EXPECT_EQ(slices.aligned[part.begin] != 0, aligned);
  EXPECT_EQ(slices.any_unaligned(), !aligned);
}

TEST(BondSlices, HoldEveryBondOnceAndInTheOrderOfIds) {
  expect_every_bond_once(bonded(12, 8, 6, false), true);
  expect_every_bond_once(bonded(8, 8, 6, false, true), true);
  expect_every_bond_once(bonded(12, 8, 6, true), false);
}

TEST(BondSlices, PlacesDoNotDependOnTheOrderOfTheStore) {
  const Particles forwards = bonded(9, 6, 6, false), backwards = bonded(9, 6, 6, false, true);
  const SliceOrder a = order_of(forwards), b = order_of(backwards);
  ASSERT_EQ(a.places(), b.places());
  for (Index p = 0; p != a.places(); ++p) {
    ASSERT_EQ(a.particle[p] == SliceOrder::none, b.particle[p] == SliceOrder::none);
    if (a.particle[p] == SliceOrder::none) continue;
    EXPECT_EQ(forwards[columns::id][a.particle[p]], backwards[columns::id][b.particle[p]]);
  }
}

/// Empty lanes of aligned rows look beyond the particles of their object, by less than a slice.
TEST(BondSlices, EmptySlicesSurroundEveryObject) {
  const SliceOrder order = order_of(bonded(5, 5, 4, false));
  ASSERT_EQ(order.parts.size(), 2u);
  EXPECT_EQ(order.parts[0].begin, 1u);
  EXPECT_EQ(order.parts[1].begin, order.parts[0].end + 1);
  EXPECT_EQ(order.parts[1].end + 1, order.slices());
  for (const Index slice : {0u, order.parts[0].end, order.parts[1].end})
    for (Index lane = 0; lane != SliceOrder::width; ++lane)
      EXPECT_EQ(order.particle[SliceOrder::width * slice + lane], SliceOrder::none);
}

}  // namespace
}  // namespace fondue::test_bond_slices
