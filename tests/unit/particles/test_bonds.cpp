// Bonds follow their particles whatever happens to these, and the order of a list depends on nothing but ids.

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "core/error.h"
#include "particles/particles.h"

namespace fondue::test_bonds {
namespace {

constexpr BondColumn<Vec3> reference{"reference", "m", "from one particle to the other", -1};
constexpr BondColumn<float> weight{"weight", "1", "a number that starts with 7", 7};

using Pairs = std::vector<BondSet::Pair>;

Particles some_particles(Index count) {
  Particles particles;
  particles.create(count);
  BondSet& bonds = particles.require_bonds("elastic");
  bonds.require(reference);
  bonds.require(weight);
  return particles;
}

/// The values of every directed bond by the ids of its particles.
using Expected = std::map<std::pair<Index, Index>, std::pair<Vec3, float>>;

void expect_bonds(const Particles& particles, const Expected& expected) {
  const BondSet& bonds = particles.bonds("elastic");
  const auto ids = particles[columns::id];
  ASSERT_EQ(bonds.size(), expected.size());
  ASSERT_EQ(bonds.begins().size(), particles.size() + 1);
  for (Index i = 0; i != particles.size(); ++i) {
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
      const Index j = bonds.neighbours()[b], back = bonds.reverses()[b];
      if (b != bonds.begins()[i]) {
        ASSERT_LT(ids[bonds.neighbours()[b - 1]], ids[j]) << "sorted by id";
      }
      ASSERT_EQ(bonds.neighbours()[back], i);
      ASSERT_EQ(bonds.reverses()[back], b);
      const auto found = expected.find({ids[i], ids[j]});
      ASSERT_NE(found, expected.end());
      ASSERT_EQ(bonds[reference][b], found->second.first);
      ASSERT_EQ(bonds[weight][b], found->second.second);
    }
  }
}

/// Adds bonds with arbitrary values, different for the two directions.
void add(Particles& particles, const Pairs& pairs, Expected& expected, std::mt19937& random) {
  BondSet& bonds = particles.bonds("elastic");
  const auto ids = particles[columns::id];
  const std::vector<Index> added = bonds.add(pairs, ids);
  for (std::size_t p = 0; p != pairs.size(); ++p) {
    for (const Index b : {added[p], bonds.reverses()[added[p]]}) {
      const Index i = bonds.neighbours()[bonds.reverses()[b]], j = bonds.neighbours()[b];
      EXPECT_EQ(bonds[weight][b], 7) << "new bonds start with the initial value";
      bonds[reference][b] = Vec3(float(random()), float(random()), 1);
      bonds[weight][b] = float(random());
      expected[{ids[i], ids[j]}] = {bonds[reference][b], bonds[weight][b]};
    }
    EXPECT_EQ(bonds.neighbours()[added[p]], pairs[p][1]);
  }
}

/// Pairs of particles that are not bonded yet.
Pairs free_pairs(const Particles& particles, const Expected& expected, std::size_t count, std::mt19937& random) {
  const auto ids = particles[columns::id];
  Pairs pairs;
  std::set<std::pair<Index, Index>> taken;
  for (std::size_t k = 0; k != count; ++k) {
    const Index i = random() % particles.size(), j = random() % particles.size();
    if (i == j || expected.contains({ids[i], ids[j]}) || !taken.insert({std::min(i, j), std::max(i, j)}).second)
      continue;
    pairs.push_back({i, j});
  }
  return pairs;
}

std::vector<Index> random_order(Index count, std::mt19937& random) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace

TEST(Bonds, SurviveAnySequenceOfChanges) {
  std::mt19937 random(5);
  Particles particles = some_particles(200);
  Expected expected;
  for (int round = 0; round != 150; ++round) {
    switch (random() % 5) {
      case 0:
        particles.create(random() % 20);
        break;
      case 1: {
        std::vector<std::uint8_t> marked(particles.size());
        std::set<Index> gone;
        for (Index i = 0; i != particles.size(); ++i)
          if ((marked[i] = random() % 15 == 0)) gone.insert(particles[columns::id][i]);
        particles.remove(marked);
        std::erase_if(expected, [&](const auto& bond) {
          return gone.contains(bond.first.first) || gone.contains(bond.first.second);
        });
        break;
      }
      case 2:
        particles.reorder(random_order(particles.size(), random));
        break;
      case 3:
        add(particles, free_pairs(particles, expected, random() % 300, random), expected, random);
        break;
      case 4: {
        BondSet& bonds = particles.bonds("elastic");
        const auto ids = particles[columns::id];
        std::vector<std::uint8_t> marked(bonds.size());
        for (Index b = 0; b != bonds.size(); ++b) {
          if (random() % 20 != 0) continue;
          marked[b] = 1;
          const Index i = ids[bonds.neighbours()[bonds.reverses()[b]]], j = ids[bonds.neighbours()[b]];
          expected.erase({i, j});
          expected.erase({j, i});
        }
        bonds.remove(marked);
        break;
      }
    }
    expect_bonds(particles, expected);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(expected.size(), 500u) << "the test should have something to test";
}

TEST(Bonds, OfEqualStatesAreEqualHoweverTheyWereAdded) {
  std::mt19937 random(6);
  const Pairs pairs = free_pairs(some_particles(100), {}, 600, random);
  std::vector<std::vector<Index>> lists;
  for (const bool one_by_one : {false, true}) {
    Particles particles = some_particles(100);
    const std::vector<Index> order = one_by_one ? random_order(100, random) : std::vector<Index>();
    std::vector<Index> place(100);
    std::iota(place.begin(), place.end(), Index{0});
    if (one_by_one) {
      particles.reorder(order);
      for (Index i = 0; i != 100; ++i) place[order[i]] = i;
    }
    BondSet& bonds = particles.bonds("elastic");
    Pairs given;
    for (const auto& [i, j] : pairs)
      given.push_back(one_by_one ? BondSet::Pair{place[j], place[i]} : BondSet::Pair{i, j});
    if (one_by_one) {
      std::shuffle(given.begin(), given.end(), random);
      for (const BondSet::Pair& pair : given) bonds.add(std::span(&pair, 1), particles[columns::id]);
      particles.reorder(place);
    } else {
      bonds.add(given, particles[columns::id]);
    }
    lists.emplace_back(bonds.neighbours().begin(), bonds.neighbours().end());
    lists.emplace_back(bonds.begins().begin(), bonds.begins().end());
    lists.emplace_back(bonds.reverses().begin(), bonds.reverses().end());
  }
  for (std::size_t k = 0; k != 3; ++k) EXPECT_EQ(lists[k], lists[k + 3]);
}

TEST(Bonds, GivenTwiceOrToItselfOrToNobodyAreRefusedAndNothingChanges) {
  Particles particles = some_particles(4);
  BondSet& bonds = particles.bonds("elastic");
  const auto ids = particles[columns::id];
  bonds.add(Pairs{{0, 1}, {1, 2}}, ids);
  for (const Pairs& wrong : {Pairs{{2, 3}, {1, 0}}, Pairs{{2, 3}, {3, 2}}, Pairs{{0, 3}, {3, 3}}, Pairs{{0, 4}}})
    EXPECT_THROW(bonds.add(wrong, ids), SimulationError);
  EXPECT_THROW(bonds.add(Pairs{{0, 3}}, ids.first(3)), SimulationError);
  EXPECT_THROW(bonds.remove(std::vector<std::uint8_t>(3)), SimulationError);
  EXPECT_EQ(bonds.size(), 4u);
  EXPECT_EQ(std::vector<Index>(bonds.neighbours().begin(), bonds.neighbours().end()), (std::vector<Index>{1, 0, 2, 1}));
  EXPECT_EQ(bonds[weight].size(), 4u);
}

TEST(Bonds, OfSavedListsMustBeSymmetricAndInOrder) {
  Particles particles = some_particles(3);
  BondSet& bonds = particles.bonds("elastic");
  const auto ids = particles[columns::id];
  using List = std::vector<Index>;
  EXPECT_THROW(bonds.restore({0, 1, 2}, {1, 0}, ids), SimulationError) << "too few particles";
  EXPECT_THROW(bonds.restore({0, 1, 2, 3}, {1, 0}, ids), SimulationError) << "too few bonds";
  EXPECT_THROW(bonds.restore({0, 2, 1, 2}, {1, 0}, ids), SimulationError) << "begins go back";
  EXPECT_THROW(bonds.restore({0, 1, 2, 2}, {3, 0}, ids), SimulationError) << "not there";
  EXPECT_THROW(bonds.restore({0, 1, 2, 2}, {0, 1}, ids), SimulationError) << "to itself";
  EXPECT_THROW(bonds.restore({0, 2, 3, 4}, {2, 1, 0, 0}, ids), SimulationError) << "not in order";
  EXPECT_THROW(bonds.restore({0, 1, 1, 2}, {1, 0}, ids), SimulationError) << "not symmetric";
  bonds.restore({0, 2, 3, 4}, {1, 2, 0, 0}, ids);
  EXPECT_EQ(List(bonds.reverses().begin(), bonds.reverses().end()), (List{2, 3, 0, 1}));
  EXPECT_EQ(bonds[weight][3], 7);
}

TEST(Bonds, AreKeptInSetsByName) {
  Particles particles = some_particles(3);
  EXPECT_FALSE(particles.has_bonds("cloth"));
  EXPECT_THROW(particles.bonds("cloth"), SimulationError);
  BondSet& cloth = particles.require_bonds("cloth");
  cloth.add(Pairs{{0, 2}}, particles[columns::id]);
  EXPECT_EQ(&particles.require_bonds("cloth"), &cloth);
  EXPECT_EQ(particles.bond_sets(), (std::vector<std::string>{"cloth", "elastic"}));
  EXPECT_EQ(particles.bonds("elastic").size(), 0u);
  const Particles moved = std::move(particles);
  EXPECT_EQ(moved.bonds("cloth").size(), 2u);
}

TEST(Bonds, HaveColumnsOfOneShape) {
  Particles particles = some_particles(2);
  BondSet& bonds = particles.bonds("elastic");
  constexpr BondColumn<Vec6> other{"reference", "m", "another shape"};
  constexpr BondColumn<float> missing{"missing", "1", "never asked for"};
  EXPECT_THROW(bonds.require(other), SimulationError);
  EXPECT_THROW(bonds[missing], SimulationError);
  EXPECT_TRUE(bonds.has("weight"));
  EXPECT_EQ(bonds.columns().size(), 2u);
}

}  // namespace fondue::test_bonds
