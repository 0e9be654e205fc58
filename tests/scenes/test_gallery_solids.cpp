// The gallery scenes of Paiva 2009 that collide with solids: what must be seen in each, as numbers, at coarse spacings.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "support/seen.h"

namespace fondue::test_gallery_solids {
namespace {

using namespace testing_support;

/// Height of the highest particle around a place.
float top_around(const World& world, float x, float y, float radius) {
  float top = -infinity;
  for (const Vec3& p : world.particles()[columns::position])
    if (std::hypot(p.x() - x, p.y() - y) < radius) top = std::max(top, p.z());
  return top;
}

TEST(HandPress, ViscosityDropsUnderTheHandAndTheImprintStays) {
  World world(gallery_scene("hand-press", {{"scene.spacing", "0.055"}}));
  const float dx = world.setup().spacing;
  const std::size_t hand = 1;
  const float before = top_around(world, 0, -0.1f, 0.1f);
  // While it presses.
  run_until(world, 0.6);
  const auto viscosity = world.particles()[columns::viscosity];
  const Share under = mean_where(
      world, [&](const Vec3& x) { return distance_to(world, hand, x) < 1.5f * dx; }, viscosity);
  const Share away = mean_where(
      world, [&](const Vec3& x) { return distance_to(world, hand, x) > 0.2f; }, viscosity);
  ASSERT_GT(under.count, 50);
  ASSERT_GT(away.count, 50);
  // dynamic_viscosity (J + 1)
  const double at_rest = 4000 * 8;
  EXPECT_LT(under.mean, 0.3 * at_rest);
  // Away from it matter creeps under its weight only.
  EXPECT_GT(away.mean, 1.5 * under.mean);
  EXPECT_GT(away.mean, 0.35 * at_rest);
  // From the moment the hand leaves until a second later.
  run_until(world, 1.6);
  const float pressed = top_around(world, 0, -0.1f, 0.1f);
  EXPECT_LT(pressed, before - 0.06f);
  run_until(world, 2.6);
  EXPECT_LT(top_around(world, 0, -0.1f, 0.1f), pressed + 0.1f * (before - pressed));
}

float front(const World& world) {
  float furthest = -infinity;
  for (const Vec3& x : world.particles()[columns::position]) furthest = std::max(furthest, x.x());
  return furthest;
}

/// The scene as far as its lava gets in the time of these tests: a mountainside takes longer to prepare than to flood.
WorldSetup upper_mountainside(std::vector<Override> changes) {
  changes.push_back({"scene.spacing", "0.07"});
  changes.push_back({"domain.min", "[0, -0.6, -0.2]"});
  changes.push_back({"domain.max", "[2.4, 0.6, 2]"});
  return gallery_scene("lava", changes);
}

TEST(Lava, RunsInLobesAndSlowerWhereItDoesNotSlip) {
  World soft(upper_mountainside({}));
  World no_slip(upper_mountainside({{"colliders.mountain.slip", "0"}, {"colliders.mountain.roughness", "1"}}));
  run_until(soft, 1.5);
  run_until(no_slip, 1.5);
  // From the vent at x = 0.35.
  EXPECT_LT(front(no_slip) - 0.35f, 0.9f * (front(soft) - 0.35f));
  // A disc has 1 for both; a straight tongue has round ends and its hull's area, but lobes leave bays.
  const Footprint covered = footprint(soft, 0.07f);
  EXPECT_GT(covered.roundness(), 1.6);
  EXPECT_LT(covered.fullness(), 0.92);
}

/// The worst over a run: distance of two particles in spacings, speed, density over rest density; and the mean share of
/// particles with another within a quarter of a spacing.
struct Worst {
  float closest = infinity, crowded = 0, speed = 0, compression = 0;
};

Worst worst_of_lava(const std::string& epsilon) {
  World world(upper_mountainside({{"materials.lava.xsph.epsilon", epsilon}}));
  Worst worst;
  const float begin = 0.5f, end = 1.6f;
  while (world.time() < end) {
    const double before = world.time();
    world.step(end);
    const float dx = world.setup().spacing;
    const Closeness now = closeness(world, 0.25f * dx);
    worst.closest = std::min(worst.closest, now.closest / dx);
    if (before > begin) worst.crowded += now.crowded * static_cast<float>(world.time() - before) / (end - begin);
    worst.speed = std::max(worst.speed, largest_speed(world));
    for (float c : world.particles()[columns::density_ratio]) worst.compression = std::max(worst.compression, c);
  }
  return worst;
}

TEST(Lava, IsStableWithAndWithoutXsph) {
  // P09 fig. 6 explodes without XSPH, since particles come arbitrarily close. Here neither run does. Single pairs may
  // come close for a moment, with XSPH too (0.04 spacings were seen; two pairs are a twentieth of the particles when
  // the flow begins), so that the claim is about their mean share, speed and density: the pressure force is symmetric,
  // viscosity acts along the line between two particles and is solved for, which damps their approach at any step, and
  // walls press on what comes near before it collides.
  for (const char* epsilon : {"0.5", "0"}) {
    const Worst worst = worst_of_lava(epsilon);
    EXPECT_LT(worst.crowded, 0.025f) << "epsilon " << epsilon;
    // Speed of what falls freely from the vent to the plain.
    EXPECT_LT(worst.speed, std::sqrt(0.6f * 0.6f + 2 * 9.81f * 1.1f)) << "epsilon " << epsilon;
    // Where Tait's equation along its tangent has the pressure that it has itself at 1.2.
    EXPECT_LT(worst.compression, 1.28f) << "epsilon " << epsilon;
  }
}

TEST(SugarLoaf, LavaRunsDownInFingers) {
  // Without the foot of the rock.
  World world(gallery_scene(
      "sugar-loaf",
      {{"scene.spacing", "0.065"}, {"domain.min", "[-0.85, -0.85, 0.35]"}, {"domain.max", "[0.85, 0.85, 2]"}}));
  run_until(world, 3);
  // Around the flank, between the shoulder and the foot: sectors of 10 degrees that lava has reached.
  std::array<bool, 36> reached{};
  for (const Vec3& x : world.particles()[columns::position])
    if (x.z() > 0.45f && x.z() < 0.9f)
      reached[static_cast<std::size_t>((std::atan2(x.y(), x.x()) / M_PI + 1) * 17.999)] = true;
  int fingers = 0, sectors = 0;
  for (std::size_t k = 0; k != reached.size(); ++k) {
    sectors += reached[k];
    fingers += reached[k] && !reached[(k + 1) % reached.size()];
  }
  EXPECT_GE(fingers, 2);
  EXPECT_LT(sectors, 27);
}

TEST(FaceDrop, TheBunnyTakesTheShapeOfTheFaceAndKeepsIt) {
  // The rabbit that stands in, whether or not the bunny was fetched.
  World world(
      gallery_scene("face-drop", {{"scene.spacing", "0.05"}, {"objects.bunny.shape.file", "\"meshes/absent.obj\""}}));
  const float dx = world.setup().spacing;
  const std::size_t face = 0;
  run_until(world, 1);
  // A body that did not give way would touch with a few points; this one does with a good part of its underside, from
  // the tip of the nose down to the cheeks.
  float lowest = infinity, highest = -infinity;
  int touching = 0;
  std::vector<Vec3> settled(world.particles().next_id());
  const auto x = world.particles()[columns::position];
  const auto id = world.particles()[columns::id];
  for (std::size_t i = 0; i != x.size(); ++i) {
    settled[id[i]] = x[i];
    if (distance_to(world, face, x[i]) > 1.2f * dx) continue;
    ++touching;
    lowest = std::min(lowest, x[i].z());
    highest = std::max(highest, x[i].z());
  }
  EXPECT_GT(touching, 0.05 * static_cast<double>(x.size()));
  EXPECT_GT(highest - lowest, 0.2f);
  run_until(world, 1.6);
  double moved = 0;
  const auto later = world.particles()[columns::position];
  const auto later_id = world.particles()[columns::id];
  for (std::size_t i = 0; i != later.size(); ++i) moved += (later[i] - settled[later_id[i]]).norm();
  EXPECT_LT(moved / static_cast<double>(later.size()), 0.3 * dx);
}

TEST(ChairHand, MostFallsThroughAndSomeStaysOnTheFingers) {
  World world(gallery_scene("chair-hand", {{"scene.spacing", "0.045"}}));
  const float dx = world.setup().spacing;
  const std::size_t bones = 0;
  run_until(world, 1);
  const auto x = world.particles()[columns::position];
  const auto v = world.particles()[columns::velocity];
  double stuck = 0, through = 0;
  for (std::size_t i = 0; i != x.size(); ++i) {
    through += x[i].z() < 0.6f;
    stuck += distance_to(world, bones, x[i]) < 2 * dx && x[i].z() > 0.7f && v[i].norm() < 0.2f;
  }
  const auto count = static_cast<double>(x.size());
  EXPECT_GT(through, 0.8 * count);
  EXPECT_GT(stuck, 0.01 * count);
}

TEST(WallImpact, TheWallBulgesBeforeItIsPierced) {
  World world(gallery_scene("wall-impact", {{"scene.spacing", "0.045"}}));
  const float dx = world.setup().spacing;
  // How far the wall is pushed out beside the ball, and the widest gap along the ball's way.
  const auto bulge = [&] {
    float furthest = -infinity;
    for (const Vec3& x : world.particles()[columns::position]) {
      const float beside = std::hypot(x.x(), x.z() - 0.7f);
      if (beside > 0.22f && beside < 0.3f) furthest = std::max(furthest, x.y());
    }
    return furthest;
  };
  const auto widest_gap = [&] {
    std::vector<float> y;
    for (const Vec3& x : world.particles()[columns::position]) y.push_back(x.y());
    std::sort(y.begin(), y.end());
    float widest = 0;
    for (std::size_t k = 0; k + 1 < y.size(); ++k) widest = std::max(widest, y[k + 1] - y[k]);
    return widest;
  };
  // It is pushed out beside the ball while it is whole, and torn later.
  float pushed_out = 0;
  double t = 0;
  while (t < 0.5 && widest_gap() < 1.5f * dx) {
    pushed_out = std::max(pushed_out, bulge());
    run_until(world, t += 0.01);
  }
  EXPECT_GT(pushed_out, 0.09f);
  run_until(world, 0.9);
  EXPECT_GT(widest_gap(), 2.5f * dx);
}

}  // namespace
}  // namespace fondue::test_gallery_solids
