// Materials that change by an event: contact with a body, age, having been wet, having been in a region (L09 7.2).

#include <gtest/gtest.h>

#include "behaviours/drag.h"
#include "behaviours/history.h"
#include "support/momenta.h"
#include "support/resumed.h"

namespace fondue::test_events {
namespace {

using namespace testing_support;

constexpr float dx = 0.02f;

Keyable<float> over(const char* column, float from, float to, float first, float last) {
  return {Curve<float>({from, to}, {first, last}, Interpolation::linear), column};
}

RegionSetup zone(ShapePtr shape) {
  RegionSetup result;
  result.name = "zone";
  result.behaviour = History::description.name;
  result.shape = std::move(shape);
  return result;
}

/// A block of water, 16 cm wide, that falls by 10 cm onto a floor.
WorldSetup falling(std::vector<Track> tracks) {
  WorldSetup setup = world_setup(2, dx);
  tracks.insert(tracks.end(), {track("gravity"), track("history")});
  setup.objects.push_back(object("block", rectangle(-0.08f, 0.1f, 0.08f, 0.18f), dx, tracks));
  setup.colliders.push_back(container("box", rectangle(-0.4f, 0, 0.4f, 1), 1));
  return setup;
}

TEST(Events, AgeIsTheTimeSinceItWasMade) {
  World world(falling({track("fluid"), track("artificial_viscosity")}));
  run_until(world, 0.1);
  for (const float age : world.particles()[columns::age]) EXPECT_NEAR(age, 0.1f, 1e-5f);
}

TEST(Events, TouchedIsTheTimeSinceTheFirstContact) {
  World world(falling({track("fluid"), track("artificial_viscosity")}));
  const double landing = std::sqrt(2 * 0.1 / 9.81);
  run_until(world, landing - 0.02);
  for (const float touched : world.particles()[columns::touched]) EXPECT_EQ(touched, 0);
  run_until(world, landing + 0.1);
  const auto touched = world.particles()[columns::touched];
  const auto id = world.particles()[columns::id];
  int down = 0;
  for (std::size_t i = 0; i != touched.size(); ++i) {
    if (touched[i] > 0) ++down;
    if (id[i] < 8) {
      EXPECT_NEAR(touched[i], 0.1f, 0.015f) << "of the lowest row";
    }
  }
  EXPECT_GE(down, 8);
}

TEST(Events, WhatHasTouchedTheFloorBehavesInAnotherWay) {
  // It sticks: drag whose weight runs over `touched`.
  const auto fastest = [](const std::vector<Track>& tracks) {
    World world(falling(tracks));
    run_until(world, 0.4);
    const auto touched = world.particles()[columns::touched];
    const auto v = world.particles()[columns::velocity];
    float result = 0, free = 0;
    for (std::size_t i = 0; i != touched.size(); ++i) {
      float& speed = touched[i] > 0.15f ? result : free;
      speed = std::max(speed, v[i].norm());
    }
    EXPECT_GT(free, 0.3f) << "what has not touched it goes on";
    return result;
  };
  const std::vector<Track> water = {track("fluid"), track("artificial_viscosity")};
  EXPECT_GT(fastest(water), 0.3f);
  std::vector<Track> sticky = water;
  sticky.push_back(track("drag", {{Drag::linear, 300}}, over("touched", 0, 0.05f, 0, 1)));
  EXPECT_LT(fastest(sticky), 0.1f);
}

TEST(Events, WettedIsTheTimeSinceItMetAnotherFluid) {
  WorldSetup setup = world_setup(2, dx);
  const std::vector<Track> water = {track("fluid"), track("artificial_viscosity"), track("gravity")};
  std::vector<Track> body = {elastic(1e5, 0.3, 0.2), track("gravity"), track("history")};
  setup.objects.push_back(object("pool", rectangle(-0.2f, 0, 0.2f, 0.12f), dx, water));
  setup.objects.push_back(object("body", rectangle(-0.06f, 0.2f, 0.06f, 0.32f), dx, body));
  setup.objects[1].density = 400;
  setup.colliders.push_back(container("tank", rectangle(-0.2f, 0, 0.2f, 1), 1));
  World world(setup);
  run_until(world, 0.1);
  const auto wet = [&] {
    int count = 0;
    for (Index i = 0; i != world.particles().size(); ++i) count += world.particles()[columns::wetted][i] > 0;
    return count;
  };
  EXPECT_EQ(wet(), 0);
  run_until(world, 0.4);
  EXPECT_GE(wet(), 6) << "its underside";
  EXPECT_LE(wet(), 26) << "not its inside, which no fluid touches";
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::object][i] == 0) {
      EXPECT_EQ(world.particles()[columns::wetted][i], 0);
    }
}

TEST(Events, ZonesMarkWhatIsInThemAndBodiesWhatTouchesThem) {
  WorldSetup setup = falling({track("fluid"), track("artificial_viscosity")});
  setup.regions.push_back(zone(rectangle(-1, 0.05f, 0, 0.09f)));
  setup.regions[0].values.set(History::zone_value, Keyable<float>(0.5f));
  {
    World world(setup);
    for (const float mark : world.particles()[columns::mark]) EXPECT_EQ(mark, 0);
    run_until(world, std::sqrt(2 * 0.06 / 9.81));
    const auto mark = world.particles()[columns::mark];
    const auto x = world.particles()[columns::position];
    int marked = 0;
    for (std::size_t i = 0; i != mark.size(); ++i) {
      if (x[i].x() > dx) {
        EXPECT_EQ(mark[i], 0) << "beside the zone";
      }
      marked += std::abs(mark[i] - 0.5f) < 0.01f;
    }
    EXPECT_GE(marked, 8);
  }
  // The same by touching the floor, which is the first collider.
  setup.regions[0].shape = nullptr;
  setup.regions[0].values.set(History::zone_body, Keyable<float>(0.0f));
  World world(setup);
  run_until(world, 0.3);
  int marked = 0;
  for (const float mark : world.particles()[columns::mark]) marked += mark > 0.4f;
  EXPECT_GE(marked, 8);
}

TEST(Events, ResumedRunsAreTheSame) {
  WorldSetup setup = falling({track("fluid"), track("artificial_viscosity")});
  setup.regions.push_back(zone(rectangle(-1, 0.05f, 0, 0.09f)));
  expect_resumed_the_same(setup, 0.12, 0.2);
}

}  // namespace
}  // namespace fondue::test_events
