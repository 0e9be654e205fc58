// Rigid bodies: free rotation, contact, friction, restitution, stacks and joints, against exact solutions.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <numbers>

#include "support/bits.h"
#include "support/rigid.h"

namespace fondue::test_rigid {
namespace {

using namespace testing_support;

constexpr float g = 9.81f;

TEST(SpinningBody, FlipsAboutItsMiddleAxisAndKeepsEnergyAndAngularMomentum) {
  WorldSetup setup = world_setup(3, 0.05f);
  // A tennis racket: spun about the axis of its middle inertia, with a slight error.
  setup.colliders.push_back(rigid("racket", box_at(Vec3(1, 2, 3), Vec3(0.7f, 0.25f, 0.03f)), 500, Vec3::Zero()));
  constexpr double turns = 100, speed = 2 * std::numbers::pi;
  setup.colliders[0].rigid->angular_velocity = Vec3(0.01f, static_cast<float>(speed), 0.01f);
  setup.largest_step = 1e-3f;
  World world(setup);
  const double energy = kinetic_energy_of(world, 0);
  const Vec3d L = angular_momentum(world, 0);
  double lowest = 1, energy_error = 0, momentum_error = 0;
  for (int k = 1; k <= 100; ++k) {
    run_until(world, turns * k / 100);
    energy_error = std::max(energy_error, std::abs(kinetic_energy_of(world, 0) / energy - 1));
    momentum_error = std::max(momentum_error, (angular_momentum(world, 0) - L).norm() / L.norm());
    lowest = std::min(lowest, (rigid_state(world, 0).rotation * Vec3d::UnitY()).dot(L.normalized()));
  }
  RecordProperty("energy", std::to_string(energy_error));
  EXPECT_LT(energy_error, 1e-4);
  EXPECT_LT(momentum_error, 1e-9);
  // Upside down at times.
  EXPECT_LT(lowest, -0.9);
  EXPECT_LT((rigid_state(world, 0).centre - Vec3d(1, 2, 3)).norm(), 1e-6);
}

TEST(FreeFall, IsAParabola) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.colliders.push_back(rigid("stone", make_sphere(Vec3(0, 0, 10), 0.1f), 2500));
  setup.colliders[0].rigid->velocity = Vec3(1, 0, 3);
  World world(setup);
  run_until(world, 1.25);
  const RigidState state = rigid_state(world, 0);
  EXPECT_NEAR(state.centre.z(), 10 + 3 * 1.25 - 0.5 * g * 1.25 * 1.25, 1e-5);
  EXPECT_NEAR(state.centre.x(), 1.25, 1e-6);
  EXPECT_NEAR(state.velocity.z(), 3 - g * 1.25, 1e-5);
}

/// Distance that a box slides down a plane of 30 degrees within a second.
double slid(float friction, int dimension) {
  constexpr float angle = std::numbers::pi_v<float> / 6;
  WorldSetup setup = world_setup(dimension, 0.02f);
  const Vec3 up = dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
  const Vec3 normal = std::cos(angle) * up + std::sin(angle) * Vec3::UnitX();
  const Vec3 down = std::cos(angle) * Vec3::UnitX() - std::sin(angle) * up;
  setup.colliders.push_back(solid("plane", make_plane(Vec3::Zero(), normal)));
  const ShapePtr flat =
      dimension == 2 ? rectangle(-0.1f, 0, 0.1f, 0.05f) : box_at(Vec3(0, 0, 0.025f), Vec3(0.2f, 0.15f, 0.05f));
  const Placement tilted{Vec3::Zero(), dimension == 2 ? Vec3(0, 0, -1) : Vec3(0, 1, 0), 30, 1};
  setup.colliders.push_back(rigid("box", make_transformed(flat, tilted), 700, -g * up));
  for (ColliderSetup& collider : setup.colliders) collider.friction = friction;
  World world(setup);
  const Vec3d start = rigid_state(world, 1).centre;
  run_until(world, 1);
  const Vec3d way = rigid_state(world, 1).centre - start;
  // It stays on the plane.
  EXPECT_NEAR(way.dot(normal.cast<double>()), 0, 1e-3);
  return way.dot(down.cast<double>());
}

TEST(BoxOnAnIncline, SticksBelowTheFrictionAngleAndSlidesAsItShouldAbove) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    // tan 30 degrees is 0.577.
    EXPECT_LT(std::abs(slid(0.65f, dimension)), 1e-3);
    for (const float friction : {0.0f, 0.2f, 0.45f}) {
      const double a = g * (0.5 - static_cast<double>(friction) * std::sqrt(0.75));
      EXPECT_NEAR(slid(friction, dimension), 0.5 * a, 0.02 * 0.5 * a) << friction;
    }
  }
}

