// Weights have memory: particles enter a behaviour when its weight on them rises from zero and leave it when it falls
// to zero, once each, also across a saved state and a scene that was changed meanwhile.
//
// Springs show it by their bonds, which are made on entering and removed on leaving; the fluid by density and pressure,
// which are those of matter at rest again once it has left.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "behaviours/fluid.h"
#include "behaviours/springs.h"
#include "behaviours/viscosity.h"
#include "support/bits.h"
#include "support/setups.h"
#include "world/integrator.h"

namespace fondue::test_weights {
namespace {

using namespace testing_support;

constexpr double millisecond = 1e-3;
constexpr BondColumn<float> rest_length{"length", "m", ""};

/// Zero until 10 ms, one from 20 to 30 ms, zero from 40 ms.
Keyable<float> rise_and_fall() {
  return {Curve<float>({0.01, 0.02, 0.03, 0.04}, {0, 1, 1, 0}, Interpolation::linear), "time"};
}

Track springs(Keyable<float> weight) {
  return track("springs", {{Springs::stiffness, 1e4}, {Springs::damping, 0}}, std::move(weight));
}
Track fluid(Keyable<float> weight) {
  return track("fluid", {{Fluid::speed_of_sound, 10}, {Fluid::allow_tension, 1}}, std::move(weight));
}

/// A square of 36 particles that one step per millisecond is short enough for.
WorldSetup square(std::vector<Track> tracks) {
  WorldSetup setup = world_setup(2, 0.1f);
  setup.largest_step = 1e-3f;
  setup.objects.push_back(object("square", rectangle(0, 0, 0.6f, 0.6f), 0.1f, std::move(tracks)));
  return setup;
}

/// The square grows while it moves, so the moment of entering is seen in the lengths of the bonds.
void let_grow(World& world) {
  for (Index i = 0; i != world.particles().size(); ++i)
    world.particles()[columns::velocity][i] = 2 * world.particles()[columns::position][i];
}

std::size_t bonds(const World& world) { return world.particles().bonds("springs").size(); }

/// Lengths at rest of all bonds, by the ids of their ends.
std::map<std::pair<Index, Index>, float> lengths(const World& world) {
  const BondSet& set = world.particles().bonds("springs");
  const auto id = world.particles()[columns::id];
  std::map<std::pair<Index, Index>, float> result;
  for (Index i = 0; i != set.particles(); ++i)
    for (Index b = set.begins()[i]; b != set.begins()[i + 1]; ++b)
      result[{id[i], id[set.neighbours()[b]]}] = set[rest_length][b];
  return result;
}

/// Distances at present of the same pairs.
std::map<std::pair<Index, Index>, float> distances(const World& world) {
  const auto id = world.particles()[columns::id];
  const auto x = world.particles()[columns::position];
  std::map<Index, Vec3> at;
  for (Index i = 0; i != id.size(); ++i) at[id[i]] = x[i];
  auto result = lengths(world);
  for (auto& [pair, length] : result) length = (at[pair.first] - at[pair.second]).norm();
  return result;
}

void copy_columns(const std::vector<ColumnView>& from, std::size_t rows, auto&& require) {
  for (const ColumnView& column : from) {
    if (!column.state) continue;
    void* to = require(column);
    if (rows > 0) std::memcpy(to, column.data, rows * column.components * sizeof(float));
  }
}

/// What a frame keeps of the particles: columns that are state, and bonds (cache/frame.h, which is above this folder).
Particles saved(const Particles& from) {
  Particles copy;
  copy.create(from.size());
  copy_columns(from.columns(), from.size(), [&](const ColumnView& column) { return copy.require(column); });
  copy.set_next_id(from.next_id());
  const auto list = [](std::span<const Index> values) { return std::vector<Index>(values.begin(), values.end()); };
  for (const std::string& name : from.bond_sets()) {
    const BondSet& set = from.bonds(name);
    BondSet& other = copy.require_bonds(name);
    other.restore(list(set.begins()), list(set.neighbours()), copy[columns::id]);
    copy_columns(set.columns(), set.size(), [&](const ColumnView& column) { return other.require(column); });
  }
  return copy;
}

World restored(const WorldSetup& setup, const World& world) {
  return World(setup, saved(world.particles()), world.state());
}

TEST(Weights, ParticlesEnterWhenTheWeightRisesFromZeroAndLeaveWhenItFallsToZero) {
  World world(square({springs(rise_and_fall())}));
  let_grow(world);
  std::map<std::pair<Index, Index>, float> made;
  for (int k = 1; k <= 50; ++k) {
    world.step(k * millisecond);
    ASSERT_EQ(world.time(), k * millisecond) << "one step per millisecond";
    const float weight = rise_and_fall().at(world.time());
    EXPECT_EQ(bonds(world) != 0, weight > 0) << "weight " << weight << " at " << world.time();
    if (weight > 0 && made.empty()) {
      made = lengths(world);
      EXPECT_EQ(made, distances(world)) << "free of stress at the moment of entering";
    }
    if (weight > 0) {
      EXPECT_EQ(lengths(world), made) << "not again while the weight changes";
    }
  }
  ASSERT_FALSE(made.empty());
}

TEST(Weights, AWeightThatComesBackLetsParticlesEnterAgain) {
  World world(
      square({springs({Curve<float>({0.01, 0.011, 0.02, 0.021}, {1, 0, 0, 1}, Interpolation::linear), "time"})}));
  let_grow(world);
  const auto first = lengths(world);
  run_until(world, 0.015);
  EXPECT_EQ(bonds(world), 0);
  run_until(world, 0.03);
  const auto second = lengths(world);
  ASSERT_FALSE(second.empty());
  // The square has grown by 2/s for 20 ms, 4 %, the half of it without springs; bonds that were kept would be as long
  // as at the start.
  for (const auto& [pair, length] : second)
    if (first.contains(pair)) {
      EXPECT_GT(length, 1.01f * first.at(pair));
    }
}

/// Where the weight is a curve over an attribute each particle enters and leaves for itself.
TEST(Weights, EachParticleHasItsOwnMemory) {
  World world([] {
    WorldSetup setup =
        square({springs({Curve<float>({300, 310}, {0, 1}, Interpolation::linear), "temperature"}), track("gravity")});
    setup.objects[0].initial.set(columns::temperature, 320.0f);
    return setup;
  }());
  const auto warm = [&](Index i) { return world.particles()[columns::temperature][i] > 300; };
  const auto all = lengths(world);
  ASSERT_FALSE(all.empty());
  world.step(millisecond);
  EXPECT_EQ(lengths(world), all);
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::position][i].x() < 0.3f) world.particles()[columns::temperature][i] = 300;
  world.step(2 * millisecond);
  const BondSet& set = world.particles().bonds("springs");
  std::size_t between_warm = 0;
  for (Index i = 0; i != set.particles(); ++i)
    for (Index b = set.begins()[i]; b != set.begins()[i + 1]; ++b) {
      EXPECT_TRUE(warm(i) && warm(set.neighbours()[b]));
      ++between_warm;
    }
  EXPECT_GT(between_warm, 0u);
  EXPECT_LT(between_warm, all.size());
  for (const auto& [pair, length] : lengths(world)) EXPECT_EQ(length, all.at(pair)) << "those that stay are not new";
}

