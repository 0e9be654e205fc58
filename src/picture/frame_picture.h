#pragma once
// Pictures of a run: what a scene says of its pictures, applied to its frames.

#include <functional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/run_folder.h"
#include "picture/preview.h"
#include "scene/scene.h"

namespace fondue {

/// Draws frames of one run, all with the same camera and the same range of colours.
class FramePictures {
 public:
  /// InputError if the column that colours is in no frame. The range of colours, if the scene does not give one, is
  /// that of the frames.
  FramePictures(const Scene& scene, const RunLayout& layout, const std::vector<int>& frames);
  ~FramePictures();

  Image draw(const Frame& frame);

 private:
  struct Colouring;
  Scene scene_;
  std::unique_ptr<Colouring> colouring_;
  std::unique_ptr<PreviewRenderer> renderer_;
  Camera camera_;
  /// The lowest matter or container reaches in any frame.
  float floor_ = 0;
};

/// Called with the number of frames drawn and of all; false stops.
using PictureProgress = std::function<bool(int, int)>;

/// The picture of the last frame and the video of all of them. OutputError if they cannot be drawn or written.
void make_pictures(const Scene& scene, const RunLayout& layout, const PictureProgress& progress);

}  // namespace fondue
