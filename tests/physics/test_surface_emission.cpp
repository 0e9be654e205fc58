// What the surface of a moving body emits leaves outwards, evenly, with the velocity of the body there and the speed of
// emission along the normal.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <array>
#include <numbers>

#include "support/cloth.h"
#include "support/resumed.h"
#include "support/rigid.h"

namespace fondue::test_surface_emission {
namespace {

using namespace testing_support;

constexpr float spacing = 0.05f, radius = 0.3f, speed = 0.5f;

/// A sphere that turns about the vertical axis through its centre and moves along x, and emits paint. No gravity.
WorldSetup turning_sphere(float turn, float along) {
  WorldSetup setup = world_setup(3, spacing);
  setup.objects.push_back(object("paint", nullptr, spacing, {track("fluid")}));
  ColliderSetup ball = solid("ball", make_sphere(Vec3::Zero(), radius));
  ball.motion.rotation = {Curve<Vec3>({0, 1}, {Vec3::Zero(), Vec3(0, 0, turn)}, Interpolation::linear), "time"};
  ball.motion.position = {Curve<Vec3>({0, 1}, {Vec3::Zero(), Vec3(along, 0, 0)}, Interpolation::linear), "time"};
  setup.colliders.push_back(ball);
  EmitterSetup emitter;
  emitter.name = "skin";
  emitter.kind = EmitterKind::surface;
  emitter.body = 0;
  emitter.shape = ball.shape;
  emitter.speed = speed;
  setup.emitters.push_back(emitter);
  return setup;
}

TEST(SurfaceEmission, GivesTheBodysVelocityAndTheSpeedAlongTheNormal) {
  constexpr float turn = 3, along = 0.8f;
  World world(turning_sphere(turn, along));
  Index seen = 0;
  Vec3d momentum = Vec3d::Zero();
  double mass = 0;
  while (world.time() < 0.3) {
    const Index first_new = world.particles().next_id();
    world.step(0.3);
    const Vec3 centre(along * static_cast<float>(world.time()), 0, 0);
    const Particles& p = world.particles();
    for (Index i = 0; i != p.size(); ++i) {
      if (p[columns::id][i] < first_new) continue;
      const Vec3 x = p[columns::position][i] - centre, v = p[columns::velocity][i];
      const Vec3 expected = Vec3(along, 0, 0) + Vec3(0, 0, turn).cross(x) + speed * x.normalized();
      // The first kick of the step that made it is of fluid at rest, and small.
      EXPECT_LT((v - expected).norm(), 0.01f * speed);
      momentum += (p[columns::mass][i] * v).cast<double>();
      mass += static_cast<double>(p[columns::mass][i]);
      ++seen;
    }
  }
  ASSERT_GT(seen, 800u) << "two sheets of some 450";
  // Turning and the normals cancel over the sphere, as evenly as its points are.
  EXPECT_LT((momentum / mass - Vec3d(along, 0, 0)).norm(), 0.02 * speed);
}

TEST(SurfaceEmission, LeavesOutwardsAndEvenly) {
  constexpr float turn = 3, along = 0.8f;
  World world(turning_sphere(turn, along));
  while (world.time() < 0.3) {
    world.step(0.3);
    const Vec3 centre(along * static_cast<float>(world.time()), 0, 0);
    for (const Vec3& x : world.particles()[columns::position]) ASSERT_GT((x - centre).norm(), radius) << world.time();
  }
  const Vec3 centre(along * 0.3f, 0, 0);
  std::array<int, 8> octants = {};
  for (const Vec3& x : world.particles()[columns::position]) {
    const Vec3 from = x - centre;
    ++octants[static_cast<std::size_t>((from.x() > 0) + 2 * (from.y() > 0) + 4 * (from.z() > 0))];
  }
  const double mean = static_cast<double>(world.particles().size()) / 8;
  // Some 66 points in an octant of a sheet, on whose edges of 0.5 m lie some ten.
  for (const int count : octants) EXPECT_NEAR(count, mean, 0.1 * mean);
}

/// Where the front runs ahead of the paint's own speed, the paint still leaves it.
TEST(SurfaceEmission, LeavesABodyThatIsFasterThanThePaint) {
  World world(turning_sphere(0, 4));
  while (world.time() < 0.2) {
    world.step(0.2);
    const Vec3 centre(4 * static_cast<float>(world.time()), 0, 0);
    for (const Vec3& x : world.particles()[columns::position]) ASSERT_GT((x - centre).norm(), radius);
  }
  EXPECT_GT(world.particles().size(), 400u) << "a sheet";
}

TEST(SurfaceEmission, ARatePerAreaEmitsThatMuch) {
  WorldSetup setup = turning_sphere(3, 0);
  setup.emitters[0].rate = 0.1f;
  setup.emitters[0].rate_per_area = true;
  World world(setup);
  // A sheet leaves every 0.1 s: five of them.
  run_until(world, 0.55);
  double volume = 0;
  for (const float V : world.particles()[columns::volume]) volume += static_cast<double>(V);
  const double expected = 0.1 * 4 * std::numbers::pi * radius * radius * 0.5;
  // The area is measured on cells of half a spacing, and a sheet has a whole number of particles.
  EXPECT_NEAR(volume, expected, 0.03 * expected);
}

TEST(SurfaceEmission, FollowsABodyWhoseMotionIsSolvedFor) {
  WorldSetup setup = turning_sphere(0, 0);
  ColliderSetup ball = rigid("ball", make_sphere(Vec3::Zero(), radius), 5000, Vec3::Zero());
  ball.rigid->velocity = Vec3(1, 0, 0);
  ball.rigid->angular_velocity = Vec3(0, 0, 2);
  setup.colliders = {ball};
  World world(setup);
  Index seen = 0;
  while (world.time() < 0.15) {
    const Index first_new = world.particles().next_id();
    world.step(0.15);
    const RigidState state = rigid_state(world, 0);
    const Particles& p = world.particles();
    for (Index i = 0; i != p.size(); ++i) {
      ASSERT_GT((p[columns::position][i].cast<double>() - state.centre).norm(), radius);
      if (p[columns::id][i] < first_new) continue;
      const Vec3d x = p[columns::position][i].cast<double>() - state.centre;
      const Vec3d expected = state.velocity + state.angular_velocity.cross(x) + speed * x.normalized();
      EXPECT_LT((p[columns::velocity][i].cast<double>() - expected).norm(), 0.02 * speed);
      ++seen;
    }
  }
  EXPECT_GT(seen, 400u) << "a sheet";
}

TEST(SurfaceEmission, IsTheSameForOneThreadAndForAResumedRun) {
  const WorldSetup setup = turning_sphere(3, 0.8f);
  World two(setup);
  run_until(two, 0.2);
  {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
    World one(setup);
    run_until(one, 0.2);
    expect_same_bits(one, two);
  }
  expect_resumed_the_same(setup, 0.1, 0.2);
}

TEST(SurfaceEmission, ASheetEmitsFromItsFrontSideOnly) {
  // A cloth that flies along x and up, faster than what it emits; no gravity.
  const Vec3 flight(0.4f, 0, 0.6f);
  WorldSetup setup = world_setup(3, spacing);
  setup.objects.push_back(sheet("cloth", make_rectangle(Vec3::Zero(), 0.8f, 0.6f), 0.08f, {cloth()}));
  setup.objects[0].velocity = flight;
  setup.objects.push_back(object("paint", nullptr, spacing, {track("fluid"), track("artificial_viscosity")}));
  EmitterSetup emitter;
  emitter.name = "dye";
  emitter.object = 1;
  emitter.kind = EmitterKind::surface;
  emitter.sheet = 0;
  emitter.speed = 0.3f;
  emitter.rate = 0.1f;
  emitter.rate_per_area = true;
  setup.emitters.push_back(emitter);
  World world(setup);
  Index made = 0;
  double volume = 0;
  while (world.time() < 0.51) {
    const Index first_new = world.particles().next_id();
    world.step(0.51);
    const Particles& p = world.particles();
    float lowest = infinity;
    for (Index i = 0; i != p.size(); ++i)
      if (p[columns::object][i] == 0) lowest = std::min(lowest, p[columns::position][i].z());
    for (Index i = 0; i != p.size(); ++i) {
      if (p[columns::object][i] != 1) continue;
      EXPECT_GT(p[columns::position][i].z(), lowest) << "behind the cloth";
      if (p[columns::id][i] < first_new) continue;
      ++made;
      volume += static_cast<double>(p[columns::volume][i]);
      EXPECT_LT((p[columns::velocity][i] - flight - Vec3(0, 0, 0.3f)).norm(), 0.2f) << "as the cloth, and off it";
    }
    EXPECT_EQ(world.leaks(), 0u);
  }
  EXPECT_GT(made, 50u);
  // Three sheets of particles have left it, the last after 0.5 s.
  EXPECT_NEAR(volume, 0.1 * 0.8 * 0.6 * 0.5, 0.1 * 0.1 * 0.8 * 0.6 * 0.5) << "the rate per area";
}

TEST(SurfaceEmission, ARigidBodyRecoils) {
  // A ball in space throws paint off one side: it gains what the paint takes relative to it, and nothing else, for the
  // paint is dust that nothing acts on.
  WorldSetup setup = turning_sphere(0, 0);
  setup.objects[0].tracks.clear();
  setup.objects[0].density = 1000;
  setup.colliders[0].motion = {};
  setup.colliders[0].rigid.emplace().density = 2000;
  setup.colliders[0].rigid->gravity = Vec3(Vec3::Zero());
  setup.emitters[0].shape = make_box(Vec3(0.1f, -0.2f, -0.1f), Vec3(0.5f, 0.4f, 0.1f));
  World world(setup);
  const auto body = [&] {
    const MassProperties& properties = world.bodies().rigid().properties(0);
    const RigidState state(world.bodies()[0].state(), properties);
    const Vec3d p = properties.mass * state.velocity;
    return std::pair(p, Vec3d(state.centre.cross(p) + state.angular_momentum(properties)));
  };
  Vec3d p = Vec3d::Zero(), L = Vec3d::Zero();
  while (world.time() < 0.3) {
    const Index first_new = world.particles().next_id();
    // What the body gives its paint is on top of the motion that it has before.
    const BodyState state = world.bodies()[0].state();
    world.step(0.3);
    const Particles& particles = world.particles();
    for (Index i = 0; i != particles.size(); ++i) {
      if (particles[columns::id][i] < first_new) continue;
      const Vec3d x = particles[columns::position][i].cast<double>();
      const Vec3d thrown = static_cast<double>(particles[columns::mass][i] * speed) *
                           (particles[columns::velocity][i].cast<double>() - state.velocity_at(x)).normalized();
      p -= thrown;
      L -= x.cross(thrown);
    }
  }
  ASSERT_GT(world.particles().size(), 50u);
  const auto [p_now, L_now] = body();
  EXPECT_LT(p_now.x(), 0) << "away from its paint";
  // The motion of the body is taken where it was at the beginning of the step.
  EXPECT_LT((p_now - p).norm(), 0.01 * p.norm());
  EXPECT_LT((L_now - L).norm(), 0.02 * p.norm() * radius);
}

}  // namespace
}  // namespace fondue::test_surface_emission