TEST(StackOfTenBoxes, StandsForTenSecondsWithinAMillimetre) {
  WorldSetup setup = world_setup(3, 0.02f);
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
  for (int k = 0; k != 10; ++k) {
    const float z = 0.1f * static_cast<float>(k) + 0.05f;
    setup.colliders.push_back(rigid("box " + std::to_string(k), box_at(Vec3(0, 0, z), Vec3::Constant(0.1f)), 700));
  }
  World world(setup);
  EXPECT_TRUE(world.notes().empty());
  std::vector<Vec3d> start;
  for (Index b = 1; b <= 10; ++b) start.push_back(rigid_state(world, b).centre);
  double most = 0;
  for (int k = 1; k <= 10; ++k) {
    run_until(world, k);
    for (Index b = 1; b <= 10; ++b) most = std::max(most, (rigid_state(world, b).centre - start[b - 1]).norm());
  }
  RecordProperty("moved", std::to_string(most));
  EXPECT_LT(most, 1e-3);
}

TEST(Bounce, GivesBackTheFractionOfTheSpeed) {
  for (const float e : {0.0f, 0.5f, 0.9f}) {
    WorldSetup setup = world_setup(3, 0.02f);
    setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
    setup.colliders.push_back(rigid("ball", make_sphere(Vec3(0, 0, 1.1f), 0.1f), 1000));
    setup.colliders[1].bounce = e;
    World world(setup);
    const double fall = std::sqrt(2 / g);
    run_until(world, fall + 0.005);
    double highest = 0;
    for (int k = 1; k <= 300; ++k) {
      run_until(world, fall + 0.005 + 0.005 * k);
      highest = std::max(highest, rigid_state(world, 1).centre.z() - 0.1);
      if (rigid_state(world, 1).velocity.z() < 0) break;
    }
    EXPECT_NEAR(highest, e * e, 0.02 + 0.02 * e * e) << e;
  }
}

TEST(RollingBall, RollsDownAnInclineAsASolidSphereDoes) {
  constexpr double angle = std::numbers::pi / 9;
  WorldSetup setup = world_setup(3, 0.02f);
  const Vec3 normal(static_cast<float>(std::sin(angle)), 0, static_cast<float>(std::cos(angle)));
  setup.colliders.push_back(solid("plane", make_plane(Vec3::Zero(), normal)));
  setup.colliders.push_back(rigid("ball", make_sphere(Vec3(0.1f * normal), 0.1f), 1000));
  for (ColliderSetup& collider : setup.colliders) collider.friction = 0.8f;
  World world(setup);
  const Vec3d start = rigid_state(world, 1).centre;
  run_until(world, 1);
  const double expected = 0.5 * 5 / 7 * g * std::sin(angle);
  EXPECT_NEAR((rigid_state(world, 1).centre - start).norm(), expected, 0.02 * expected);
}

TEST(HingedPendulum, SwingsWithThePeriodOfARod) {
  for (const int dimension : {2, 3}) {
    WorldSetup setup = world_setup(dimension, 0.02f);
    const Vec3 up = dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
    const ShapePtr rod =
        dimension == 2 ? rectangle(-0.01f, -1, 0.01f, 0) : box_at(Vec3(0, 0, -0.5f), Vec3(0.02f, 0.02f, 1));
    setup.colliders.push_back(rigid("rod", rod, 1000, -g * up));
    setup.joints.push_back(joint("hinge", JointKind::hinge, 0, std::nullopt, Vec3::Zero(),
                                 dimension == 2 ? Vec3(0, 0, 1) : Vec3(0, 1, 0)));
    // Small swings from the middle: 2 pi sqrt(2 L/(3 g)).
    setup.colliders[0].rigid->angular_velocity = 0.1f * setup.joints[0].axis;
    const Vec3 arm = -0.5f * up;
    setup.colliders[0].rigid->velocity = setup.colliders[0].rigid->angular_velocity.cross(arm);
    World world(setup);
    const double period = 2 * std::numbers::pi * std::sqrt(2 / (3 * static_cast<double>(g)));
    double before = 0, crossing = 0;
    int crossings = 0;
    for (int k = 1; crossings != 10; ++k) {
      const double t = 0.002 * k;
      ASSERT_LT(t, 12 * period);
      run_until(world, t);
      const double x = rigid_state(world, 0).centre.x();
      if (before != 0 && x * before < 0) {
        ++crossings;
        crossing = t;
      }
      before = x;
    }
    EXPECT_NEAR(crossing / 5, period, 0.002 * period);
    // The hinge has not come apart.
    const BodyState state = world.bodies()[0].state();
    EXPECT_LT(state.pose.position.norm(), 1e-3);
  }
}

