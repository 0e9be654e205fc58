#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "picture/camera.h"

namespace fondue::test_camera {
namespace {

/// Position in the picture, both coordinates in [-1, 1].
Eigen::Vector2f seen_at(const Camera& camera, const Vec3& x, float aspect) {
  const CameraAxes axes(camera);
  const Vec3 d = x - camera.eye;
  const float depth = -d.dot(axes.back);
  const float half = camera.field_of_view > 0 ? depth * std::tan(camera.field_of_view * std::numbers::pi_v<float> / 360)
                                              : 0.5f * camera.height;
  return {d.dot(axes.right) / (half * aspect), d.dot(axes.up) / half};
}

// Everything is inside with a margin, and something comes close to the margin: the view is as tight as possible.
TEST(DefaultCamera, FramesEverythingClosely) {
  const std::vector<Vec3> sizes = {Vec3(1, 1, 1), Vec3(4, 0.5f, 0.3f), Vec3(0.1f, 0.1f, 3), Vec3(100, 60, 0)};
  for (const Vec3& size : sizes)
    for (const int dimension : {2, 3})
      for (const float aspect : {0.75f, 16.0f / 9}) {
        const Vec3 corner(3, -20, 1);
        const Box box = dimension == 3 ? Box{corner, corner + size}
                                       : Box{Vec3(3, -20, 0), Vec3(3, -20, 0) + Vec3(size.x(), size.y(), 0)};
        const Camera camera = default_camera(box, dimension, aspect);
        Eigen::Vector2f low(9, 9), high(-9, -9);
        for (int i = 0; i < 8; ++i) {
          const Vec3 x((i & 1 ? box.max : box.min).x(), (i & 2 ? box.max : box.min).y(),
                       (i & 4 ? box.max : box.min).z());
          low = low.cwiseMin(seen_at(camera, x, aspect));
          high = high.cwiseMax(seen_at(camera, x, aspect));
        }
        EXPECT_GT(low.minCoeff(), -0.9f);
        EXPECT_LT(high.maxCoeff(), 0.85f);
        EXPECT_LT(high.x(), 0.7f) << "room for the legend";
        EXPECT_TRUE(high.x() - low.x() > 1.5f || high.y() - low.y() > 1.5f) << "fills the picture one way";
      }
}

TEST(DefaultCamera, LooksDownFromTheFrontIn3DAndAlongTheAxisIn2D) {
  const Box box{Vec3(0, 0, 0), Vec3(2, 1, 1)};
  const Camera space = default_camera(box, 3), plane = default_camera(box, 2);
  EXPECT_GT(space.eye.z(), box.max.z());
  EXPECT_LT(space.eye.y(), box.min.y());
  EXPECT_EQ(space.up, Vec3(0, 0, 1));
  EXPECT_EQ(plane.field_of_view, 0);
  EXPECT_EQ(plane.up, Vec3(0, 1, 0));
  EXPECT_EQ(Vec3(plane.eye - plane.target).normalized(), Vec3(0, 0, 1));
}

TEST(DefaultCamera, IsValidForEmptyPointAndInfiniteBounds) {
  for (const int dimension : {2, 3})
    for (const Box& box : {Box{}, Box{Vec3(5, 5, 0), Vec3(5, 5, 0)}, Box{Vec3::Zero(), Vec3::Constant(infinity)}}) {
      const Camera camera = default_camera(box, dimension);
      EXPECT_TRUE(camera.eye.allFinite() && camera.target.allFinite());
      EXPECT_GT((camera.eye - camera.target).norm(), 0.1f);
      EXPECT_GT(camera.height, 0);
    }
}

TEST(CameraAxes, AreOrthonormalForAnyCamera) {
  const std::vector<Camera> cameras = {
      {Vec3(1, 2, 3), Vec3(0, 1, 0)}, {Vec3(0, 0, 4), Vec3::Zero()}, {Vec3::Zero(), Vec3::Zero()}};
  for (const Camera& camera : cameras) {
    const CameraAxes axes(camera);
    Mat3 m;
    m << axes.right, axes.up, axes.back;
    EXPECT_LT((m.transpose() * m - Mat3::Identity()).cwiseAbs().maxCoeff(), 1e-5f);
    EXPECT_NEAR(m.determinant(), 1, 1e-5f);
  }
}

}  // namespace
}  // namespace fondue::test_camera
