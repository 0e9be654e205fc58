// Matter on sheets: nothing leaks, and what lies on a sheet weighs on its pins.

#include <gtest/gtest.h>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/drag.h"
#include "behaviours/fluid.h"
#include "core/error.h"
#include "support/cloth.h"
#include "support/resumed.h"

namespace fondue::test_sheet_contacts {
namespace {

using namespace testing_support;

std::vector<Track> water() {
  return {track("fluid"), track("gravity"), track("artificial_viscosity", {{ArtificialViscosity::alpha, 0.05}})};
}

/// Everything but what is within a frame around the origin.
ShapePtr frame(float inner) {
  return make_difference(make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)),
                         make_box(Vec3(-inner, -inner, -10), Vec3(inner, inner, 10)));
}

/// A square cloth held at all its edges, with a block of water over it.
WorldSetup trampoline(float spacing, float cloth_spacing, float height, float speed, const Weave& weave = {}) {
  WorldSetup setup = flat_cloth(0.8f, 0.8f, cloth_spacing, weave);
  setup.spacing = spacing;
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.objects.push_back(
      object("water", make_box(Vec3(-0.2f, -0.2f, spacing), Vec3(0.2f, 0.2f, spacing + height)), spacing, water()));
  setup.objects[1].velocity = Vec3(0, 0, -speed);
  setup.pins = {pin("frame", frame(0.399f))};
  setup.pins[0].object = 0;
  return setup;
}

/// Particles of water with cloth above them.
int leaked(const World& world) {
  const std::vector<SheetTriangle> triangles = sheets::triangles(world.particles());
  int count = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::object][i] == 1)
      count += sheets_above(world, triangles, world.particles()[columns::position][i]) != 0;
  return count;
}

/// Water at 20 m/s, which goes several spacings in a step of the cloth's; cloth as fine as the water and twice as
/// coarse.
TEST(SheetContacts, NothingPassesAtTwentyMetresPerSecond) {
  for (const float coarser : {1.0f, 2.0f}) {
    World world(trampoline(0.04f, coarser * 0.04f, 0.2f, 20));
    for (int k = 1; k <= 10; ++k) {
      run_until(world, 0.005 * k);
      ASSERT_EQ(leaked(world), 0) << "cloth " << coarser << " times as coarse, " << world.time() << " s";
    }
    float lowest = 0;
    for (const Vec3& x : world.particles()[columns::position]) lowest = std::min(lowest, x.z());
    EXPECT_LT(lowest, -0.1f) << "the cloth was hit and gave way";
  }
}

/// A sheet swept up and down between two blocks of water at 8 m/s: both faces are wet, and each block stays on its
/// side.
TEST(SheetContacts, ASheetSweptThroughWaterKeepsBothSidesApart) {
  const float spacing = 0.05f;
  WorldSetup setup = trampoline(spacing, 1.4f * spacing, 0.15f, 0);
  setup.objects.push_back(
      object("below", make_box(Vec3(-0.2f, -0.2f, -0.2f), Vec3(0.2f, 0.2f, -spacing)), spacing, water()));
  setup.pins[0].motion.position = {
      Curve<Vec3>({0, 0.03, 0.07, 0.1}, {Vec3::Zero(), Vec3(0, 0, 0.24f), Vec3(0, 0, -0.08f), Vec3(0, 0, 0.16f)},
                  Interpolation::linear),
      "time"};
  World world(setup);
  for (int k = 1; k <= 10; ++k) {
    run_until(world, 0.01 * k);
    ASSERT_EQ(leaked(world), 0) << world.time() << " s";
    const std::vector<SheetTriangle> triangles = sheets::triangles(world.particles());
    for (Index i = 0; i != world.particles().size(); ++i)
      if (const Vec3& x = world.particles()[columns::position][i];
          world.particles()[columns::object][i] == 2 && std::max(std::abs(x.x()), std::abs(x.y())) < 0.38f) {
        ASSERT_NE(sheets_above(world, triangles, x), 0) << world.time() << " s";
      }
  }
}

/// A value that is not a number ends the run with a message; the search for enough room once went on for ever.
TEST(SheetContacts, WhatIsNotANumberEndsTheRun) {
  World world(trampoline(0.05f, 0.05f, 0.1f, 1));
  world.step(1e-3);
  // A particle in the middle of the cloth, which no pin holds.
  const auto x = world.particles()[columns::position];
  const auto object = world.particles()[columns::object];
  for (Index i = 0; i != world.particles().size(); ++i)
    if (object[i] == 0 && x[i].head<2>().norm() < 0.04f) world.particles()[columns::velocity][i].x() = std::nanf("");
  EXPECT_THROW(run_until(world, 0.1), SimulationError);
}

