#include "picture/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "core/error.h"

namespace fondue {
namespace {

std::vector<std::string> command(const std::string& output, int width, int height, double frames_per_second) {
  const int even_width = std::max(2, width / 2 * 2), even_height = std::max(2, height / 2 * 2);
  return {
      "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
      // Input.
      "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", fmt::format("{}x{}", width, height), "-framerate",
      fmt::format("{}", frames_per_second), "-i", "pipe:0",
      // Output.
      "-vf",
      fmt::format("crop={}:{}:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", even_width, even_height),
      "-c:v", "libx264", "-crf", "18", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-movflags", "+faststart", "-f", "mp4", "file:" + output};
}

}  // namespace

VideoWriter::VideoWriter(const std::string& path, int width, int height, double frames_per_second)
    : path_(path), part_(path + ".part"), width_(width), height_(height) {
  if (width < 2 || height < 2 || !(frames_per_second > 0))
    throw InputError(
        fmt::format("{}: a video needs at least 2 x 2 pixels and a frame rate above 0, not {} x {} at {} frames/s",
                    path, width, height, frames_per_second));
  // ffmpeg itself would only report that it cannot open the file.
  const int probe = open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (probe < 0) fail(std::strerror(errno));
  close(probe);

  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(std::strerror(errno));
  std::string missing;
  try {
    ffmpeg_ = std::make_unique<ChildProcess>(command(part_, width, height, frames_per_second), "ffmpeg", ends[1]);
  } catch (const OutputError& error) {
    missing = error.what();
  }
  close(ends[1]);
  socket_ = ends[0];
  if (ffmpeg_) return;
  end();
  fail(missing);
}

VideoWriter::~VideoWriter() {
  if (!ffmpeg_) return;
  ffmpeg_.reset();
  end();
  std::remove(part_.c_str());
}

void VideoWriter::add(const Image& image) {
  if (image.width != width_ || image.height != height_)
    throw InputError(fmt::format("{}: a picture of {} x {} pixels in a video of {} x {}", path_, image.width,
                                 image.height, width_, height_));
  const std::uint8_t* data = image.rgb.data();
  std::size_t left = image.rgb.size();
  while (left > 0) {
    const ssize_t sent = send(socket_, data, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      const std::string stopped = std::strerror(errno), complaint = end();
      fail(complaint.empty() ? stopped : complaint);
    }
    data += sent;
    left -= static_cast<std::size_t>(sent);
  }
  ++frames_;
}

void VideoWriter::finish() {
  const std::string complaint = end();
  if (!complaint.empty()) fail(complaint);
  if (frames_ == 0) fail("it has no pictures");
  if (std::rename(part_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
}

std::string VideoWriter::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  const std::unique_ptr<ChildProcess> ffmpeg = std::move(ffmpeg_);
  return !ffmpeg || ffmpeg->wait() ? "" : in_one_line(ffmpeg->messages());
}

void VideoWriter::fail(const std::string& reason) {
  std::remove(part_.c_str());
  throw OutputError(fmt::format("{}: cannot write the video: {}", path_, reason));
}

}  // namespace fondue
