#pragma once
// Finished pictures of a run: the surfaces of every frame in their looks, rendered by POV-Ray.
//
//   pictures/frame_000123.png   one per frame
//
// A picture that is up to date (cache/frame_files.h) is not drawn again, so interrupted work resumes where it stopped.
// Frames are drawn in parallel, one thread each; a single frame uses all threads.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cache/frame_files.h"
#include "picture/frame_picture.h"
#include "picture/povray_scene.h"
#include "picture/run_view.h"

namespace fondue {

/// Makes the geometry of a frame: one per object, empty for an object without particles; or any number of solids.
using GeometryMaker = std::function<std::vector<Geometry>(const Scene&, const Frame&)>;

struct FinishedSetup {
  GeometryMaker surfaces;
  /// Visible colliders; none if empty.
  GeometryMaker solids;
  /// Colour by the scene's picture.colour_by, with a legend, instead of the colours of the looks.
  bool coloured = false;
  /// Redraw existing pictures.
  bool overwrite = false;
  /// First and last frame to draw; all if absent. A video is made only of all frames.
  std::optional<std::pair<int, int>> range;
  /// Settings that the surfaces depend on, in addition to their frames.
  std::string settings;
  int threads = 1;
};

class FinishedPictures {
 public:
  /// InputError if there are no frames, or if the column for the colours is in none.
  FinishedPictures(const Scene& scene, const RunLayout& layout, FinishedSetup setup);

  /// Draws the missing pictures, then the video of all pictures and the picture of the last frame. A frame that is
  /// missing or damaged is reported on standard error and skipped; an InputError with their number is thrown after the
  /// others are done. OutputError if POV-Ray is not installed or fails, or if a picture cannot be written.
  void draw(const PictureProgress& progress);

  /// The POV-Ray scene of a frame.
  PovrayScene scene_of(const Frame& frame) const;
  std::filesystem::path picture(int frame) const { return files_.file(frame); }

 private:
  struct Pending;
  std::string settings() const;
  /// Times at which a picture is drawn, relative to its frame [s].
  std::vector<float> moments() const;
  /// Nothing is added to what POV-Ray draws.
  bool complete(const PovrayScene& scene) const;
  bool blooms(const PovrayScene& scene) const;
  void draw_scene(Pending& pending, const PovrayScene& scene) const;
  Pending start(int frame, int threads) const;
  void finish(Pending pending) const;
  void draw_missing(const PictureProgress& progress, bool& stopped);
  void write_video();
  void report(int frame, const std::string& what);

  Scene scene_;
  RunLayout layout_;
  FinishedSetup setup_;
  /// The expected frames: all from the first to the last.
  std::vector<int> frames_;
  RunView view_;
  FrameFiles files_;
  std::vector<int> left_out_;
};

}  // namespace fondue
