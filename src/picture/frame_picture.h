#pragma once
// Previews of a run: its frames drawn with the picture settings of its scene.

#include <functional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/run_folder.h"
#include "picture/preview.h"
#include "picture/run_view.h"
#include "scene/scene.h"
#include "surface/run_surfaces.h"

namespace fondue {

struct PreviewSetup {
  /// Draw particles instead of surfaces. Two-dimensional scenes always show particles.
  bool particles = true;
  /// Colour by the scene's picture.colour_by, with a legend; otherwise surfaces have the colours of their looks.
  bool coloured = true;
  /// First and last frame to draw; all if absent. A video is made only of all frames.
  std::optional<std::pair<int, int>> range;
};

/// Draws frames of one run, all by the same settings of the camera and the same range of colours.
class FramePictures {
 public:
  /// InputError if the column for the colours is in no frame. The range of colours, if the scene does not give one, is
  /// that of the frames.
  FramePictures(const Scene& scene, const RunLayout& layout, const RunSurfaces& surfaces, PreviewSetup setup);

  Image draw(const Frame& frame);
  /// Columns that it needs of a frame in addition to those it has anyway.
  std::vector<std::string> columns() const { return view_.columns(); }

 private:
  Image draw_particles(const Frame& frame, PreviewScene& shown);
  Image draw_surfaces(const Frame& frame, PreviewScene& shown);

  Scene scene_;
  const RunSurfaces& surfaces_;
  PreviewSetup setup_;
  RunView view_;
  std::unique_ptr<PreviewRenderer> renderer_;
};

/// Called with the number of frames drawn and their total; return false to stop.
using PictureProgress = std::function<bool(int, int)>;

/// Draws the picture of the last frame and the video of all frames. A frame that cannot be read is reported and
/// skipped; an InputError is thrown after the others are done. OutputError if they cannot be drawn or written.
void make_pictures(const Scene& scene, const RunLayout& layout, const RunSurfaces& surfaces, const PreviewSetup& setup,
                   const PictureProgress& progress);

}  // namespace fondue
