// Finished pictures of a run: each drawn once, in order; frames that cannot be read are skipped.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "core/error.h"
#include "picture/frame_render.h"
#include "shapes/primitives.h"
#include "support/temporary_folder.h"
#include "unit/picture/balls.h"

namespace fondue::test_frame_render {
namespace {

namespace fs = std::filesystem;
using testing_support::TemporaryFolder;

constexpr int width = 32, height = 18;

/// A run of a few frames in which a ball moves to the right.
class Finished : public testing::Test {
 protected:
  Finished() {
    scene_.name = "ball";
    scene_.world.spacing = 0.1f;
    scene_.world.objects.resize(1);
    scene_.world.objects[0].shape = make_sphere(Vec3::Zero(), 0.5f);
    scene_.world.objects[0].spacing = 0.1f;
    scene_.looks.resize(1);
    scene_.looks[0].look = Look::paint;
    scene_.looks[0].colour = Vec3(0.9f, 0.05f, 0.05f);
    scene_.picture.width = width;
    scene_.picture.height = height;
    fs::create_directories(layout_.frames());
    for (int k = 0; k != 3; ++k) write(k);
    setup_.surfaces = [this](const Scene&, const Frame& frame) {
      made_.push_back(frame.header.frame);
      return std::vector<Geometry>{ball(frame.particles[columns::position][0], 0.5f)};
    };
    setup_.threads = 2;
  }

  void write(int frame) const {
    Particles particles;
    for (const auto& column : {columns::velocity, columns::acceleration}) particles.require(column);
    particles.require(columns::object);
    particles.require(columns::volume);
    particles.require(columns::support);
    particles.create(8);
    for (Index i = 0; i != 8; ++i) {
      particles[columns::position][i] = Vec3(0.2f * static_cast<float>(frame), 0, 0);
      particles[columns::velocity][i] = Vec3(static_cast<float>(frame), 0, 0);
      particles[columns::support][i] = 0.2f;
    }
    FrameHeader header;
    header.frame = frame;
    header.time = 0.1 * frame;
    write_frame(layout_.frame(frame), header, particles, {}, {});
  }

  /// Draws; returns the frames whose surfaces were made.
  std::vector<int> draw(int stop_after = 100) {
    made_.clear();
    FinishedPictures(scene_, layout_, setup_).draw([&](int drawn, int all) {
      EXPECT_LE(drawn, all);
      return drawn < stop_after;
    });
    return made_;
  }

  fs::path picture(int frame) const { return folder_.path() / "run/pictures" / fmt::format("frame_{:06}.png", frame); }

