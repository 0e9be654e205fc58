#pragma once
// Pictures of a run: what a scene says of its pictures, applied to its frames.

#include <functional>
#include <memory>
#include <vector>

#include "cache/frame.h"
#include "cache/run_folder.h"
#include "picture/preview.h"
#include "picture/run_view.h"
#include "scene/scene.h"

namespace fondue {

/// Draws frames of one run, all with the same camera and the same range of colours.
class FramePictures {
 public:
  /// InputError if the column that colours is in no frame. The range of colours, if the scene does not give one, is
  /// that of the frames.
  FramePictures(const Scene& scene, const RunLayout& layout, const std::vector<int>& frames);

  Image draw(const Frame& frame);

 private:
  Scene scene_;
  RunView view_;
  std::unique_ptr<PreviewRenderer> renderer_;
};

/// Called with the number of frames drawn and of all; false stops.
using PictureProgress = std::function<bool(int, int)>;

/// The picture of the last frame and the video of all of them. OutputError if they cannot be drawn or written.
void make_pictures(const Scene& scene, const RunLayout& layout, const PictureProgress& progress);

}  // namespace fondue