TEST(Motor, TurnsAtItsKeyframedSpeed) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.colliders.push_back(rigid("wheel", make_cylinder(Vec3(0, -0.1f, 0), Vec3(0, 0.1f, 0), 0.4f), 800));
  setup.joints.push_back(joint("axle", JointKind::hinge, 0, std::nullopt, Vec3::Zero()));
  setup.joints[0].speed = Keyable<float>(Curve<float>({0, 1}, {0, 3}, Interpolation::linear), "time");
  World world(setup);
  run_until(world, 0.5);
  EXPECT_NEAR(rigid_state(world, 0).angular_velocity.y(), 1.5, 0.02);
  run_until(world, 1.5);
  const Vec3d w = rigid_state(world, 0).angular_velocity;
  EXPECT_NEAR(w.y(), 3, 1e-3);
  EXPECT_NEAR(std::hypot(w.x(), w.z()), 0, 1e-3);
}

TEST(Joints, HoldWhatTheyShould) {
  WorldSetup setup = world_setup(3, 0.05f);
  const Vec3 size = Vec3::Constant(0.1f);
  setup.colliders.push_back(solid("wall", box_at(Vec3(-0.2f, 0, 0), size)));
  // Each hangs from the wall or the one before.
  setup.colliders.push_back(rigid("fixed", box_at(Vec3(0, 0, 0), size), 500));
  setup.colliders.push_back(rigid("slides", box_at(Vec3(1, 0, 0), size), 500));
  setup.colliders.push_back(rigid("hangs", box_at(Vec3(2.2f, 0, 0), size), 500));
  setup.joints.push_back(joint("glue", JointKind::fixed, 1, 0, Vec3::Zero()));
  setup.joints.push_back(joint("rail", JointKind::slider, 2, std::nullopt, Vec3::Zero(), Vec3(0, 0, 1)));
  setup.joints.back().speed = 0.2f;
  setup.joints.push_back(joint("socket", JointKind::ball, 3, std::nullopt, Vec3(2, 0, 0)));
  World world(setup);
  run_until(world, 1);
  EXPECT_LT((rigid_state(world, 1).centre - Vec3d(0, 0, 0)).norm(), 1e-4);
  EXPECT_NEAR(rigid_state(world, 2).centre.z(), 0.2, 1e-3);
  EXPECT_NEAR(rigid_state(world, 2).centre.x(), 1, 1e-4);
  // At the length of its arm from the socket, and below where it started.
  EXPECT_NEAR((rigid_state(world, 3).centre - Vec3d(2, 0, 0)).norm(), 0.2, 1e-3);
  EXPECT_LT(rigid_state(world, 3).velocity.norm() + rigid_state(world, 3).centre.z(), 2.1);
}

TEST(HeldBody, FollowsItsKeyframesIsThrownAndCaught) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.colliders.push_back(rigid("ball", make_sphere(Vec3::Zero(), 0.1f), 1000));
  ColliderSetup& ball = setup.colliders[0];
  ball.motion.position = Keyable<Vec3>(
      Curve<Vec3>({0, 1, 100}, {Vec3::Zero(), Vec3(0, 0, 2), Vec3(0, 0, 200)}, Interpolation::linear), "time");
  ball.rigid->dynamic = Keyable<float>(Curve<float>({0, 0.5, 0.9}, {0, 1, 0}, Interpolation::step), "time");
  World world(setup);
  run_until(world, 0.5);
  EXPECT_NEAR(rigid_state(world, 0).centre.z(), 1, 1e-5);
  run_until(world, 0.9);
  // Thrown at 2 m/s.
  const double thrown = 1 + 2 * 0.4 - 0.5 * g * 0.16;
  EXPECT_NEAR(rigid_state(world, 0).centre.z(), thrown, 5e-3);
  // Caught, it goes on with its keyframes from where it is.
  run_until(world, 1.0);
  EXPECT_NEAR(rigid_state(world, 0).centre.z(), thrown + 0.2, 5e-3);
}

