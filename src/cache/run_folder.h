#pragma once
// The files of a run, one folder per run:
//
//   frames/frame_000123.h5   frames.xdmf      the frames, and their index for ParaView
//   checkpoint.h5            failure.h5       a state between frames; the state in which a run failed
//   statistics.csv           probes.csv       tables over time
//   scene.toml                                the effective scene
//   <scene>.png              <scene>.mp4      the picture of the last frame, and the video
//   <scene>-000123.png                        the preview of one frame that was asked for
//   pictures/ surface/ export/                 files made from the frames

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/output_file.h"

namespace fondue {

/// The names of all files in a run's folder; does not access them.
struct RunLayout {
  std::filesystem::path folder;
  /// Name of the scene, for the pictures.
  std::string scene;

  std::filesystem::path frames() const { return folder / "frames"; }
  std::filesystem::path frame(int number) const;
  std::filesystem::path index() const { return folder / "frames.xdmf"; }
  std::filesystem::path checkpoint() const { return folder / "checkpoint.h5"; }
  std::filesystem::path failure() const { return folder / "failure.h5"; }
  std::filesystem::path statistics() const { return folder / "statistics.csv"; }
  std::filesystem::path probes() const { return folder / "probes.csv"; }
  std::filesystem::path effective_scene() const { return folder / "scene.toml"; }
  std::filesystem::path picture() const { return folder / (scene + ".png"); }
  /// Of a single frame that was asked for.
  std::filesystem::path preview(int frame) const;
  std::filesystem::path video() const { return folder / (scene + ".mp4"); }
};

/// Numbers of the existing frames, in order. A frame gets its name only when it is complete.
std::vector<int> list_frames(const RunLayout& layout);

/// Frames up to the branching one belong to the branch too, and so do the rows of the tables (a run that goes on drops
/// the later ones).
void copy_past(const RunLayout& from, const RunLayout& to, int last);

/// The state from which a run continues.
struct ResumePoint {
  Frame state;
  std::filesystem::path path;
};

/// The newest readable state: the last frame, or the checkpoint if that is later. Damaged ones are skipped and reported
/// in `messages`.
std::optional<ResumePoint> newest_state(const RunLayout& layout, std::vector<std::string>& messages);

/// Whether a program has the folder of the run open for writing now.
bool run_is_being_written(const RunLayout& layout);

/// What to do with a run that is already in the folder.
enum class OldRun { refuse, overwrite, resume };

/// Exclusive write access to the folder of a run during its lifetime.
class RunFolder {
 public:
  /// Creates the folder, or takes over an existing one. OutputError if it is not writable (checked before anything is
  /// computed); InputError if another run is writing into it, or if it contains an older run that must not be touched.
  RunFolder(RunLayout layout, OldRun old_run);

  const RunLayout& layout() const { return layout_; }

  /// Deletes the frames after this one, which a resumed run writes again.
  void remove_frames_after(int number) const;

 private:
  void remove_old_run() const;
  void remove_unfinished() const;

  RunLayout layout_;
  OutputFile lock_;
};

}  // namespace fondue
