#pragma once
// Previews of a run: what a scene says of its pictures, applied to its frames.

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
  /// Particles instead of surfaces. In two dimensions it is always particles.
  bool particles = true;
  /// Coloured as the scene's picture.colour_by says, with a legend; else surfaces have the colours of their looks.
  bool coloured = true;
  /// First and last frame to be drawn; all if absent. There is a video only of all.
  std::optional<std::pair<int, int>> range;
};

/// Draws frames of one run, all with the same camera and the same range of colours.
class FramePictures {
 public:
  /// InputError if the column that colours is in no frame. The range of colours, if the scene does not give one, is
  /// that of the frames.
  FramePictures(const Scene& scene, const RunLayout& layout, const RunSurfaces& surfaces, PreviewSetup setup);

  Image draw(const Frame& frame);

 private:
  Image draw_particles(const Frame& frame, PreviewScene& shown);
  Image draw_surfaces(const Frame& frame, PreviewScene& shown);

  Scene scene_;
  const RunSurfaces& surfaces_;
  PreviewSetup setup_;
  RunView view_;
  std::unique_ptr<PreviewRenderer> renderer_;
};

/// Called with the number of frames drawn and of all; false stops.
using PictureProgress = std::function<bool(int, int)>;

/// The picture of the last frame and the video of all of them. A frame that cannot be read is reported and left out;
/// when the others are done that is an InputError. OutputError if they cannot be drawn or written.
void make_pictures(const Scene& scene, const RunLayout& layout, const RunSurfaces& surfaces, const PreviewSetup& setup,
                   const PictureProgress& progress);

}  // namespace fondue
