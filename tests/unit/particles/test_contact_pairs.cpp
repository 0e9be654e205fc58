// Pairs that contact acts between, against all pairs.

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "core/random.h"
#include "particles/contact_pairs.h"

namespace fondue::test_contact_pairs {
namespace {

const std::string bond_set = "test";

/// A row of particles one apart, bonded to the next and the next but one if they are of one object.
Particles row(Index count, Index of_first_object) {
  Particles particles;
  particles.require(columns::position);
  particles.require(columns::object);
  BondSet& bonds = particles.require_bonds(bond_set);
  particles.create(count);
  std::vector<BondSet::Pair> pairs;
  for (Index i = 0; i != count; ++i) {
    particles[columns::position][i] = Vec3(static_cast<float>(i), 0, 0);
    particles[columns::object][i] = i < of_first_object ? 0 : 1;
    for (const Index j : {i + 1, i + 2})
      if (j < count && (i < of_first_object) == (j < of_first_object)) pairs.push_back({i, j});
  }
  bonds.add(pairs, particles[columns::id]);
  return particles;
}

std::vector<Index> all_of(const Particles& particles) {
  std::vector<Index> all(particles.size());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::set<std::pair<Index, Index>> pairs_in_reach(const ContactPairs& pairs, const Particles& particles, float reach) {
  std::set<std::pair<Index, Index>> result;
  const auto x = particles[columns::position];
  for (Index place = 0; place != pairs.particles().size(); ++place)
    for (const Index other : pairs.partners(place)) {
      const Index i = pairs.particles()[place], j = pairs.particles()[other];
      if ((x[i] - x[j]).norm() < reach) result.insert({i, j});
    }
  return result;
}

TEST(ContactPairs, AreThoseOfDifferentObjects) {
  Particles particles = row(10, 5);
  const std::vector<float> reach(10, 2.5f);
  const std::vector<std::uint8_t> exposed(10, 1);
  ContactPairs pairs;
  pairs.follow(particles, {&particles.bonds(bond_set)}, {all_of(particles), reach, exposed, 1});
  const std::set<std::pair<Index, Index>> expected = {{3, 5}, {5, 3}, {4, 5}, {5, 4}, {4, 6}, {6, 4}};
  EXPECT_EQ(pairs_in_reach(pairs, particles, 2.5f), expected);
}

TEST(ContactPairs, OfOneObjectAreFarApartAlongItsBondsAndAtItsSurface) {
  Particles particles = row(10, 10);
  // Folded: the last particles come to lie beside the first.
  for (Index i = 5; i != 10; ++i) particles[columns::position][i] = Vec3(static_cast<float>(9 - i), 1, 0);
  const std::vector<float> reach(10, 1.1f);
  std::vector<std::uint8_t> exposed(10, 1);
  ContactPairs pairs;
  pairs.follow(particles, {&particles.bonds(bond_set)}, {all_of(particles), reach, exposed, 0.1f});
  // 4 and 5 are bonded, 3 and 6 are both bonded to 4: from 2 and 7 on they are strangers.
  std::set<std::pair<Index, Index>> expected = {{0, 9}, {9, 0}, {1, 8}, {8, 1}, {2, 7}, {7, 2}};
  EXPECT_EQ(pairs_in_reach(pairs, particles, 1.1f), expected);
  exposed[2] = 0;
  ContactPairs without;
  without.follow(particles, {&particles.bonds(bond_set)}, {all_of(particles), reach, exposed, 0.1f});
  expected.erase({2, 7});
  expected.erase({7, 2});
  EXPECT_EQ(pairs_in_reach(without, particles, 1.1f), expected);
}

/// A list that is kept while matter moves has all pairs that a new one has, in the same order.
TEST(ContactPairs, DoNotDependOnWhenTheListWasMade) {
  Particles particles = row(200, 100);
  const auto x = particles[columns::position];
  for (Index i = 0; i != 200; ++i) x[i] = 6 * random_point(1, i);
  const std::vector<float> reach(200, 1.0f);
  const std::vector<std::uint8_t> exposed(200, 1);
  ContactPairs kept;
  kept.follow(particles, {&particles.bonds(bond_set)}, {all_of(particles), reach, exposed, 0.5f});
  for (std::uint32_t step = 0; step != 8; ++step) {
    for (Index i = 0; i != 200; ++i) x[i] += 0.1f * (random_point(2 + step, i) - Vec3::Constant(0.5f)) + Vec3(5, 0, 0);
    kept.follow(particles, {&particles.bonds(bond_set)}, {all_of(particles), reach, exposed, 0.5f});
    ContactPairs fresh;
    fresh.follow(particles, {&particles.bonds(bond_set)}, {all_of(particles), reach, exposed, 0.5f});
    EXPECT_EQ(pairs_in_reach(kept, particles, 1), pairs_in_reach(fresh, particles, 1));
    EXPECT_GT(pairs_in_reach(kept, particles, 1).size(), 100u);
    for (Index place = 0; place != kept.particles().size(); ++place) {
      const auto partners = kept.partners(place);
      EXPECT_TRUE(std::ranges::is_sorted(partners, {},
                                         [&](Index other) { return particles[columns::id][kept.particles()[other]]; }));
    }
  }
}

/// Who takes no part any more, or only now, is noticed.
TEST(ContactPairs, FollowWhoTakesPart) {
  Particles particles = row(10, 5);
  std::vector<float> reach(10, 2.5f);
  const std::vector<std::uint8_t> exposed(10, 1);
  std::vector<Index> candidates = {0, 1, 2, 3, 4, 6};
  ContactPairs pairs;
  pairs.follow(particles, {&particles.bonds(bond_set)}, {candidates, reach, exposed, 1});
  std::set<std::pair<Index, Index>> expected = {{4, 6}, {6, 4}};
  EXPECT_EQ(pairs_in_reach(pairs, particles, 2.5f), expected);
  candidates = {3, 4, 5, 6};
  pairs.follow(particles, {&particles.bonds(bond_set)}, {candidates, reach, exposed, 1});
  expected.insert({{3, 5}, {5, 3}, {4, 5}, {5, 4}});
  EXPECT_EQ(pairs_in_reach(pairs, particles, 2.5f), expected);
  reach[5] = 0;
  pairs.follow(particles, {&particles.bonds(bond_set)}, {candidates, reach, exposed, 1});
  expected = {{4, 6}, {6, 4}};
  EXPECT_EQ(pairs_in_reach(pairs, particles, 2.5f), expected);
}

}  // namespace
}  // namespace fondue::test_contact_pairs