/// Cloth and water alone in space: their momentum stays, in every impact and every step.
TEST(SheetContacts, MomentumIsConserved) {
  WorldSetup setup = trampoline(0.05f, 0.05f, 0.1f, 5);
  setup.pins.clear();
  for (ObjectSetup& object : setup.objects)
    std::erase_if(object.tracks, [](const Track& t) { return t.behaviour == "gravity"; });
  World world(setup);
  const auto momentum = [&] {
    Vec3d sum = Vec3d::Zero();
    for (Index i = 0; i != world.particles().size(); ++i)
      sum += world.particles()[columns::mass][i] * world.particles()[columns::velocity][i].cast<double>();
    return sum;
  };
  const Vec3d before = momentum();
  run_until(world, 0.05);
  EXPECT_LT((momentum() - before).norm(), 2e-5 * before.norm());
  double caught = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::object][i] == 0)
      caught = std::min(caught, static_cast<double>(world.particles()[columns::velocity][i].z()));
  EXPECT_LT(caught, -2) << "the cloth was carried along";
}

/// A closed bag full of water, jerked about by a pin at its top, then let fall on a floor and squeezed by a press.
TEST(SheetContacts, ABagJerkedDroppedAndSqueezedHoldsAllItsWater) {
  for (const float coarser : {1.0f, 1.8f}) {
    const float spacing = 0.05f;
    WorldSetup setup = world_setup(3, spacing);
    setup.objects.push_back(
        sheet("bag", make_sphere(Vec3::Zero(), 0.25f), coarser * spacing, {cloth(), track("gravity")}));
    setup.objects.push_back(object("water", make_sphere(Vec3::Zero(), 0.2f), spacing, water()));
    setup.colliders.push_back(solid("floor", make_plane(Vec3(0, 0, -0.5f), Vec3(0, 0, 1))));
    setup.colliders.push_back(solid("press", make_box(Vec3(-1, -1, 0.9f), Vec3(1, 1, 1.1f))));
    setup.colliders.back().motion.position = {
        Curve<Vec3>({0, 0.6, 0.9}, {Vec3::Zero(), Vec3(0, 0, -0.7f), Vec3(0, 0, -1.15f)}, Interpolation::linear),
        "time"};
    setup.pins = {pin("hand", make_box(Vec3(-1, -1, 0.2f), Vec3(1, 1, 1)))};
    setup.pins[0].object = 0;
    setup.pins[0].on = {Curve<float>({0, 0.3}, {1, 0}, Interpolation::step), "time"};
    setup.pins[0].motion.position = {
        Curve<Vec3>({0, 0.1, 0.16, 0.22}, {Vec3::Zero(), Vec3::Zero(), Vec3(0.3f, 0, 0.2f), Vec3(-0.1f, 0, 0.2f)},
                    Interpolation::linear),
        "time"};
    World world(setup);
    for (int k = 1; k <= 18; ++k) {
      run_until(world, 0.05 * k);
      EXPECT_EQ(world.leaks(), 0u);
      int inside = 0, all = 0;
      for (Index i = 0; i != world.particles().size(); ++i) {
        if (world.particles()[columns::object][i] != 1) continue;
        ++all;
        inside += winding(world, world.particles()[columns::position][i]) > 0.5;
      }
      ASSERT_EQ(inside, all) << "cloth " << coarser << " times as coarse, " << world.time() << " s";
    }
  }
}

/// The pins of a cloth that is full of water carry the weight of both.
TEST(SheetContacts, PinsCarryTheWeightOfClothAndWater) {
  WorldSetup setup = trampoline(0.05f, 0.05f, 0.15f, 0, {.stretch = 20000});
  // It comes to rest in drag, which stays: what rests has no velocity that drag could take a force from.
  for (ObjectSetup& object : setup.objects) object.tracks.push_back(track("drag", {{Drag::linear, 8.0}}));
  World world(setup);
  run_until(world, 1.5);
  double held = 0, weight = 0;
  int count = 0;
  for (; world.time() < 1.8; ++count) {
    world.step(1.8);
    held -= static_cast<double>(world.force_on_pin(0).z());
  }
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::pin][i] == 0)
      weight += 9.81 * static_cast<double>(world.particles()[columns::mass][i]);
  EXPECT_EQ(leaked(world), 0);
  EXPECT_NEAR(held / count / weight, 1, 0.02);
  EXPECT_LT(statistic(world, "largest stretch of cloth"), 0.05);
}

TEST(SheetContacts, ThreadsAndResumingDoNotChangeABit) {
  WorldSetup setup = trampoline(0.05f, 0.07f, 0.1f, 3);
  expect_resumed_the_same(setup, 0.02, 0.05);
}

}  // namespace
}  // namespace fondue::test_sheet_contacts