  TemporaryFolder folder_;
  RunLayout layout_{folder_ / "run", "ball"};
  Scene scene_;
  FinishedSetup setup_;
  std::vector<int> made_;
};

TEST_F(Finished, OnlyMissingAndOutdatedPicturesAreDrawn) {
  EXPECT_EQ(draw(), (std::vector{0, 1, 2}));
  for (int k = 0; k != 3; ++k) EXPECT_TRUE(fs::exists(picture(k)));
  EXPECT_FALSE(fs::exists(picture(0).replace_extension(".pov")));
  EXPECT_TRUE(fs::exists(layout_.video()));
  EXPECT_EQ(read_png(layout_.picture().string()).rgb, read_png(picture(2).string()).rgb) << "the last frame's";

  EXPECT_EQ(draw(), std::vector<int>{}) << "all is there";
  fs::remove(picture(1));
  EXPECT_EQ(draw(), std::vector{1}) << "missing";
  write(2);
  fs::last_write_time(layout_.frame(2), fs::last_write_time(picture(2)) + std::chrono::seconds(1));
  EXPECT_EQ(draw(), std::vector{2}) << "older than its frame";
  fs::last_write_time(layout_.frame(2), fs::last_write_time(picture(2)) - std::chrono::seconds(1));
  scene_.looks[0].colour = Vec3(0.05f, 0.05f, 0.9f);
  EXPECT_EQ(draw(), (std::vector{0, 1, 2})) << "in another colour";
}

TEST_F(Finished, AnOpenShutterSpreadsWhatMoves) {
  setup_.range = {{2, 2}};
  setup_.surfaces = [](const Scene&, const Frame&) {
    Geometry g = ball(Vec3::Zero(), 0.3f);
    g.attributes = {{"velocity", "m/s", 3, {}}};
    for (std::size_t v = 0; v != g.mesh.vertices.size(); ++v)
      g.attributes[0].values.insert(g.attributes[0].values.end(), {60, 0, 0});
    return std::vector<Geometry>{g};
  };
  const auto red = [&] {
    const Image image = read_png(picture(2).string());
    int count = 0;
    for (int y = 0; y != height; ++y)
      for (int x = 0; x != width; ++x) count += image.colour(x, y).x() > 1.15f * image.colour(x, y).y();
    return count;
  };
  draw();
  const int sharp = red();
  scene_.picture.shutter = 1;
  scene_.picture.shutter_samples = 5;
  draw();
  EXPECT_GT(red(), 1.2 * sharp) << "0.6 m to both sides in a fiftieth of a second";
  EXPECT_EQ(std::distance(fs::directory_iterator(picture(2).parent_path()), fs::directory_iterator()), 2)
      << "one picture and the settings";
}

TEST_F(Finished, InterruptedWorkResumes) {
  draw(1);
  EXPECT_TRUE(fs::exists(picture(0)));
  EXPECT_FALSE(fs::exists(picture(2)));
  EXPECT_FALSE(fs::exists(layout_.video()));
  EXPECT_EQ(std::distance(fs::directory_iterator(picture(0).parent_path()), fs::directory_iterator()), 2)
      << "one picture and the settings";
  EXPECT_EQ(draw(), (std::vector{1, 2}));
}

TEST_F(Finished, DamagedAndMissingFramesAreSkippedAndCounted) {
  write(4);
  std::ofstream(layout_.frame(1)) << "";
  testing::internal::CaptureStderr();
  try {
    draw();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2 of 5"), std::string::npos) << error.what();
  }
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_NE(messages.find("frame_000001.h5"), std::string::npos) << messages;
  EXPECT_NE(messages.find("frame_000003.h5"), std::string::npos) << messages;
  EXPECT_TRUE(fs::exists(picture(0)) && fs::exists(picture(2)) && fs::exists(picture(4)));
  EXPECT_TRUE(fs::exists(layout_.video()));
}

TEST_F(Finished, ColouredPicturesShowTheMapAndItsLegend) {
  constexpr int across = 320, rows = 200;
  scene_.picture.width = across;
  scene_.picture.height = rows;
  scene_.picture.map = "diverging";
  setup_.coloured = true;
  setup_.surfaces = [](const Scene&, const Frame& frame) {
    Geometry g = ball(Vec3::Zero(), 0.5f);
    set(g, "velocity", frame.particles[columns::velocity][0].norm());
    return std::vector<Geometry>{g};
  };
  fs::remove(layout_.frame(2));
  draw();
  const Image slow = read_png(picture(0).string()), fast = read_png(picture(1).string());
  // The ball is left of the middle, to leave room for the legend on the right.
  const Vec3 cold = slow.colour(130, 100), warm = fast.colour(130, 100);
  EXPECT_GT(cold.z(), 1.3f * cold.x()) << "blue";
  EXPECT_GT(warm.x(), 1.3f * warm.z()) << "red";
  int differing = 0, blue = 0, red = 0;
  for (int y = 0; y != rows; ++y)
    for (int x = 240; x != across; ++x) {
      differing += slow.colour(x, y) != fast.colour(x, y);
      blue += slow.colour(x, y).z() > 1.5f * slow.colour(x, y).x();
      red += slow.colour(x, y).x() > 1.5f * slow.colour(x, y).z();
    }
  EXPECT_LT(differing, 80 * rows / 50) << "the same legend in both";
  EXPECT_GT(blue, 100) << "the lower end of the bar";
  EXPECT_GT(red, 100) << "the upper end";
  EXPECT_FALSE(fs::exists(picture(0).replace_extension(".plain.png")));
}

}  // namespace
}  // namespace fondue::test_frame_render
