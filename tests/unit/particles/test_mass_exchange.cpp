// Mass that moves between particles: what is conserved, and what becomes of every kind of column.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "core/error.h"
#include "particles/mass_exchange.h"

namespace fondue::test_mass_exchange {
namespace {

constexpr Column<float> warmth{"warmth", "K", "averaged", 0, true};
constexpr Column<Vec6> stress{"stress", "Pa", "averaged", 0, true};
constexpr Column<float> charge{"charge", "C", "adds up", 0, true, MergeRule::sum};
constexpr Column<float> age{"age", "s", "kept", 0, true, MergeRule::keep};

Particles some_particles(Index count, unsigned seed = 1) {
  Particles particles;
  for (const auto& column : {columns::mass, columns::volume, columns::support, warmth, charge, age})
    particles.require(column);
  particles.require(columns::velocity);
  particles.require(columns::object);
  particles.require(stress);
  particles.create(count);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(0.5f, 2);
  for (const ColumnView& column : particles.columns()) {
    if (column.scalar == Scalar::integer) continue;
    auto* values = static_cast<float*>(column.data);
    for (std::size_t k = 0; k != std::size_t{count} * column.components; ++k) values[k] = number(random);
  }
  for (Index i = 0; i != count; ++i) particles[columns::object][i] = 10 + i;
  return particles;
}

struct Totals {
  double mass = 0, volume = 0, charge = 0, heat = 0;
  Vec3d momentum = Vec3d::Zero(), moment = Vec3d::Zero();
};

Totals totals_of(const Particles& particles) {
  Totals totals;
  for (Index i = 0; i != particles.size(); ++i) {
    const double m = double(particles[columns::mass][i]);
    totals.mass += m;
    totals.volume += double(particles[columns::volume][i]);
    totals.charge += double(particles[charge][i]);
    totals.heat += m * double(particles[warmth][i]);
    totals.momentum += m * particles[columns::velocity][i].cast<double>();
    totals.moment += m * particles[columns::position][i].cast<double>();
  }
  return totals;
}

/// Round-off of one operation on numbers of size 1 to 10, with 24 bits.
constexpr double round_off = 4e-6;

void expect_conserved(const Totals& after, const Totals& before) {
  EXPECT_NEAR(after.mass, before.mass, round_off);
  EXPECT_NEAR(after.volume, before.volume, round_off);
  EXPECT_NEAR(after.charge, before.charge, round_off);
  EXPECT_NEAR(after.heat, before.heat, round_off);
  EXPECT_LT((after.momentum - before.momentum).norm(), round_off);
}

}  // namespace

TEST(MassExchange, ConservesMassMomentumAndWhatAddsUp) {
  Particles particles = some_particles(2);
  const Totals before = totals_of(particles);
  const float mass = particles[columns::mass][0], volume = particles[columns::volume][0];
  move_mass(particles, 0, 1, 0.25f * mass);
  expect_conserved(totals_of(particles), before);
  EXPECT_FLOAT_EQ(particles[columns::mass][0], 0.75f * mass);
  EXPECT_FLOAT_EQ(particles[columns::volume][0], 0.75f * volume);
}

TEST(MassExchange, FollowsTheRuleOfEveryColumn) {
  Particles particles = some_particles(2);
  const Particles before = some_particles(2);
  const float dm = 0.3f, m = before[columns::mass][1], s = dm / before[columns::mass][0];
  move_mass(particles, 0, 1, dm);
  EXPECT_FLOAT_EQ(particles[charge][1], before[charge][1] + s * before[charge][0]);
  const Vec6 mean = (m * before[stress][1] + dm * before[stress][0]) / (m + dm);
  EXPECT_LT((particles[stress][1] - mean).norm(), 1e-6f);
  EXPECT_EQ(particles[age][1], before[age][1]);
  EXPECT_EQ(particles[columns::support][1], before[columns::support][1]);
  EXPECT_EQ(particles[columns::object][1], 11u);
  EXPECT_EQ(particles[columns::id][1], 1u);
  for (const Index i : {0u, 1u}) EXPECT_EQ(particles[columns::position][i], before[columns::position][i]);
  EXPECT_EQ(particles[columns::velocity][0], before[columns::velocity][0]) << "what is left moves on as it did";
  EXPECT_EQ(particles[stress][0], before[stress][0]);
}

TEST(MassExchange, AmongEqualsKeepsEveryBitOfWhatIsAveraged) {
  Particles particles = some_particles(2);
  for (const Index i : {0u, 1u}) {
    particles[columns::velocity][i] = Vec3(0.1f, 0.3f, 0.7f);
    particles[warmth][i] = 293.15f;
  }
  move_mass(particles, 0, 1, 0.123f);
  EXPECT_EQ(particles[columns::velocity][1], Vec3(0.1f, 0.3f, 0.7f));
  EXPECT_EQ(particles[warmth][1], 293.15f);
}

TEST(MassExchange, OfAllLeavesNothingAndOfNothingChangesNothing) {
  Particles particles = some_particles(2);
  const Particles before = some_particles(2);
  move_mass(particles, 0, 1, 0);
  EXPECT_EQ(particles[columns::mass][1], before[columns::mass][1]);
  EXPECT_EQ(particles[warmth][1], before[warmth][1]);
  move_mass(particles, 0, 1, before[columns::mass][0]);
  EXPECT_EQ(particles[columns::mass][0], 0);
  EXPECT_EQ(particles[columns::volume][0], 0);
  EXPECT_EQ(particles[charge][0], 0);
}

TEST(MassExchange, IntoAnEmptyParticleMakesItLikeTheGiver) {
  Particles particles = some_particles(1);
  const Index fresh = particles.create(1);
  move_mass(particles, 0, fresh, 0.1f);
  EXPECT_EQ(particles[columns::velocity][fresh], particles[columns::velocity][0]);
  EXPECT_EQ(particles[stress][fresh], particles[stress][0]);
  EXPECT_EQ(particles[columns::mass][fresh], 0.1f);
}

TEST(MassExchange, RefusesMoreThanThereIsAndNobodyAndItself) {
  Particles particles = some_particles(2);
  const Totals before = totals_of(particles);
  const float mass = particles[columns::mass][0];
  for (const float wrong : {std::nextafter(mass, infinity), -0.1f, std::nanf(""), infinity})
    EXPECT_THROW(move_mass(particles, 0, 1, wrong), SimulationError) << wrong;
  EXPECT_THROW(move_mass(particles, 0, 0, 0.1f), SimulationError);
  EXPECT_THROW(move_mass(particles, 2, 0, 0.1f), SimulationError);
  EXPECT_THROW(move_mass(particles, 0, 2, 0.1f), SimulationError);
  std::vector<std::uint8_t> marked(2);
  EXPECT_THROW(merge(particles, 1, 1, 3, marked), SimulationError);
  EXPECT_THROW(merge(particles, 0, 1, 3, std::span(marked).first(1)), SimulationError);
  EXPECT_THROW(split(particles, 0, {}, 3), SimulationError);
  EXPECT_EQ(marked, std::vector<std::uint8_t>(2));
  EXPECT_EQ(totals_of(particles).momentum, before.momentum);
}

TEST(Merging, ConservesEverythingAndTheCentreOfMass) {
  Particles particles = some_particles(5);
  const Totals before = totals_of(particles);
  const float R = particles[columns::support][1], V = particles[columns::volume][1];
  std::vector<std::uint8_t> marked(5);
  merge(particles, 3, 1, 3, marked);
  merge(particles, 4, 1, 3, marked);
  EXPECT_EQ(marked, (std::vector<std::uint8_t>{0, 0, 0, 1, 1}));
  particles.remove(marked);
  const Totals after = totals_of(particles);
  expect_conserved(after, before);
  EXPECT_LT((after.moment - before.moment).norm(), round_off);
  const float grown = particles[columns::volume][1] / V;
  EXPECT_FLOAT_EQ(particles[columns::support][1], R * std::cbrt(grown));
  EXPECT_EQ(particles[columns::id][1], 1u);
}

TEST(Splitting, ConservesEverythingAndTheCentreOfMass) {
  for (const int dimension : {2, 3}) {
    Particles particles = some_particles(3);
    const Particles original = some_particles(3);
    const Totals before = totals_of(particles);
    const std::vector<Vec3> offsets = {Vec3(0.1f, 0, 0), Vec3(0, 0.2f, 0), Vec3(0.3f, 0, 0), Vec3(0, 0.1f, 0)};
    EXPECT_EQ(split(particles, 1, offsets, dimension), 3u);
    ASSERT_EQ(particles.size(), 6u);
    const Totals after = totals_of(particles);
    expect_conserved(after, before);
    EXPECT_LT((after.moment - before.moment).norm(), round_off);
    std::set<Index> ids;
    for (const Index i : {1u, 3u, 4u, 5u}) {
      EXPECT_EQ(particles[columns::mass][i], original[columns::mass][1] / 4);
      EXPECT_EQ(particles[columns::volume][i], original[columns::volume][1] / 4);
      EXPECT_FLOAT_EQ(particles[columns::support][i],
                      original[columns::support][1] / (dimension == 2 ? 2 : std::cbrt(4.0f)));
      EXPECT_EQ(particles[columns::velocity][i], original[columns::velocity][1]);
      EXPECT_EQ(particles[stress][i], original[stress][1]);
      EXPECT_EQ(particles[age][i], original[age][1]);
      EXPECT_EQ(particles[columns::object][i], 11u);
      ids.insert(particles[columns::id][i]);
    }
    EXPECT_EQ(ids, (std::set<Index>{1, 3, 4, 5}));
    const Vec3 apart = particles[columns::position][4] - particles[columns::position][3];
    EXPECT_LT((apart - (offsets[2] - offsets[1])).norm(), 1e-6f);
    EXPECT_EQ(particles[columns::mass][0], original[columns::mass][0]);
  }
}

TEST(Splitting, IsUndoneByMerging) {
  Particles particles = some_particles(1);
  const Particles original = some_particles(1);
  split(particles, 0, std::vector<Vec3>{Vec3(0.1f, 0, 0), Vec3(-0.1f, 0.1f, 0), Vec3(0, -0.3f, 0.2f)}, 3);
  std::vector<std::uint8_t> marked(3);
  merge(particles, 1, 0, 3, marked);
  merge(particles, 2, 0, 3, marked);
  particles.remove(marked);
  EXPECT_LT((particles[columns::position][0] - original[columns::position][0]).norm(), 1e-6f);
  for (const auto& column : {columns::mass, columns::volume, columns::support, charge})
    EXPECT_NEAR(particles[column][0], original[column][0], 1e-6f) << column.name;
}

TEST(Splitting, IntoOneMovesNothing) {
  Particles particles = some_particles(1);
  const Particles original = some_particles(1);
  split(particles, 0, std::vector<Vec3>{Vec3(5, 5, 5)}, 3);
  EXPECT_EQ(particles.size(), 1u);
  EXPECT_EQ(particles[columns::position][0], original[columns::position][0]);
  EXPECT_EQ(particles[columns::mass][0], original[columns::mass][0]);
}

}  // namespace fondue::test_mass_exchange