TEST(ReleasedJoint, LetsGo) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.colliders.push_back(rigid("lamp", make_sphere(Vec3(0, 0, 1), 0.1f), 1000));
  setup.joints.push_back(joint("hook", JointKind::fixed, 0, std::nullopt, Vec3(0, 0, 1)));
  setup.joints[0].on = Keyable<float>(Curve<float>({0, 0.5}, {1, 0}, Interpolation::step), "time");
  World world(setup);
  run_until(world, 0.5);
  EXPECT_NEAR(rigid_state(world, 0).centre.z(), 1, 1e-5);
  run_until(world, 0.7);
  EXPECT_NEAR(rigid_state(world, 0).centre.z(), 1 - 0.5 * g * 0.04, 5e-3);
}

TEST(OverlappingBodies, AreMovedApartAndDoNotExplode) {
  WorldSetup setup = world_setup(3, 0.02f);
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
  setup.colliders.push_back(rigid("one", box_at(Vec3(0, 0, 0.04f), Vec3::Constant(0.1f)), 700));
  setup.colliders.push_back(rigid("two", box_at(Vec3(0.07f, 0, 0.05f), Vec3::Constant(0.1f)), 700));
  World world(setup);
  ASSERT_EQ(world.notes().size(), 2u);
  EXPECT_NE(world.notes()[1].find("'one' and 'two' overlap by 0.03"), std::string::npos) << world.notes()[1];
  double fastest = 0;
  for (int k = 1; k <= 50; ++k) {
    run_until(world, 0.01 * k);
    for (const Index b : {1u, 2u}) fastest = std::max(fastest, rigid_state(world, b).velocity.norm());
  }
  EXPECT_LT(fastest, 0.1);
}

TEST(Conveyor, CarriesABox) {
  WorldSetup setup = world_setup(3, 0.02f);
  setup.colliders.push_back(solid("belt", make_box(Vec3(-1, -1, -0.2f), Vec3(3, 1, 0))));
  setup.colliders[0].surface_velocity = Vec3(0.3f, 0.2f, 0);
  setup.colliders.push_back(rigid("box", box_at(Vec3(0, 0, 0.05f), Vec3::Constant(0.1f)), 700));
  World world(setup);
  run_until(world, 1);
  EXPECT_LT((rigid_state(world, 1).velocity - Vec3d(0.3, 0.2, 0)).norm(), 1e-3);
}

TEST(RigidBodies, AreTheSameForAnyThreadsAndForAResumedRun) {
  WorldSetup setup = world_setup(3, 0.02f);
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3::UnitZ())));
  for (int k = 0; k != 6; ++k) {
    const Vec3 at(0.03f * static_cast<float>(k % 2), 0, 0.2f + 0.15f * static_cast<float>(k));
    setup.colliders.push_back(
        rigid("body " + std::to_string(k), k % 2 ? make_sphere(at, 0.06f) : box_at(at, Vec3::Constant(0.1f)), 700));
    setup.colliders.back().bounce = 0.3f;
  }
  setup.joints.push_back(joint("link", JointKind::ball, 1, 2, Vec3(0, 0, 0.27f)));
  World whole(setup), first(setup);
  run_until(whole, 0.3);
  run_until(whole, 0.8);
  {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
    World alone(setup);
    run_until(alone, 0.3);
    run_until(alone, 0.8);
    expect_same_bits(whole, alone);
  }
  run_until(first, 0.3);
  const State state = first.state();
  World second(setup, std::move(first.particles()), state);
  EXPECT_EQ(second.state(), state);
  run_until(second, 0.8);
  expect_same_bits(whole, second);
}

}  // namespace
}  // namespace fondue::test_rigid
