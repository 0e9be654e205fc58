#pragma once
// Where a run keeps what it makes, one folder a run:
//
//   frames/frame_000123.h5   frames.xdmf      the frames and the index ParaView opens
//   checkpoint.h5            failure.h5       a state between frames; the state a run broke down in
//   statistics.csv           probes.csv       tables over time
//   scene.toml                                the effective scene
//   <scene>.png              <scene>.mp4      the last picture and the video
//   pictures/ surface/ export/                 what was made of the frames

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/output_file.h"

namespace fondue {

/// The names of everything in a run's folder; touches nothing.
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
  std::filesystem::path video() const { return folder / (scene + ".mp4"); }
};

/// Numbers of the frames that are there, in order. A frame has its name only when it is whole.
std::vector<int> list_frames(const RunLayout& layout);

/// What a run continues from.
struct ResumePoint {
  Frame state;
  std::filesystem::path path;
};

/// The newest readable state: the last frame, or the checkpoint if that is later. A damaged one is passed over for the
/// one before it, and `messages` says so.
std::optional<ResumePoint> newest_state(const RunLayout& layout, std::vector<std::string>& messages);

/// What a run does with the run that is already in its folder.
enum class OldRun { refuse, overwrite, resume };

/// A folder that one run writes into, alone, for as long as this lives.
class RunFolder {
 public:
  /// Makes the folder, or takes one over. OutputError if it cannot be written into (tried, before anything is
  /// computed); InputError if another run is writing into it, or if an older run is there and shall not be touched.
  RunFolder(RunLayout layout, OldRun old_run);

  const RunLayout& layout() const { return layout_; }

  /// Deletes the frames after this one, which a run that continues from it makes anew.
  void remove_frames_after(int number) const;

 private:
  void remove_old_run() const;
  void remove_unfinished() const;

  RunLayout layout_;
  OutputFile lock_;
};

}  // namespace fondue
