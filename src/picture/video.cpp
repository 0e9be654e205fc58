#include "picture/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/error.h"

extern char** environ;

namespace fondue {
namespace {

std::vector<std::string> command(const std::string& output, int width, int height, double frames_per_second) {
  const int even_width = std::max(2, width / 2 * 2), even_height = std::max(2, height / 2 * 2);
  return {
      "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
      // What comes in.
      "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", fmt::format("{}x{}", width, height), "-framerate",
      fmt::format("{}", frames_per_second), "-i", "pipe:0",
      // What goes out.
      "-vf",
      fmt::format("crop={}:{}:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", even_width, even_height),
      "-c:v", "libx264", "-crf", "18", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-movflags", "+faststart", "-f", "mp4", "file:" + output};
}

/// Starts a program with these files as its standard input and error, in a process group of its own: Ctrl-C in a
/// terminal is for the program that makes the pictures, which will then finish the video.
int start(const std::vector<std::string>& words, int input, int messages) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  errno = error;
  return error ? -1 : process;
}

/// What a program wrote there, without line ends.
std::string read_messages(int file) {
  std::array<char, 2000> text;
  const ssize_t length = pread(file, text.data(), text.size(), 0);
  std::string result(text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  while (!result.empty() && result.back() == '\n') result.pop_back();
  std::replace(result.begin(), result.end(), '\n', ';');
  return result;
}

}  // namespace

VideoWriter::VideoWriter(const std::string& path, int width, int height, double frames_per_second)
    : path_(path), part_(path + ".part"), width_(width), height_(height) {
  if (width < 2 || height < 2 || !(frames_per_second > 0))
    throw InputError(
        fmt::format("{}: a video needs at least 2 x 2 pixels and a frame rate above 0, not {} x {} at {} frames/s",
                    path, width, height, frames_per_second));
  // ffmpeg itself would say no more than that it cannot open the file.
  const int probe = open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (probe < 0) fail(std::strerror(errno));
  close(probe);

  std::array<int, 2> ends;
  messages_ = memfd_create("ffmpeg messages", MFD_CLOEXEC);
  if (messages_ >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0) {
    socket_ = ends[0];
    process_ = start(command(part_, width, height, frames_per_second), ends[1], messages_);
    const int error = errno;
    close(ends[1]);
    errno = error;
  }
  if (process_ < 0) {
    const std::string reason = errno == ENOENT ? "it is not installed" : std::strerror(errno);
    end();
    fail("videos need the program ffmpeg, but " + reason);
  }
}

VideoWriter::~VideoWriter() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
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
  std::string complaint;
  if (process_ > 0) {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    if (status != 0) {
      complaint = read_messages(messages_);
      if (complaint.empty()) complaint = fmt::format("ffmpeg ended with status {:#x}", status);
    }
  }
  process_ = -1;
  if (messages_ >= 0) close(messages_);
  messages_ = -1;
  return complaint;
}

void VideoWriter::fail(const std::string& reason) {
  std::remove(part_.c_str());
  throw OutputError(fmt::format("{}: cannot write the video: {}", path_, reason));
}

}  // namespace fondue
