#pragma once
// Videos through the ffmpeg program: H.264 in MP4 that plays everywhere and starts before it is all there. Raw pictures
// go to ffmpeg through a socket, so that its death is an error to report and not a signal.

#include <memory>
#include <string>

#include "picture/child_process.h"
#include "picture/image.h"

namespace fondue {

class VideoWriter {
 public:
  /// Throws OutputError if ffmpeg cannot be started. An odd last column or row is cut off, as the format wants even
  /// sizes.
  VideoWriter(const std::string& path, int width, int height, double frames_per_second);
  /// Without finish() there will be no video.
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;

  /// Throws OutputError with ffmpeg's message if ffmpeg gave up, InputError for a picture of another size.
  void add(const Image& image);
  /// Waits for ffmpeg and gives the video its name. Throws OutputError if it did not work out.
  void finish();

 private:
  /// Ends the stream and waits for ffmpeg; what it complains about, if anything.
  std::string end();
  [[noreturn]] void fail(const std::string& reason);

  std::string path_, part_;
  int width_, height_;
  int frames_ = 0;
  int socket_ = -1;
  std::unique_ptr<ChildProcess> ffmpeg_;
};

}  // namespace fondue
