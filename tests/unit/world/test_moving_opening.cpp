// An opening that moves, as that of a jug: what is in it moves with it.

#include <gtest/gtest.h>

#include "support/setups.h"
#include "world/world.h"

namespace fondue::test_moving_opening {
namespace {

using namespace testing_support;

constexpr float dx = 0.05f, speed = 0.5f, sideways = 2;

/// A jet downwards without gravity, whose opening moves to the right.
WorldSetup jug(Keyable<Vec3> centre) {
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("jet", nullptr, dx, {track("fluid")}));
  EmitterSetup jet;
  jet.name = "jet";
  jet.centre = std::move(centre);
  jet.radius = 0.15f;
  jet.direction = Vec3(0, -1, 0);
  jet.speed = speed;
  setup.emitters.push_back(jet);
  return setup;
}

Keyable<Vec3> to_the_right() {
  return {Curve<Vec3>({0, 10}, {Vec3::Zero(), Vec3(10 * sideways, 0, 0)}, Interpolation::linear), "time"};
}

void run_to(World& world, double time) {
  while (world.time() < time) world.step(time);
}

TEST(MovingOpening, TakesAlongWhatIsInIt) {
  World world(jug(to_the_right()));
  run_to(world, 0.5);
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  const auto opening = world.particles()[columns::opening];
  const float centre = sideways * 0.5f;
  Index inside = 0;
  for (Index i = 0; i != world.particles().size(); ++i) {
    if (opening[i] == 0) continue;
    ++inside;
    EXPECT_NEAR(v[i].x(), sideways, 1e-4);
    EXPECT_NEAR(v[i].y(), -speed, 1e-4);
    EXPECT_LT(std::abs(x[i].x() - centre), 0.15f) << "within the opening where it is now";
  }
  EXPECT_GE(inside, 6u) << "the sheets of one support";
}

TEST(MovingOpening, OnABodyIsTheSameAsByItsOwnKeyframes) {
  WorldSetup attached = jug(Vec3(0, 0.4f, 0)), alone = jug(to_the_right());
  ColliderSetup hand = solid("hand", make_sphere(Vec3(0, 3, 0), 0.1f));
  hand.motion.position = {
      Curve<Vec3>({0, 10}, {Vec3(0, -0.4f, 0), Vec3(10 * sideways, -0.4f, 0)}, Interpolation::linear), "time"};
  attached.colliders = alone.colliders = {hand};
  attached.emitters[0].body = 0;
  World one(attached), other(alone);
  run_to(one, 0.5);
  run_to(other, 0.5);
  ASSERT_EQ(one.particles().size(), other.particles().size());
  double difference = 0;
  for (Index i = 0; i != one.particles().size(); ++i)
    difference = std::max<double>(
        difference, (one.particles()[columns::position][i] - other.particles()[columns::position][i]).norm());
  EXPECT_LT(difference, 1e-3 * dx) << "rounding of the pose";
}

TEST(MovingOpening, TurnsWithItsBody) {
  WorldSetup setup = jug(Vec3(0, 0, 0));
  ColliderSetup hand = solid("hand", make_sphere(Vec3(0, 3, 0), 0.1f));
  hand.motion.rotation = Vec3(0, 0, 1.5707963f);
  setup.colliders = {hand};
  setup.emitters[0].body = 0;
  World world(setup);
  run_to(world, 0.3);
  ASSERT_GT(world.particles().size(), 0u);
  for (const Vec3& v : world.particles()[columns::velocity]) EXPECT_NEAR(v.x(), speed, 1e-3) << "down has become right";
}

TEST(MovingOpening, EmitsAsMuchAsOneAtRest) {
  World moving(jug(to_the_right())), still(jug(Vec3(Vec3::Zero())));
  run_to(moving, 0.5);
  run_to(still, 0.5);
  EXPECT_EQ(moving.particles().size(), still.particles().size());
}

TEST(MovingOpening, ItsVelocityIsPartOfTheState) {
  World world(jug(to_the_right()));
  run_to(world, 0.25);
  const std::vector<double> saved = world.state().at("emitter.jet");
  ASSERT_EQ(saved.size(), 6u);
  EXPECT_NEAR(saved[3], sideways, 1e-4);
  World still(jug(Vec3(Vec3::Zero())));
  run_to(still, 0.25);
  EXPECT_EQ(still.state().at("emitter.jet").size(), 3u) << "as before for openings at rest";
}

}  // namespace
}  // namespace fondue::test_moving_opening
