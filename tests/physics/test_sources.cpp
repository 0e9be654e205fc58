// Where matter comes from and where it goes: emitters, sinks, the open domain, attributes it carries.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <set>

#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "behaviours/viscosity.h"
#include "cache/statistics.h"
#include "support/resumed.h"
#include "support/setups.h"
#include "world/integrator.h"

namespace fondue::test_sources {
namespace {

using namespace testing_support;

/// An empty world with one emitter, without gravity: the jet goes straight.
WorldSetup jet(int dimension, EmitterKind kind) {
  WorldSetup setup = world_setup(dimension, 0.05f);
  ObjectSetup water = object("water", nullptr, 0.05f, {track("fluid")});
  water.initial.set(columns::temperature, 300.0f);
  setup.objects.push_back(water);
  EmitterSetup emitter;
  emitter.name = "nozzle";
  emitter.kind = kind;
  emitter.radius = 0.2f;
  emitter.direction = Vec3(1, 0, 0);
  emitter.speed = 2.0f;
  emitter.initial.set(columns::temperature,
                      Keyable<float>(Curve<float>({0, 1}, {300, 400}, Interpolation::linear), "time"));
  if (kind != EmitterKind::disc)
    emitter.shape = kind == EmitterKind::box ? make_box(Vec3(-0.3f, -0.3f, -0.3f), Vec3(0.3f, 0.3f, 0.3f))
                                             : make_sphere(Vec3::Zero(), 0.3f);
  setup.emitters.push_back(emitter);
  return setup;
}

TEST(Emitter, AJetCarriesTheVolumeItsOpeningPasses) {
  for (const int dimension : {2, 3}) {
    World world(jet(dimension, EmitterKind::disc));
    ASSERT_EQ(world.particles().size(), 0u);
    run_until(world, 0.5);
    double volume = 0;
    std::set<Index> ids;
    for (Index i = 0; i != world.particles().size(); ++i) {
      volume += world.particles()[columns::volume][i];
      ids.insert(world.particles()[columns::id][i]);
    }
    EXPECT_EQ(ids.size(), world.particles().size()) << "ids are never used twice";
    // One sheet of particles more or less, and a round opening of square cells.
    const double opening = dimension == 2 ? 0.4 : M_PI * 0.04;
    EXPECT_NEAR(volume, opening * 2 * 0.5, 0.12 * opening) << dimension << "D";
    // It leaves as dense as it is at rest.
    EXPECT_LT(measure(world)["mean compression"], 0.02);
  }
}

/// Nothing is there to change it: no gravity, and no pressure in matter that leaves as dense as it is at rest. A sheet
/// that came a tenth of a spacing too close would throw particles out with half the speed of sound's tenth.
TEST(Emitter, AJetInFreeFlightKeepsItsSpeed) {
  for (const int dimension : {2, 3}) {
    World world(jet(dimension, EmitterKind::disc));
    run_until(world, 0.5);
    ASSERT_GT(world.particles().size(), 0u);
    for (const Vec3& v : world.particles()[columns::velocity]) EXPECT_LT((v - Vec3(2, 0, 0)).norm(), 0.02f);
  }
}

/// When it is opened further, what is in the opening moves on as fast as what comes after it.
TEST(Emitter, AJetThatBecomesFasterIsNotCompressed) {
  WorldSetup setup = jet(2, EmitterKind::disc);
  setup.emitters[0].speed = Keyable<float>(Curve<float>({0, 0.3}, {1, 3}, Interpolation::step), "time");
  World world(setup);
  double largest = 0;
  while (world.time() < 0.31) {
    world.step(0.31);
    largest = std::max(largest, measure(world)["largest compression"]);
  }
  // The jet behind runs into the slow one before it and is slowed down: the opening itself must not be overfilled.
  for (Index i = 0; i != world.particles().size(); ++i) {
    if (world.particles()[columns::opening][i] == 0) continue;
    EXPECT_FLOAT_EQ(world.particles()[columns::velocity][i].x(), 3.0f);
  }
  EXPECT_LT(largest, 0.3);
}

/// However thick it is and whatever weighs on it: velocities in the opening are given, not solved for.
TEST(Emitter, AThickJetLeavesItsOpeningAtTheGivenSpeed) {
  WorldSetup setup = jet(2, EmitterKind::disc);
  setup.objects[0].tracks.push_back(track("viscosity", {{Viscosity::dynamic_viscosity, 1e4}}));
  setup.objects[0].tracks.push_back(track("gravity"));
  World world(setup);
  run_until(world, 0.3);
  Index in_opening = 0, solved = 0;
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Vec3 v = world.particles()[columns::velocity][i];
    if (world.particles()[columns::opening][i] == 0) {
      solved += world.particles()[columns::solved][i];
      continue;
    }
    ++in_opening;
    EXPECT_FLOAT_EQ(v.x(), 2.0f);
    EXPECT_EQ(v.y(), 0.0f);
  }
  EXPECT_GT(in_opening, 8u);
  EXPECT_GT(solved, 8u) << "the rest is solved for";
}

TEST(Emitter, ARateThinsTheJetAndAnEndStopsIt) {
  WorldSetup setup = jet(3, EmitterKind::disc);
  setup.emitters[0].rate = 0.05f;
  setup.emitters[0].on = Keyable<float>(Curve<float>({0, 0.5}, {1, 0}, Interpolation::step), "time");
  World world(setup);
  run_until(world, 1);
  double volume = 0;
  for (const float V : world.particles()[columns::volume]) volume += V;
  EXPECT_NEAR(volume, 0.05 * 0.5, 0.1 * 0.05 * 0.5);
}

/// Falls 0.8 m and becomes 2.2 times as fast: sheets one spacing apart would be discs with gaps of more than two.
TEST(Emitter, AFallingJetIsDrawnOutAndDoesNotComeApartIntoDiscs) {
  for (const int dimension : {2, 3}) {
    WorldSetup setup = jet(dimension, EmitterKind::disc);
    setup.objects[0].tracks.push_back(track("gravity"));
    setup.emitters[0].direction = dimension == 3 ? Vec3(0, 0, -1) : Vec3(0, -1, 0);
    World world(setup);
    run_until(world, 0.4);
    std::vector<float> heights;
    for (const Vec3& x : world.particles()[columns::position]) heights.push_back(x[dimension - 1]);
    std::ranges::sort(heights);
    ASSERT_LT(heights.front(), -0.9f);
    float gap = 0;
    for (std::size_t k = 1; k != heights.size(); ++k) gap = std::max(gap, heights[k] - heights[k - 1]);
    // A line of eight places has one every quarter of a spacing, or less, when it leaves; a disc has many more.
    EXPECT_LT(gap, dimension == 3 ? 0.025f : 0.04f) << dimension << "D, with a spacing of 0.05 m";
  }
}

TEST(Emitter, WhatLeavesADiscHasItsDistances) {
  for (const int dimension : {2, 3}) {
    World world(jet(dimension, EmitterKind::disc));
    run_until(world, 0.4);
    const auto x = world.particles()[columns::position];
    float nearest = infinity;
    for (std::size_t i = 0; i != x.size(); ++i)
      for (std::size_t j = 0; j != i; ++j) nearest = std::min(nearest, (x[i] - x[j]).norm());
    EXPECT_GT(nearest, 0.98f * 0.05f) << dimension << "D";
  }
}

/// No place of the opening is left out, and the halves of the jet carry the same.
TEST(Emitter, AThinnedJetComesFromTheWholeOpening) {
  WorldSetup setup = jet(3, EmitterKind::disc);
  setup.emitters[0].rate = 0.5f * static_cast<float>(M_PI) * 0.04f * 2;
  World world(setup);
  std::set<std::pair<int, int>> places;
  int above = 0, below = 0;
  while (world.time() < 1) {
    const Index first_new = world.particles().next_id();
    world.step(1);
    for (Index i = 0; i != world.particles().size(); ++i) {
      if (world.particles()[columns::id][i] < first_new) continue;
      const Vec3 x = world.particles()[columns::position][i] / 0.05f;
      places.insert({static_cast<int>(std::floor(x.y())), static_cast<int>(std::floor(x.z()))});
      ++(x.z() > 0 ? above : below);
    }
  }
  EXPECT_EQ(places.size(), 52u) << "squares of a spacing whose centres are in a circle of four";
  EXPECT_NEAR(above, below, 0.06 * (above + below)) << "40 sheets, half full: some 500 above and below";
}

TEST(Emitter, AThinnedJetIsTheSameForOneThreadAndForAResumedRun) {
  WorldSetup setup = jet(3, EmitterKind::disc);
  setup.emitters[0].rate = 0.1f;
  setup.objects[0].tracks.push_back(track("gravity"));
  World two(setup);
  run_until(two, 0.3);
  {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
    World one(setup);
    run_until(one, 0.3);
    expect_same_bits(one, two);
  }
  expect_resumed_the_same(setup, 0.13, 0.3);
}

TEST(Emitter, ParticlesKeepTheTemperatureOfTheirBirth) {
  World world(jet(2, EmitterKind::disc));
  run_until(world, 0.5);
  const auto T = world.particles()[columns::temperature];
  const auto x = world.particles()[columns::position];
  Index first = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    if (x[i].x() > x[first].x()) first = i;
  EXPECT_LT(T[first], 310) << "the head of the jet is the oldest";
  EXPECT_NEAR(*std::max_element(T.begin(), T.end()), 350, 5) << "the youngest";
}

TEST(Emitter, ABoxRainsAndASurfaceExudesTheGivenVolumeWithoutOverlap) {
  for (const EmitterKind kind : {EmitterKind::box, EmitterKind::surface}) {
    WorldSetup setup = jet(3, kind);
    setup.emitters[0].rate = 0.02f;
    World world(setup);
    run_until(world, 0.5);
    double volume = 0;
    for (const float V : world.particles()[columns::volume]) volume += V;
    EXPECT_NEAR(volume, 0.01, 0.0015);
    EXPECT_LT(measure(world)["largest compression"], 0.2) << "made where there was room";
  }
}

TEST(Sinks, AndTheOpenDomainTakeAwayWhatEntersThem) {
  WorldSetup setup = jet(2, EmitterKind::disc);
  setup.sinks.push_back({"drain", rectangle(0.5f, -1, 0.6f, 1), 1.0f});
  World drained(setup);
  run_until(drained, 1);
  for (const Vec3& x : drained.particles()[columns::position]) EXPECT_LT(x.x(), 0.5f);
  setup.sinks.clear();
  setup.domain = Box{Vec3(-1, -1, -1), Vec3(0.7f, 1, 1)};
  World open(setup);
  run_until(open, 1);
  EXPECT_GT(open.particles().size(), 0u);
  for (const Vec3& x : open.particles()[columns::position]) EXPECT_LE(x.x(), 0.7f);
}

TEST(Attributes, ViscosityOverTemperatureIsThatOfEachParticle) {
  // The same shear in the same lattice, warm and cold: accelerations are as the viscosities, 0.5 to 50 Pa s.
  const auto accelerations = [](float temperature) {
    WorldSetup setup = world_setup(2, 0.05f);
    const Keyable<float> mu(Curve<float>({300, 400}, {50, 0.5f}, Interpolation::linear), "temperature");
    setup.objects.push_back(object(
        "disc", make_sphere(Vec3::Zero(), 0.5f), 0.05f,
        {track("fluid", {{Fluid::speed_of_sound, 20}}), track("viscosity", {{Viscosity::dynamic_viscosity, mu}})}));
    setup.objects[0].initial.set(columns::temperature, temperature);
    World world(setup);
    const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
    for (std::size_t i = 0; i != x.size(); ++i) v[i] = Vec3(x[i].y() * x[i].y(), 0, 0);
    const std::vector<Rates> moving = rates_of(world);
    std::fill(v.begin(), v.end(), Vec3(Vec3::Zero()));
    const std::vector<Rates> resting = rates_of(world);
    double sum = 0;
    for (std::size_t i = 0; i != x.size(); ++i) sum += (moving[i].acceleration - resting[i].acceleration).norm();
    return sum;
  };
  EXPECT_NEAR(accelerations(300) / accelerations(400), 100, 1);
  EXPECT_NEAR(accelerations(350) / accelerations(400), 50.5, 0.5) << "half way";
}

}  // namespace
}  // namespace fondue::test_sources
