#pragma once
// Videos through the ffmpeg program: H.264 in MP4, widely playable and streamable. Raw pictures are sent to ffmpeg
// through a socket, so that its failure is an error to report and not a signal.

#include <memory>
#include <string>

#include "picture/child_process.h"
#include "picture/image.h"

namespace fondue {

class VideoWriter {
 public:
  /// Throws OutputError if ffmpeg cannot be started. An odd last column or row is cut off, since the format requires
  /// even sizes.
  VideoWriter(const std::string& path, int width, int height, double frames_per_second);
  /// Without finish() no video is left.
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;

  /// Throws OutputError with ffmpeg's message if ffmpeg failed, InputError for a picture of a different size.
  void add(const Image& image);
  /// Waits for ffmpeg and gives the video its final name. Throws OutputError on failure.
  void finish();

 private:
  /// Ends the stream and waits for ffmpeg; returns its error messages, if any.
  std::string end();
  [[noreturn]] void fail(const std::string& reason);

  std::string path_, part_;
  int width_, height_;
  int frames_ = 0;
  int socket_ = -1;
  std::unique_ptr<ChildProcess> ffmpeg_;
};

}  // namespace fondue
