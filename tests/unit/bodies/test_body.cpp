// Poses and velocities follow keyframes exactly; both are state that is saved by name.

#include <gtest/gtest.h>

#include <numbers>

#include "core/error.h"
#include "unit/bodies/helpers.h"

namespace fondue {
namespace {

using namespace testing_support;

constexpr float pi = std::numbers::pi_v<float>;

TEST(BodyMotion, RotationAboutAnAxisHasItsExactVelocity) {
  Motion motion;
  motion.rotation = moving(0, Vec3::Zero(), 2, Vec3(0, 0, pi));
  motion.position = moving(0, Vec3(1, 2, 3), 2, Vec3(1, 2, 7));
  const double omega = static_cast<double>(pi) / 2;
  for (const double t : {0.0, 0.3, 1.0, 1.999}) {
    const BodyState state = state_at(motion, t);
    EXPECT_LT((state.velocity - Vec3d(0, 0, 2)).norm(), 1e-12);
    EXPECT_LT((state.angular_velocity - Vec3d(0, 0, omega)).norm(), 1e-12) << t;
    // A point at a distance of 2 from the axis, at the angle it has turned by.
    const Vec3d x = state.pose.rotation * Vec3d(2, 0, 0) + state.pose.position;
    EXPECT_LT((x - Vec3d(1 + 2 * std::cos(omega * t), 2 + 2 * std::sin(omega * t), 3 + 2 * t)).norm(), 1e-12);
    const Vec3d expected(-2 * omega * std::sin(omega * t), 2 * omega * std::cos(omega * t), 2);
    EXPECT_LT((state.velocity_at(x) - expected).norm(), 1e-12);
  }
}

TEST(BodyMotion, AnAxisThatTurnsGivesTheDerivativeOfTheOrientation) {
  Motion motion;
  motion.rotation = moving(0, Vec3(0.5f, -1, 0.2f), 1, Vec3(1.5f, 1, -2), Interpolation::smooth);
  constexpr double h = 1e-5;
  for (const double t : {0.1, 0.37, 0.8}) {
    const Vec3d local(0.3, -0.7, 1.1);
    const Vec3d travelled = pose_at(motion, t + h).rotation * local - pose_at(motion, t - h).rotation * local;
    const BodyState state = state_at(motion, t);
    // Central differences are right to h^2 and rounding over h.
    EXPECT_LT((state.velocity_at(state.pose.rotation * local) - travelled / (2 * h)).norm(), 1e-8) << t;
  }
}

TEST(BodyMotion, ItRestsBeforeAndAfterItsKeysAndOnSteps) {
  Motion motion;
  motion.position = moving(1, Vec3(1, 0, 0), 2, Vec3(3, 0, 0));
  EXPECT_EQ(state_at(motion, 0.5).velocity.norm(), 0);
  EXPECT_EQ(state_at(motion, 0.5).pose.position, Vec3d(1, 0, 0));
  EXPECT_EQ(state_at(motion, 2).velocity.norm(), 0);
  EXPECT_EQ(state_at(motion, 9).pose.position, Vec3d(3, 0, 0));
  EXPECT_DOUBLE_EQ(state_at(motion, 1).velocity.x(), 2);
  motion.position = moving(1, Vec3(1, 0, 0), 2, Vec3(3, 0, 0), Interpolation::step);
  EXPECT_EQ(state_at(motion, 1.5).velocity.norm(), 0);
}

TEST(BodyMotion, FarFromTheOriginTheVelocityIsNotLostInRounding) {
  Motion motion;
  motion.position = moving(0, Vec3(1000, 0, 0), 10, Vec3(1010, 0, 0));
  EXPECT_NEAR(state_at(motion, 3.3).velocity.x(), 1, 1e-12);
}

class SavedBody : public ::testing::Test {
 protected:
  std::vector<ColliderSetup> setups() const {
    ColliderSetup lid = collider("lid", make_box(Vec3(-1, -1, 0), Vec3(1, 1, 0.2f)));
    lid.motion.position = moving(0, Vec3::Zero(), 1, Vec3(0.1f, 0.2f, 0.3f));
    lid.motion.rotation = moving(0, Vec3::Zero(), 1, Vec3(0.3f, 0, 0.4f));
    return {lid, collider("stone", make_sphere(Vec3::Zero(), 0.2f))};
  }
};

TEST_F(SavedBody, IsGivenAndTakenByName) {
  Bodies first(setups(), lattice(3, 0.2f), unit_region);
  first.move_to(0.7);
  const NamedNumbers saved = first.state();
  ASSERT_EQ(saved.size(), 2u);
  ASSERT_EQ(saved.at("body.lid").size(), 13u);
  EXPECT_NEAR(saved.at("body.lid")[1], 0.14, 1e-7);
  EXPECT_NEAR(saved.at("body.lid")[3], std::cos(0.5 * 0.7 * 0.5), 1e-7);
  EXPECT_EQ(saved.at("body.stone")[3], 1);

  // In any order.
  std::vector<ColliderSetup> turned = setups();
  std::swap(turned[0], turned[1]);
  Bodies second(turned, lattice(3, 0.2f), unit_region);
  second.restore(saved);
  EXPECT_EQ(second.state(), saved);
  EXPECT_EQ(second[1].reference_point(), first[0].reference_point());

  // A frame that knows nothing of a body leaves it as it is.
  Bodies third(setups(), lattice(3, 0.2f), unit_region);
  third.restore({{"clock", {1, 2, 3}}});
  EXPECT_EQ(third.state().at("body.lid")[0], 0);
  EXPECT_THROW(third.restore({{"body.lid", {1, 2, 3}}}), InputError);
}

TEST_F(SavedBody, PicturesTakeThePoseOfTheFrameAndTheKeyframesWhereItHasNone) {
  Bodies bodies(setups(), lattice(3, 0.2f), unit_region);
  bodies.move_to(0.7);
  const ColliderSetup lid = setups()[0];
  EXPECT_EQ(saved_pose(bodies.state(), lid, 0).position, pose_at(lid.motion, 0.7).position);
  EXPECT_EQ(saved_pose({}, lid, 0.2).position, pose_at(lid.motion, 0.2).position);
}

}  // namespace
}  // namespace fondue
