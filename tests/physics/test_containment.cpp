// Nothing gets out: violent sloshing, thin walls, fast particles.

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "core/random.h"
#include "support/setups.h"

namespace fondue::test_containment {
namespace {

using namespace testing_support;

/// Gravity that turns over every second or so, as if the box were thrown about.
Keyable<Vec3> thrown_about() {
  std::vector<double> times;
  std::vector<Vec3> values;
  for (int k = 0; k <= 20; ++k) {
    times.push_back(0.5 * k);
    values.push_back(30 * (2 * random_point(3, k) - Vec3::Ones()));
  }
  return Keyable<Vec3>(Curve<Vec3>(times, values, Interpolation::step), "time");
}

TEST(Containment, TenSecondsOfViolentSloshingLoseNoParticle) {
  constexpr float dx = 0.1f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object(
      "water", make_box(Vec3(0, 0, 0), Vec3(0.5f, 1, 1)), dx,
      {track("gravity", {{Gravity::acceleration, thrown_about()}}), track("fluid"), track("artificial_viscosity")}));
  const Box box{Vec3::Zero(), Vec3::Ones()};
  setup.colliders.push_back(container("box", make_box(box.min, box.max)));
  World world(setup);
  const Index count = world.particles().size();
  for (double t = 0; t < 10; t += 0.1) {
    run_until(world, t + 0.1);
    for (const Vec3& x : world.particles()[columns::position])
      ASSERT_TRUE(box.contains(x)) << "t = " << t << ", x = " << x.transpose();
  }
  EXPECT_EQ(world.particles().size(), count);
}

TEST(Containment, AWallOfATenthOfASpacingHoldsAJetOfFiftyMetresASecond) {
  constexpr float dx = 0.05f;
  for (const int dimension : {2, 3}) {
    WorldSetup setup = world_setup(dimension, dx);
    const float z = dimension == 2 ? infinity : 0.3f;
    setup.objects.push_back(object("jet", make_box(Vec3(0.1f, 0.1f, -z), Vec3(0.4f, 0.5f, z)), dx,
                                   {track("gravity", {{Gravity::acceleration, Vec3(0, -9.81f, 0)}}), track("fluid"),
                                    track("artificial_viscosity")}));
    setup.objects.back().velocity = Vec3(50, 0, 0);
    const ShapePtr tank = make_box(Vec3(0, 0, -z), Vec3(2, 1, z));
    setup.colliders.push_back(container("tank", tank));
    setup.colliders.push_back(solid("wall", make_box(Vec3(1, -1, -2 * z), Vec3(1 + 0.1f * dx, 2, 2 * z))));
    World world(setup);
    run_until(world, 0.2);
    for (const Vec3& x : world.particles()[columns::position]) {
      ASSERT_LT(x.x(), 1) << "passed the wall";
      ASSERT_TRUE(tank->contains(x)) << x.transpose();
    }
  }
}

TEST(Containment, AMovingPaddleSweepsEverythingBeforeIt) {
  constexpr float dx = 0.05f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("water", rectangle(0.5f, 0, 1, 0.5f), dx,
                                 {track("gravity"), track("fluid"), track("artificial_viscosity")}));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 3, 3)));
  setup.colliders.push_back(solid("paddle", rectangle(0.3f, -1, 0.3f + 0.2f * dx, 4)));
  setup.colliders.back().motion.position =
      Keyable<Vec3>(Curve<Vec3>({0, 0.2}, {Vec3::Zero(), Vec3(2, 0, 0)}, Interpolation::smooth), "time");
  World world(setup);
  run_until(world, 0.3);
  for (const Vec3& x : world.particles()[columns::position]) ASSERT_GT(x.x(), 2.3f);
}

TEST(Containment, AParticleInTheEdgeOfATankStillFalls) {
  WorldSetup setup = world_setup(3, 0.1f);
  setup.objects.push_back(object("drop", make_sphere(Vec3(0.012f, 0.012f, 0.9f), 0.005f), 0.008f, {track("gravity")}));
  setup.objects[0].velocity = Vec3(-1, -1, 0);
  setup.colliders.push_back(container("tank", make_box(Vec3::Zero(), Vec3::Ones())));
  World world(setup);
  run_until(world, 0.4);
  // 0.4 s of free fall; the walls take the rest of the velocity.
  for (const Vec3& x : world.particles()[columns::position])
    EXPECT_NEAR(x.z(), 0.9f - 0.5f * 9.81f * 0.16f, 0.02f) << x.transpose();
}

}  // namespace
}  // namespace fondue::test_containment
