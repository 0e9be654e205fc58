// Slip, stickiness and roughness of a collider follow their keyframes.

#include <gtest/gtest.h>

#include "unit/bodies/helpers.h"

namespace fondue {
namespace {

using namespace testing_support;

Keyable<float> from_to(float from, float to) {
  return {Curve<float>({0, 1}, {from, to}, Interpolation::linear), "time"};
}

TEST(KeyframedSurfaces, SlipAndStickinessFollowTheTime) {
  ColliderSetup changing = collider("changing", make_plane(Vec3::Zero(), Vec3::UnitZ()));
  changing.slip = from_to(0, 1);
  changing.stickiness = from_to(0, 400);
  ColliderSetup other = collider("other", make_plane(Vec3(0, 0, -0.5f), Vec3::UnitZ()));
  other.slip = 0.3f;
  Bodies bodies({changing, other}, lattice(3, 0.2f), unit_region);
  for (const float t : {0.0f, 0.25f, 1.0f, 2.0f}) {
    EXPECT_TRUE(bodies.move_to(static_cast<double>(t))) << "what the loops over pairs have of them is renewed";
    const Walls& walls = bodies.walls();
    ASSERT_GT(walls.size(), 100u);
    for (std::size_t b = 0; b != walls.size(); ++b)
      ASSERT_FLOAT_EQ(walls.slip[b], walls.collider[b] == 0 ? std::min(t, 1.0f) : 0.3f);
    ASSERT_EQ(walls.stickiness.size(), 2u);
    EXPECT_FLOAT_EQ(walls.stickiness[0], 400 * std::min(t, 1.0f));
    EXPECT_EQ(walls.stickiness[1], 0);
  }
}

TEST(KeyframedSurfaces, ConstantOnesCostNothing) {
  ColliderSetup still = collider("still", make_plane(Vec3::Zero(), Vec3::UnitZ()));
  still.slip = 0.5f;
  Bodies bodies({still}, lattice(3, 0.2f), unit_region);
  EXPECT_FALSE(bodies.move_to(1));
}

TEST(KeyframedSurfaces, RoughnessIsThatOfTheHit) {
  ColliderSetup plane = collider("plane", make_plane(Vec3::Zero(), Vec3::UnitZ()));
  plane.roughness = from_to(0, 1);
  const Bodies bodies({plane}, lattice(3, 0.1f), unit_region);
  for (const double t : {0.0, 0.5, 0.99}) {
    const Vec3 before(3, 0, -4);
    Vec3 x = Vec3(0, 0, 0.02f) + 0.01f * before, v = before;
    const Bodies::Interval interval = bodies.interval(t, t + 0.01);
    bodies.guard(bodies.all(interval), Vec3(0, 0, 0.02f), x, v);
    EXPECT_NEAR(v.x(), 3 * (1 - (t + 0.01)), 1e-3) << "at the end of the step";
    EXPECT_NEAR(v.z(), 0, 1e-3);
  }
}

}  // namespace
}  // namespace fondue