/// Until its weight is zero a fluid has its own density; then mass over volume, and no pressure.
TEST(Weights, WhatIsNoFluidAnyMoreHasItsRestDensityAndNoPressure) {
  World world(square({fluid({Curve<float>({0, 0.01}, {1, 0}, Interpolation::linear), "time"})}));
  for (Vec3& x : world.particles()[columns::position]) x *= 0.97f;
  const auto left = [&](Index i) {
    const Particles& p = world.particles();
    return p[columns::density][i] == p[columns::mass][i] / p[columns::volume][i] && p[columns::density_ratio][i] == 1 &&
           p[columns::pressure][i] == 0;
  };
  for (int k = 1; k <= 15; ++k) {
    world.step(k * millisecond);
    int gone = 0;
    for (Index i = 0; i != world.particles().size(); ++i) gone += left(i);
    EXPECT_EQ(gone, world.time() < 0.01 ? 0 : 36) << "at " << world.time();
  }
}

/// A jet of springs: every particle is bonded when it appears, to those that are there, and never again.
TEST(Weights, EmittedParticlesEnterOnce) {
  // A weight that never changes needs no memory; one that is keyed has it.
  for (const Keyable<float>& weight :
       {Keyable<float>(1.0f), Keyable<float>({Curve<float>({0, 9}, {0.5f, 1}, Interpolation::linear), "time"})}) {
    WorldSetup setup = world_setup(2, 0.1f);
    setup.largest_step = 5e-3f;
    setup.objects.push_back(object("jet", nullptr, 0.1f, {springs(weight)}));
    EmitterSetup emitter;
    emitter.name = "nozzle";
    emitter.radius = 0.2f;
    emitter.direction = Vec3(1, 0, 0);
    emitter.speed = 2.0f;
    setup.emitters.push_back(emitter);
    World world(setup);
    std::map<std::pair<Index, Index>, float> known;
    for (int k = 1; k <= 60; ++k) {
      // Entering twice would be an error of its own: no two particles are bonded twice.
      ASSERT_NO_THROW(world.step(k * 5e-3));
      const auto now = lengths(world);
      for (const auto& [pair, length] : known) {
        ASSERT_TRUE(now.contains(pair));
        EXPECT_EQ(now.at(pair), length);
      }
      const auto apart = distances(world);
      for (const auto& [pair, length] : now)
        if (!known.contains(pair)) {
          EXPECT_EQ(length, apart.at(pair)) << "made in this step";
        }
      known = now;
    }
    const BondSet& set = world.particles().bonds("springs");
    EXPECT_GE(world.particles().size(), 12u) << "several rows, one bonded to the next";
    for (Index i = 0; i != set.particles(); ++i) EXPECT_GT(set.begins()[i + 1], set.begins()[i]) << "of particle " << i;
  }
}

