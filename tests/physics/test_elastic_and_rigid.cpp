// Elastic bodies against rigid ones and the floor, and both in water.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "support/bodies.h"
#include "support/resumed.h"
#include "support/rigid.h"

namespace fondue::test_elastic_and_rigid {
namespace {

using namespace testing_support;

constexpr float ball_spacing = 0.05f, ball_radius = 0.2f;

/// A ball that flies into a soft block, both free.
WorldSetup ball_and_block(float density) {
  WorldSetup setup = world_setup(3, ball_spacing);
  setup.objects.push_back(object("block", box_at(Vec3::Zero(), Vec3(0.6f, 0.6f, 0.4f)), ball_spacing, {elastic(2e4)}));
  setup.colliders.push_back(rigid("ball", make_sphere(Vec3(0.05f, 0, 0.45f), ball_radius), density, Vec3::Zero()));
  setup.colliders[0].rigid->velocity = Vec3(0, 0, -1);
  return setup;
}

class BallOfDensity : public testing::TestWithParam<float> {};

/// What one loses the other gets, and the ball stays out of the block. The lightest weighs less than the particles that
/// it touches.
TEST_P(BallOfDensity, ExchangesItsMomentumAndDoesNotPenetrate) {
  const float dx = ball_spacing, radius = ball_radius;
  World world(ball_and_block(GetParam()));
  const double mass = world.bodies().rigid().properties(0).mass;
  const auto momentum = [&] {
    Vec3d sum = mass * rigid_state(world, 0).velocity;
    for (Index i = 0; i != world.particles().size(); ++i)
      sum += (world.particles()[columns::mass][i] * world.particles()[columns::velocity][i]).cast<double>();
    return sum;
  };
  const auto energy = [&] {
    return kinetic_energy(world) + kinetic_energy_of(world, 0) + statistic(world, "elastic energy");
  };
  const Vec3d before = momentum();
  const double energy_before = energy();
  double most = 0;
  float nearest = 1;
  while (world.time() < 0.8) {
    world.step(0.8);
    most = std::max(most, energy());
    const Vec3 centre = rigid_state(world, 0).centre.cast<float>();
    for (const Vec3& x : world.particles()[columns::position]) nearest = std::min(nearest, (x - centre).norm());
  }
  EXPECT_LT((momentum() - before).norm(), 1e-4 * before.norm());
  EXPECT_GT(rigid_state(world, 0).velocity.z(), 0.1) << "it bounces off";
  // Its mass over that of the particles decides how exactly pushes and motion fit together in a substep.
  EXPECT_LT(most, 1.01 * energy_before);
  // Particles at the surface of a body lie half a spacing inside of it, and so they stay away from the ball by as much.
  EXPECT_GT(nearest, radius + 0.4f * dx);
}

INSTANTIATE_TEST_SUITE_P(ElasticAndRigid, BallOfDensity, testing::Values(500.0f, 100.0f, 20.0f));

/// A light body makes the substeps of what it touches shorter, not the step of everything.
TEST(ElasticAndRigid, StepsDoNotDependOnTheMassOfTheBody) {
  const auto steps = [](float density) {
    World world(ball_and_block(density));
    run_until(world, 0.3);
    return static_cast<double>(world.steps());
  };
  EXPECT_LT(steps(20), 1.15 * steps(2000));
}

TEST(ElasticAndRigid, ResumedContactsAreTheSame) { expect_resumed_the_same(ball_and_block(20), 0.1, 0.2); }

/// What stops the lowest particles of a body at rest is its weight.
TEST(ElasticAndRigid, TheFloorFeelsTheWeightOfAnElasticBody) {
  for (const int dimension : {2, 3}) {
    const float dx = 0.05f;
    WorldSetup setup = world_setup(dimension, dx);
    const Vec3 up = dimension == 2 ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
    setup.objects.push_back(object("block", block(dimension, dx, 8, 4, 4), dx,
                                   {elastic(1e5, 0.3, 1), track("gravity", {{Gravity::acceleration, -9.81f * up}})}));
    setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), up)));
    World world(setup);
    run_until(world, 1);
    double mass = 0;
    for (const float m : world.particles()[columns::mass]) mass += m;
    Vec3d impulse = Vec3d::Zero(), moment = Vec3d::Zero();
    const Vec3 middle(0.2f, dimension == 2 ? 0 : 0.1f, 0);
    while (world.time() < 1.5) {
      world.step(1.5);
      const Wrench load = world.load_on(0, middle);
      impulse += world.last_step() * load.force.cast<double>();
      moment += world.last_step() * load.torque.cast<double>();
    }
    const double weight = 9.81 * mass * 0.5;
    EXPECT_NEAR(-impulse.dot(up.cast<double>()), weight, 0.005 * weight) << dimension << "D";
    // It stands evenly about its middle.
    EXPECT_LT(moment.norm(), 0.01 * weight * 0.4) << dimension << "D";
  }
}

