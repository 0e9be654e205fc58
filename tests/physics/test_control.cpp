// Matter that follows controls: shapes that attract it until they are full and carry it along.

#include <gtest/gtest.h>

#include "behaviours/control.h"
#include "support/setups.h"

namespace fondue::test_control {
namespace {

using namespace testing_support;

constexpr float dx = 0.02f, radius = 0.08f;

RegionSetup control(ShapePtr shape, Motion motion = {}) {
  RegionSetup result;
  result.name = "control";
  result.behaviour = Control::description.name;
  result.shape = std::move(shape);
  result.motion = std::move(motion);
  result.values.set(Control::region_radius, Keyable<float>(radius));
  return result;
}

/// Moves by this velocity for a second.
Motion gliding(const Vec3& velocity) {
  Motion motion;
  motion.position = Keyable<Vec3>(Curve<Vec3>({0, 1}, {Vec3::Zero(), velocity}, Interpolation::linear), "time");
  return motion;
}

Track controlled(double attraction, double matching) {
  return track("control", {{Control::attraction, attraction}, {Control::matching, matching}});
}

TEST(Control, MatterThatFillsTheShapeIsNotAttracted) {
  for (const int dimension : {2, 3}) {
    WorldSetup setup = world_setup(dimension, dx);
    const float half = 0.2f;
    const ShapePtr block =
        dimension == 2 ? rectangle(-half, -half, half, half) : make_box(Vec3::Constant(-half), Vec3::Constant(half));
    setup.objects.push_back(object("block", block, dx, {controlled(1, 0)}));
    setup.regions.push_back(control(make_sphere(Vec3::Zero(), 0.1f)));
    World world(setup);
    const auto x = world.particles()[columns::position], a = world.particles()[columns::acceleration];
    // A lattice sums to one within a few thousandths, so that is what is left of the attraction.
    for (std::size_t i = 0; i != x.size(); ++i) ASSERT_LT(a[i].norm(), 0.01f) << x[i].transpose();
  }
}

TEST(Control, AnEmptyShapeAttractsTowardsItsInsideAndNothingFarAway) {
  WorldSetup setup = world_setup(3, dx);
  // One particle at the surface of the ball, one beyond its reach.
  setup.objects.push_back(object("near", make_box(Vec3(0.19f, -dx / 2, -dx / 2), Vec3(0.19f + dx, dx / 2, dx / 2)), dx,
                                 {controlled(10, 0)}));
  setup.objects.push_back(
      object("far", make_box(Vec3(0.4f, -dx / 2, -dx / 2), Vec3(0.4f + dx, dx / 2, dx / 2)), dx, {controlled(10, 0)}));
  setup.regions.push_back(control(make_sphere(Vec3::Zero(), 0.2f)));
  World world(setup);
  const auto a = world.particles()[columns::acceleration];
  const auto object = world.particles()[columns::object];
  ASSERT_EQ(a.size(), 2u);
  for (std::size_t i = 0; i != 2; ++i) {
    if (object[i] == 1) {
      EXPECT_EQ(a[i].norm(), 0) << "the kernel ends at its radius";
      continue;
    }
    EXPECT_LT(a[i].x(), -1) << "a plane filled to one side pulls with 3/8 of the whole";
    EXPECT_LT(std::abs(a[i].y()) + std::abs(a[i].z()), 0.05f * -a[i].x());
  }
}

TEST(Control, TheMeanVelocityFollowsAndDetailSurvives) {
  const Vec3 glide(0.5f, 0.2f, 0);
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("block", rectangle(-0.3f, -0.3f, 0.3f, 0.3f), dx, {controlled(0, 10)}));
  setup.regions.push_back(control(rectangle(-0.2f, -0.2f, 0.2f, 0.2f), gliding(glide)));
  World world(setup);
  Particles& particles = world.particles();
  const auto x = particles[columns::position];
  const auto v = particles[columns::velocity];
  // Neighbouring columns move against each other.
  for (std::size_t i = 0; i != x.size(); ++i)
    v[i] = Vec3(0, static_cast<int>(std::floor(x[i].x() / dx)) % 2 ? 1.0f : -1.0f, 0);
  world.evaluate();
  const auto a = particles[columns::acceleration];
  int inside = 0;
  for (std::size_t i = 0; i != x.size(); ++i) {
    if (x[i].cwiseAbs().maxCoeff() > 0.2f - 1.5f * radius) continue;
    ++inside;
    EXPECT_LT((a[i] - 10 * glide).norm(), 0.05f * 10 * glide.norm()) << "the same for both columns";
  }
  EXPECT_GT(inside, 50);
}

TEST(Control, WaterTakesTheShapeAndGoesWithIt) {
  // As much water as the disc holds, all of it in its reach.
  WorldSetup setup = world_setup(2, dx);
  const float r = 0.25f, side = std::sqrt(std::numbers::pi_v<float>) * r, left = -0.1f;
  setup.objects.push_back(object("water", rectangle(left, -side / 2, left + side, side / 2), dx,
                                 {track("fluid"), track("artificial_viscosity"), controlled(20, 10)}));
  Motion motion;
  motion.position =
      Keyable<Vec3>(Curve<Vec3>({1.5, 2.5}, {Vec3::Zero(), Vec3(0, 0.5f, 0)}, Interpolation::smooth), "time");
  setup.regions.push_back(control(make_sphere(Vec3::Zero(), r), motion));
  setup.regions[0].values.set(Control::region_radius, Keyable<float>(0.2f));
  World world(setup);
  const auto share_inside = [&](const Vec3& centre) {
    const auto x = world.particles()[columns::position];
    double inside = 0;
    for (const Vec3& at : x) inside += (at - centre).norm() < r + dx;
    return inside / static_cast<double>(x.size());
  };
  EXPECT_LT(share_inside(Vec3::Zero()), 0.85);
  run_until(world, 1.5);
  // At its rim a shape counts as covered before it is full: a few particles stay outside.
  EXPECT_GT(share_inside(Vec3::Zero()), 0.9);
  run_until(world, 3.5);
  EXPECT_GT(share_inside(Vec3(0, 0.5f, 0)), 0.9);
}

}  // namespace
}  // namespace fondue::test_control