/// Saved before the rise, while it rises, at full weight, while it falls and after.
TEST(Weights, ARunRestoredInAFadeGoesOnWithTheSameBits) {
  for (const Track& fading : {springs(rise_and_fall()), fluid(rise_and_fall())})
    for (const double moment : {0.005, 0.010, 0.015, 0.025, 0.035, 0.040, 0.045}) {
      const WorldSetup setup = square({fading, track("xsph", {}, rise_and_fall())});
      World world(setup);
      let_grow(world);
      run_until(world, moment);
      World other = restored(setup, world);
      // Nothing has happened yet.
      EXPECT_EQ(bytes_of(world.particles()), bytes_of(other.particles())) << fading.behaviour << " at " << moment;
      run_until(world, 0.06);
      run_until(other, 0.06);
      SCOPED_TRACE(fading.behaviour + " saved at " + std::to_string(moment));
      expect_same_bits(world, other);
    }
}

/// What a scene says of the behaviour after a change.
enum class Change { to_zero, to_keyed_zero, removed };

/// The scene of the square after a change of its first track.
WorldSetup changed(const Track& first, Change change) {
  if (change == Change::removed) return square({track("gravity")});
  Track other = first;
  other.weight = change == Change::to_zero
                     ? Keyable<float>(0.0f)
                     : Keyable<float>({Curve<float>({1, 2}, {0, 1}, Interpolation::linear), "time"});
  return square({other, track("gravity")});
}

class ChangedScene : public testing::TestWithParam<std::pair<bool, Change>> {
 protected:
  /// With a weight of 1 that never changes, or one that is keyed and is 1 now.
  Keyable<float> one() const {
    if (!GetParam().first) return 1.0f;
    return {Curve<float>({1, 2}, {1, 0}, Interpolation::linear), "time"};
  }
  Change change() const { return GetParam().second; }
};

std::string name_of(const std::pair<bool, Change>& given) {
  const char* names[] = {"to_zero", "to_keyed_zero", "removed"};
  return std::string(given.first ? "keyed_" : "constant_") + names[static_cast<int>(given.second)];
}

void PrintTo(const std::pair<bool, Change>& given, std::ostream* out) { *out << name_of(given); }

INSTANTIATE_TEST_SUITE_P(Of, ChangedScene,
                         testing::Values(std::pair(false, Change::to_zero), std::pair(false, Change::to_keyed_zero),
                                         std::pair(false, Change::removed), std::pair(true, Change::to_zero),
                                         std::pair(true, Change::to_keyed_zero), std::pair(true, Change::removed)),
                         [](const auto& of) { return name_of(of.param); });

TEST_P(ChangedScene, LetsParticlesLeaveSprings) {
  World world(square({springs(one()), track("gravity")}));
  run_until(world, 0.01);
  ASSERT_GT(bonds(world), 0u);
  World other = restored(changed(springs(1.0f), change()), world);
  other.step(0.011);
  EXPECT_EQ(bonds(other), 0u);
}

