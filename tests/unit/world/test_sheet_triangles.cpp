// The search of triangles near particles against looking at every triangle.

#include <gtest/gtest.h>

#include <memory>

#include "core/random.h"
#include "shapes/moving_triangle.h"
#include "support/cloth.h"
#include "world/sheet_triangles.h"

namespace fondue::test_sheet_triangles {
namespace {

using namespace testing_support;

/// A crumpled cloth with fluid on both sides of it.
std::unique_ptr<World> crumpled() {
  WorldSetup setup = flat_cloth(0.6f, 0.6f, 0.05f);
  setup.objects.push_back(
      object("water", make_box(Vec3(-0.2f, -0.2f, -0.2f), Vec3(0.2f, 0.2f, 0.2f)), 0.04f, {track("fluid")}));
  auto world = std::make_unique<World>(setup);
  const auto x = world->particles()[columns::position];
  const auto id = world->particles()[columns::id];
  for (Index i = 0; i != x.size(); ++i) x[i] += 0.06f * (random_point(3, id[i]) - Vec3::Constant(0.5f));
  return world;
}

double distance(const World& world, Index i, const SheetTriangle& t) {
  const auto x = world.particles()[columns::position];
  const std::array<Vec3d, 3> corners = {x[t[0]].cast<double>(), x[t[1]].cast<double>(), x[t[2]].cast<double>()};
  const Vec3d at = x[i].cast<double>();
  return (at - blended(nearest_weights(at, corners), corners)).norm();
}

/// All triangles within reach of row k, which belongs to particle i, are among its pairs, with bounds that are none too
/// large.
void expect_complete(const World& world, const SheetTriangles& triangles, const SheetTriangles::Near& near,
                     std::size_t at, Index i) {
  double least = infinity;
  const auto row = std::ranges::find(near.particle, static_cast<Index>(at));
  for (Index t = 0; t != triangles.all().size(); ++t) {
    const double d = distance(world, i, triangles.all()[t]);
    least = std::min(least, d);
    if (!(d < static_cast<double>(near.reach[at]))) continue;
    ASSERT_NE(row, near.particle.end());
    const std::size_t k = static_cast<std::size_t>(row - near.particle.begin());
    const auto pairs = std::span(near.pairs).subspan(near.begins[k], near.begins[k + 1] - near.begins[k]);
    const auto pair = std::ranges::find(pairs, t, &SheetTriangles::Pair::triangle);
    ASSERT_NE(pair, pairs.end()) << "triangle " << t << " at " << d;
    EXPECT_LE(static_cast<double>(pair->bound), d);
  }
  if (least < static_cast<double>(near.reach[at])) {
    EXPECT_NEAR(static_cast<double>(near.gap[at]), least, 1e-6);
  }
}

TEST(SheetTriangles, NoTriangleWithinReachIsLeftOut) {
  const std::unique_ptr<World> made = crumpled();
  World& world = *made;
  const Particles& particles = world.particles();
  SheetTriangles triangles;
  ASSERT_TRUE(triangles.follow(particles));
  std::vector<float> reach(particles.size());
  std::vector<Index> water;
  for (Index i = 0; i != particles.size(); ++i) {
    reach[i] = 0.02f + 0.15f * random_point(8, i).x();
    if (particles[columns::object][i] == 1) water.push_back(i);
  }
  const SheetTriangles::Near near = triangles.near(particles, world.setup().support_ratio, reach);
  for (std::size_t k = 0; k < water.size(); k += 7) expect_complete(world, triangles, near, water[k], water[k]);
  // Some look again, farther.
  std::vector<Index> some;
  for (std::size_t k = 0; k < water.size(); k += 11) some.push_back(water[k]);
  for (float& far : reach) far *= 2;
  const SheetTriangles::Near again = triangles.near_again(particles, world.setup().support_ratio, reach, some);
  for (std::size_t k = 0; k != some.size(); ++k) expect_complete(world, triangles, again, k, some[k]);
}

/// Candidates that some groups have kept for steps give the very pairs, bounds and gaps of a search from nothing, so a
/// resumed run finds the same.
TEST(SheetTriangles, WhatIsFoundDoesNotDependOnEarlierSearches) {
  const std::unique_ptr<World> made = crumpled();
  World& world = *made;
  const Particles& particles = world.particles();
  const float ratio = world.setup().support_ratio;
  SheetTriangles kept;
  ASSERT_TRUE(kept.follow(particles));
  constexpr double step = 0.002;
  for (int k = 0; k != 30; ++k) {
    change_particles(world, [](Vec3& x, Vec3& v) {
      v = Vec3(0.5f * x.y(), -0.5f * x.x(), 4 * x.x() * x.y());
      x += static_cast<float>(step) * v;
    });
    const std::vector<float> reach = SheetTriangles::expected_reach(particles, ratio, static_cast<float>(step));
    const SheetTriangles::Near near = kept.near(particles, ratio, reach, step);
    SheetTriangles fresh;
    ASSERT_TRUE(fresh.follow(particles));
    const SheetTriangles::Near all = fresh.near(particles, ratio, reach, step);
    ASSERT_EQ(near.gap, all.gap) << k;
    ASSERT_EQ(near.reach, all.reach) << k;
    ASSERT_EQ(near.particle, all.particle) << k;
    ASSERT_EQ(near.begins, all.begins) << k;
    ASSERT_EQ(near.pairs.size(), all.pairs.size()) << k;
    for (std::size_t p = 0; p != near.pairs.size(); ++p) {
      ASSERT_EQ(near.pairs[p].triangle, all.pairs[p].triangle) << k;
      ASSERT_EQ(near.pairs[p].bound, all.pairs[p].bound) << k;
    }
  }
}

/// What a particle can reach in a step: its radius, and twice what it and the fastest particle of a sheet move.
TEST(SheetTriangles, ParticlesLookAsFarAsTheyMayMove) {
  const std::unique_ptr<World> made = crumpled();
  World& world = *made;
  change_particles(world, [](Vec3&, Vec3& v) { v = Vec3(0, 0, -3); });
  const float ratio = world.setup().support_ratio;
  const std::vector<float> reach = SheetTriangles::expected_reach(world.particles(), ratio, 0.01f);
  for (Index i = 0; i != reach.size(); ++i)
    if (world.particles()[columns::object][i] == 1) {
      EXPECT_GT(reach[i], 0.9f * 0.04f + 2 * (0.03f + 0.03f));
    }
}

}  // namespace
}  // namespace fondue::test_sheet_triangles
