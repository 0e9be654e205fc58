// Keyframed motion with a pivot: x(t) = position + pivot + R (x - pivot).

#include <gtest/gtest.h>

#include <numbers>

#include "bodies/motion.h"

namespace fondue {
namespace {

constexpr float quarter = std::numbers::pi_v<float> / 2;

/// Turns about z by a quarter each second while it moves along x.
Motion turning(const Vec3& pivot) {
  Motion motion;
  motion.position = {Curve<Vec3>({0, 2}, {Vec3::Zero(), Vec3(4, 0, 0)}, Interpolation::linear), "time"};
  motion.rotation = {Curve<Vec3>({0, 2}, {Vec3::Zero(), Vec3(0, 0, 2 * quarter)}, Interpolation::linear), "time"};
  motion.pivot = pivot;
  return motion;
}

TEST(MotionWithAPivot, LeavesThePivotWhereTheTranslationPutsIt) {
  const Motion motion = turning(Vec3(1, 1, 0));
  for (const double t : {0.0, 0.5, 1.0, 2.0})
    EXPECT_LT((pose_at(motion, t).to_world(Vec3(1, 1, 0)) - Vec3(1 + 2 * static_cast<float>(t), 1, 0)).norm(), 1e-6)
        << t;
  // What is one to the right of the pivot is one above it after a quarter turn.
  EXPECT_LT((pose_at(motion, 1).to_world(Vec3(2, 1, 0)) - Vec3(3, 2, 0)).norm(), 1e-6);
}

TEST(MotionWithAPivot, IsAboutTheOriginWithoutOne) {
  EXPECT_LT((pose_at(turning(Vec3::Zero()), 1).to_world(Vec3(2, 1, 0)) - Vec3(1, 2, 0)).norm(), 1e-6);
}

TEST(MotionWithAPivot, HasTheVelocityOfItsPositions) {
  const Motion motion = turning(Vec3(1, -2, 0.5f));
  constexpr double t = 0.7, dt = 1e-4;
  for (const Vec3& local : {Vec3(0, 0, 0), Vec3(1, -2, 0.5f), Vec3(3, 1, -1)}) {
    const BodyState state = state_at(motion, t);
    const auto at = [&](double time) -> Vec3d {
      const Pose pose = pose_at(motion, time);
      return pose.rotation * local.cast<double>() + pose.position;
    };
    const Vec3d expected = (at(t + dt) - at(t - dt)) / (2 * dt);
    EXPECT_LT((state.velocity_at(at(t)) - expected).norm(), 1e-6) << "central differences, second order";
  }
}

}  // namespace
}  // namespace fondue