/// Ten seconds in a tank that is shaken near the frequency of its sloshing; a closed box and a soft block are in it.
TEST(Sloshing, LetsNoWaterIntoBodiesInTenSeconds) {
  const float dx = 0.04f, width = 1.2f, depth = 0.4f;
  WorldSetup setup = world_setup(2, dx);
  const Track gravity = track("gravity", {{Gravity::acceleration, Vec3(0, -9.81f, 0)}});
  setup.objects.push_back(
      object("water", rectangle(0, 0, width, depth), dx, {track("fluid"), track("artificial_viscosity"), gravity}));
  const float edge = 0.2f;
  setup.objects.push_back(
      object("block", rectangle(0.2f, 0.5f, 0.2f + edge, 0.5f + edge), dx, {elastic(3e4, 0.3, 0.1), gravity}));
  setup.objects[1].density = 600;
  ColliderSetup tank = container("tank", rectangle(0, 0, width, 1.6f), 1);
  std::vector<double> times;
  std::vector<Vec3> places;
  const double omega = std::sqrt(9.81 * std::numbers::pi / 1.2 * std::tanh(std::numbers::pi * 0.4 / 1.2));
  for (int k = 0; k <= 400; ++k) {
    times.push_back(0.025 * k);
    places.push_back(Vec3(static_cast<float>(0.04 * std::sin(omega * times.back())), 0, 0));
  }
  tank.motion.position = Keyable<Vec3>(Curve<Vec3>(times, places, Interpolation::linear), "time");
  setup.colliders.push_back(tank);
  const Vec3 size(0.24f, 0.24f, 0);
  const Vec3 corner(0.7f, 0.5f, 0);
  setup.colliders.push_back(rigid(
      "box", rectangle(corner.x(), corner.y(), corner.x() + size.x(), corner.y() + size.y()), 500, Vec3(0, -9.81f, 0)));
  World world(setup);
  const Particles& p = world.particles();
  double fastest = 0;
  for (int tenth = 1; tenth <= 100; ++tenth) {
    run_until(world, 0.1 * tenth);
    Index in_box = 0, in_block = 0;
    const Body& box = world.bodies()[1];
    for (Index i = 0; i != p.size(); ++i) {
      if (p[columns::object][i] != 0) continue;
      fastest = std::max(fastest, static_cast<double>(p[columns::velocity][i].norm()));
      const Vec3 local = box.state().pose.to_local(p[columns::position][i]);
      if (box.setup().shape->distance(local) < 0) ++in_box;
      // Within 1.6 spacings there are 8 particles of the block inside of it, and 3 at its surface.
      Index around = 0;
      for (Index j = 0; j != p.size(); ++j)
        if (p[columns::object][j] == 1 && (p[columns::position][i] - p[columns::position][j]).norm() < 1.6f * dx)
          ++around;
      if (around > 6) ++in_block;
    }
    ASSERT_EQ(in_box, 0u) << "at " << world.time() << " s";
    ASSERT_EQ(in_block, 0u) << "at " << world.time() << " s";
  }
  EXPECT_GT(fastest, 1) << "it sloshes";
}

}  // namespace
}  // namespace fondue::test_elastic_and_rigid
