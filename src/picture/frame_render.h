#pragma once
// Finished pictures of a run: every frame's surfaces in their looks, drawn by POV-Ray.
//
//   pictures/frame_000123.png   one a frame
//
// A picture that is up to date (cache/frame_files.h) is not drawn again, so work that was stopped goes on where it was.
// Frames are drawn side by side, one thread each; a single one takes all threads.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cache/frame_files.h"
#include "picture/frame_picture.h"
#include "picture/povray_scene.h"
#include "picture/run_view.h"

namespace fondue {

/// Makes what is drawn of a frame: one geometry an object, empty for an object without matter; or any number of solids.
using GeometryMaker = std::function<std::vector<Geometry>(const Scene&, const Frame&)>;

struct FinishedSetup {
  GeometryMaker surfaces;
  /// Visible colliders; none if there is no maker.
  GeometryMaker solids;
  /// Coloured as the scene's picture.colour_by says, with a legend, instead of in the colours of the looks.
  bool coloured = false;
  /// Draws also what is there.
  bool overwrite = false;
  /// First and last frame to be drawn; all if absent. There is a video only of all.
  std::optional<std::pair<int, int>> range;
  /// What the surfaces depend on beside their frames.
  std::string settings;
  int threads = 1;
};

class FinishedPictures {
 public:
  /// InputError if there are no frames, or if the column that shall colour is in none.
  FinishedPictures(const Scene& scene, const RunLayout& layout, FinishedSetup setup);

  /// Draws what is missing, then the video of all pictures and the picture of the last frame. A frame that is missing
  /// or damaged is reported on standard error and left out; when the others are done that is an InputError with their
  /// number. OutputError if POV-Ray is not there or fails, or if a picture cannot be written.
  void draw(const PictureProgress& progress);

  /// What POV-Ray is told of a frame.
  PovrayScene scene_of(const Frame& frame) const;
  std::filesystem::path picture(int frame) const { return files_.file(frame); }

 private:
  struct Pending;
  std::string settings() const;
  Pending start(int frame, int threads) const;
  void finish(Pending pending) const;
  void draw_missing(const PictureProgress& progress, bool& stopped);
  void write_video();
  void report(int frame, const std::string& what);

  Scene scene_;
  RunLayout layout_;
  FinishedSetup setup_;
  /// Those that should be there: all from the first to the last.
  std::vector<int> frames_;
  RunView view_;
  FrameFiles files_;
  std::vector<int> left_out_;
};

}  // namespace fondue
