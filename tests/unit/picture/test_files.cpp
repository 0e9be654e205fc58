// Pictures and videos on disk: complete or absent, and errors that state the reason.

#include <gtest/gtest.h>
#include <signal.h>
#include <stb_image.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/error.h"
#include "picture/image.h"
#include "picture/video.h"
#include "support/other_path.h"
#include "support/temporary_folder.h"

namespace fondue::test_files {
namespace {

namespace fs = std::filesystem;

/// A temporary folder per test.
using testing_support::OtherPath;

class Files : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool empty() const { return fs::is_empty(folder_.path()); }
  testing_support::TemporaryFolder folder_;
};

using Png = Files;

using Video = Files;

Image test_image(int width, int height, int seed = 0) {
  Image image{width, height, {}};
  for (int i = 0; i < 3 * width * height; ++i)
    image.rgb.push_back(static_cast<std::uint8_t>(i * 7 + i / 50 + seed * 20));
  return image;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

std::string output_of(const std::string& command) {
  std::string text;
  std::array<char, 200> buffer;
  FILE* pipe = popen(command.c_str(), "r");
  while (std::fgets(buffer.data(), buffer.size(), pipe)) text += buffer.data();
  pclose(pipe);
  return text;
}

TEST_F(Png, RoundTripIsExact) {
  const Image image = test_image(37, 23);
  write_png(image, path("a.png"));
  int width = 0, height = 0, channels = 0;
  unsigned char* read = stbi_load(path("a.png").c_str(), &width, &height, &channels, 3);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(width, 37);
  EXPECT_EQ(height, 23);
  EXPECT_EQ(std::vector<std::uint8_t>(read, read + image.rgb.size()), image.rgb);
  stbi_image_free(read);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1)
      << "nothing else is left";
}

TEST_F(Png, UnwritableFolderIsAnError) {
  const std::string message = message_of([&] { write_png(test_image(4, 4), path("none/a.png")); });
  EXPECT_NE(message.find("none/a.png"), std::string::npos) << message;
  EXPECT_NE(message.find("No such file"), std::string::npos) << message;
}

TEST_F(Png, FullDiskLeavesTheOldPicture) {
  write_png(test_image(4, 4), path("a.png"));
  const auto size = fs::file_size(path("a.png"));
  fs::create_symlink("/dev/full", path("a.png.part"));
  const std::string message = message_of([&] { write_png(test_image(64, 64), path("a.png")); });
  EXPECT_NE(message.find("No space"), std::string::npos) << message;
  EXPECT_EQ(fs::file_size(path("a.png")), size);
}

TEST_F(Video, HasAsManyFramesAsWereAdded) {
  VideoWriter video(path("a.mp4"), 63, 41, 25);
  for (int i = 0; i < 10; ++i) video.add(test_image(63, 41, i));
  EXPECT_FALSE(fs::exists(path("a.mp4"))) << "not before it is whole";
  video.finish();
  EXPECT_EQ(
      output_of("ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,pix_fmt,r_frame_rate,"
                "nb_read_frames -of csv=p=0 " +
                path("a.mp4")),
      "h264,62,40,yuv420p,25/1,10\n");
}

TEST_F(Video, WithoutFinishDoesNotExist) {
  { VideoWriter(path("a.mp4"), 64, 48, 25).add(test_image(64, 48)); }
  EXPECT_TRUE(empty());
}

TEST_F(Video, OfNoPicturesIsAnError) {
  VideoWriter video(path("a.mp4"), 64, 48, 25);
  EXPECT_NE(message_of([&] { video.finish(); }), "");
  EXPECT_TRUE(empty());
}

TEST_F(Video, WithoutFfmpegSaysWhatIsMissing) {
  const OtherPath no_programs(path(""));
  const std::string message = message_of([&] { VideoWriter(path("a.mp4"), 64, 48, 25); });
  EXPECT_NE(message.find("ffmpeg"), std::string::npos) << message;
  EXPECT_NE(message.find("not installed"), std::string::npos) << message;
  EXPECT_TRUE(empty());
}

// More data than a socket buffers is written to a program that has exited, with the default action of SIGPIPE.
TEST_F(Video, ReportsFfmpegsError) {
  std::ofstream(path("ffmpeg")) << "#!/bin/sh\necho 'the codec is on strike' >&2\nexit 1\n";
  fs::permissions(path("ffmpeg"), fs::perms::owner_all);
  ASSERT_EQ(signal(SIGPIPE, SIG_DFL), SIG_DFL);
  const OtherPath fake(path(""));
  const std::string message = message_of([&] {
    VideoWriter video(path("a.mp4"), 640, 480, 25);
    for (int i = 0; i < 10; ++i) video.add(test_image(640, 480));
    video.finish();
  });
  EXPECT_NE(message.find("the codec is on strike"), std::string::npos) << message;
  EXPECT_EQ(signal(SIGPIPE, SIG_DFL), SIG_DFL) << "no handler is left behind";
  EXPECT_FALSE(fs::exists(path("a.mp4.part")));
}

TEST_F(Video, UnwritableFolderAndWrongSizesAreErrors) {
  EXPECT_NE(message_of([&] { VideoWriter(path("none/a.mp4"), 64, 48, 25); }).find("No such file"), std::string::npos);
  EXPECT_THROW(VideoWriter(path("a.mp4"), 1, 48, 25), InputError);
  EXPECT_THROW(VideoWriter(path("a.mp4"), 64, 48, 0), InputError);
  VideoWriter video(path("a.mp4"), 64, 48, 25);
  EXPECT_THROW(video.add(test_image(32, 48)), InputError);
}

}  // namespace
}  // namespace fondue::test_files
