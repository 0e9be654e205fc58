// The camera of a run: chosen by where the matter is, placed by keyframes, sent round by an orbit.

#include <gtest/gtest.h>

#include "picture/run_view.h"
#include "shapes/primitives.h"
#include "support/temporary_folder.h"

namespace fondue::test_run_view {
namespace {

using testing_support::TemporaryFolder;

class View : public testing::Test {
 protected:
  View() {
    scene_.world.spacing = 0.1f;
    scene_.world.objects.resize(1);
    scene_.world.objects[0].shape = make_box(Vec3::Zero(), Vec3::Ones());
    scene_.world.objects[0].spacing = 0.1f;
    std::filesystem::create_directories(layout_.frames());
  }
  /// A frame of a cube of particles, some of which are moved.
  void write(int frame, int moved, const Vec3& by) const {
    Particles particles;
    for (const auto& column : {columns::velocity, columns::acceleration}) particles.require(column);
    particles.require(columns::object);
    particles.require(columns::support);
    particles.create(1000);
    for (int i = 0; i != 1000; ++i) {
      Vec3 x = 0.1f * Vec3(static_cast<float>(i % 10), static_cast<float>(i / 10 % 10), static_cast<float>(i / 100));
      if (i < moved) x += by;
      particles[columns::position][static_cast<Index>(i)] = x;
    }
    FrameHeader header;
    header.frame = frame;
    write_frame(layout_.frame(frame), header, particles, {}, {});
  }
  Camera camera(double time) const { return RunView(scene_, layout_, list_frames(layout_), false).camera(time); }

  TemporaryFolder folder_;
  RunLayout layout_{folder_ / "run", "cube"};
  Scene scene_;
};

TEST_F(View, StraysDoNotMoveTheCamera) {
  write(0, 0, Vec3::Zero());
  const Camera still = camera(0);
  write(1, 30, Vec3(0, 0, -100));
  EXPECT_EQ(camera(0).eye, still.eye) << "three per cent fell off the edge";
}

TEST_F(View, MatterThatMovesAsAWholeIsFollowed) {
  write(0, 0, Vec3::Zero());
  const Camera still = camera(0);
  write(1, 1000, Vec3(0, 0, -100));
  EXPECT_GT((camera(0).eye - camera(0).target).norm(), 10 * (still.eye - still.target).norm());
}

/// A grey slab beside the floor of the picture would be drawn twice, or above it.
TEST_F(View, ALevelPlaneWithoutALookIsTheFloor) {
  write(0, 0, Vec3::Zero());
  ColliderSetup& ground = scene_.world.colliders.emplace_back();
  const auto floor = [&] { return RunView(scene_, layout_, list_frames(layout_), false).floor(); };
  ground.shape = make_plane(Vec3(0, 0, 0.2f), Vec3(0, 0, 1));
  EXPECT_FLOAT_EQ(level_ground(scene_, 0).value(), 0.2f);
  EXPECT_FLOAT_EQ(floor(), 0.2f);
  ground.shape = make_plane(Vec3(0, 0, 0.2f), Vec3(0.1f, 0, 1));
  EXPECT_FALSE(level_ground(scene_, 0)) << "a slope is drawn";
  EXPECT_LT(floor(), 0.1f);
  ground.shape = make_plane(Vec3(0, 0, 0.2f), Vec3(0, 0, 1));
  scene_.solid_looks = {LookSetup{}};
  EXPECT_FALSE(level_ground(scene_, 0)) << "what has a look shows it";
}

TEST_F(View, KeyframesPlaceIt) {
  write(0, 0, Vec3::Zero());
  scene_.picture.eye = {Curve<Vec3>({0, 2}, {Vec3(0, -4, 0), Vec3(2, -4, 0)}, Interpolation::linear), "time"};
  scene_.picture.target = Keyable<Vec3>(Vec3(0, 0, 1));
  scene_.picture.field_of_view = {Curve<float>({0, 2}, {20, 40}, Interpolation::linear), "time"};
  EXPECT_EQ(camera(0).eye, Vec3(0, -4, 0));
  EXPECT_EQ(camera(1).eye, Vec3(1, -4, 0));
  EXPECT_EQ(camera(9).eye, Vec3(2, -4, 0));
  EXPECT_EQ(camera(1).target, Vec3(0, 0, 1));
  EXPECT_FLOAT_EQ(camera(1).field_of_view, 30);
}

TEST_F(View, AnOrbitGoesRoundTheTargetAtTheSameHeight) {
  write(0, 0, Vec3::Zero());
  scene_.picture.eye = Keyable<Vec3>(Vec3(1, -3, 2));
  scene_.picture.target = Keyable<Vec3>(Vec3(1, 1, 0));
  scene_.picture.orbit = {Curve<float>({0, 4}, {0, 360}, Interpolation::linear), "time"};
  EXPECT_LT((camera(1).eye - Vec3(5, 1, 2)).norm(), 1e-5) << "a quarter turn against the clock, seen from above";
  EXPECT_LT((camera(2).eye - Vec3(1, 5, 2)).norm(), 1e-5);
  EXPECT_LT((camera(4).eye - Vec3(1, -3, 2)).norm(), 1e-4);
  EXPECT_EQ(camera(1).target, Vec3(1, 1, 0));
}

TEST_F(View, TheAutomaticCameraOrbitsToo) {
  write(0, 0, Vec3::Zero());
  const Camera still = camera(0);
  scene_.picture.orbit = 180.0f;
  const Vec3 before = still.eye - still.target, after = camera(0).eye - camera(0).target;
  EXPECT_LT((after - Vec3(-before.x(), -before.y(), before.z())).norm(), 1e-4 * before.norm());
}

TEST_F(View, AnotherCameraMakesPicturesOutOfDate) {
  write(0, 0, Vec3::Zero());
  const auto text = [&] { return RunView(scene_, layout_, list_frames(layout_), false).camera_text(); };
  const std::string before = text();
  EXPECT_EQ(text(), before);
  scene_.picture.orbit = {Curve<float>({0, 4}, {0, 360}, Interpolation::linear), "time"};
  const std::string orbiting = text();
  EXPECT_NE(orbiting, before);
  scene_.picture.orbit = {Curve<float>({0, 4}, {0, 360}, Interpolation::smooth), "time"};
  EXPECT_NE(text(), orbiting);
}

}  // namespace
}  // namespace fondue::test_run_view