TEST_P(ChangedScene, LetsParticlesLeaveTheFluid) {
  World world(square({fluid(one()), track("gravity")}));
  for (Vec3& x : world.particles()[columns::position]) x *= 0.97f;
  run_until(world, 0.005);
  ASSERT_GT(std::abs(world.particles()[columns::density_ratio][0] - 1), 1e-3f);
  World other = restored(changed(fluid(1.0f), change()), world);
  other.step(0.006);
  const Particles& p = other.particles();
  for (Index i = 0; i != p.size(); ++i) {
    EXPECT_EQ(p[columns::density][i], p[columns::mass][i] / p[columns::volume][i]);
    EXPECT_EQ(p[columns::density_ratio][i], 1);
  }
}

TEST_P(ChangedScene, LetsParticlesLeaveXsph) {
  World world(square({track("xsph", {}, one()), track("gravity")}));
  world.particles()[columns::velocity][7] = Vec3(1, 0, 0);
  run_until(world, 0.005);
  float largest = 0;
  for (const Vec3& drift : world.particles()[columns::drift]) largest = std::max(largest, drift.norm());
  ASSERT_GT(largest, 0.1f);
  World other = restored(changed(track("xsph"), change()), world);
  other.step(0.006);
  for (const Vec3& drift : other.particles()[columns::drift]) EXPECT_TRUE(drift.isZero());
}

/// What was solved for is not any more: no remainder is lost, and the motion is of second order again.
TEST_P(ChangedScene, LetsParticlesLeaveTheSolve) {
  const Track wax = track("viscosity", {{Viscosity::dynamic_viscosity, 1e4}, {Viscosity::scheme, 1}}, one());
  World world(square({wax, track("gravity")}));
  let_grow(world);
  run_until(world, 0.005);
  ASSERT_EQ(world.particles()[columns::solved][0], 1u);
  Vec3d expected = Vec3d::Zero();
  double mass = 0;
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Vec3 v = world.particles()[columns::velocity][i] + world.particles()[columns::solve_remainder][i];
    expected += (world.particles()[columns::mass][i] * v).cast<double>();
    mass += world.particles()[columns::mass][i];
  }
  expected.y() -= 9.81 * mass * 1e-3;
  World other = restored(changed(wax, change()), world);
  other.step(0.006);
  Vec3d momentum = Vec3d::Zero();
  for (Index i = 0; i != other.particles().size(); ++i)
    momentum += (other.particles()[columns::mass][i] * other.particles()[columns::velocity][i]).cast<double>();
  EXPECT_EQ(std::ranges::count(other.particles()[columns::solved], 1u), 0);
  for (const Vec3& left : other.particles()[columns::solve_remainder]) EXPECT_TRUE(left.isZero());
  // Rounding of a sum of 36 velocities.
  EXPECT_LT((momentum - expected).norm(), 1e-5 * mass);
}

/// And back: what has left may enter again, wherever its memory was kept.
TEST_P(ChangedScene, ChangedBackLetsParticlesEnterAgain) {
  const WorldSetup with = square({springs(one()), track("gravity")});
  World world(with);
  run_until(world, 0.01);
  const std::size_t before = bonds(world);
  ASSERT_GT(before, 0u);
  World without = restored(changed(springs(1.0f), change()), world);
  run_until(without, 0.02);
  World again = restored(with, without);
  again.step(0.021);
  EXPECT_EQ(bonds(again), before);
}

TEST(Weights, ABehaviourThatAChangedSceneAddsIsEntered) {
  World world(square({track("gravity")}));
  run_until(world, 0.005);
  for (const Keyable<float>& weight : {Keyable<float>(1.0f), rise_and_fall()}) {
    World other = restored(square({springs(weight), track("gravity")}), world);
    run_until(other, 0.015);
    EXPECT_GT(bonds(other), 0u);
  }
}

/// From keyed to constant and the other way round while the behaviour acts: nobody enters or leaves.
TEST(Weights, AnotherWeightAboveZeroChangesNothingButItself) {
  const Keyable<float> keyed = rise_and_fall(), constant = 1.0f;
  for (const auto& [before, after] : {std::pair(keyed, constant), std::pair(constant, keyed)}) {
    World world(square({springs(before)}));
    let_grow(world);
    run_until(world, 0.025);
    const auto made = lengths(world);
    ASSERT_FALSE(made.empty());
    World other = restored(square({springs(after)}), world);
    other.step(0.026);
    EXPECT_EQ(lengths(other), made);
  }
}

}  // namespace
}  // namespace fondue::test_weights
