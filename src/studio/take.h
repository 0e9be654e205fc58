#pragma once
// A take: the text of a scene, its history of edits, and the run that belongs to it. The first take of a session begins
// at the start of the scene; others branch off a frame of another one and keep what came before.
//
// The frames of a take are always those of its present scene: an edit removes the frames that it makes wrong and keeps
// the others (simulation/unchanged_past.h). Frames before the one that a take branched off stay: there the changes act
// from that frame on, as with `fondue run --from-frame`.
//
// The run is in a folder as `fondue run` leaves it, so everything that works on a run works on a take.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulation/recorder.h"
#include "studio/history.h"

namespace fondue {

class Take {
 public:
  /// Takes over the frames that are in the folder if they are of the same scene, and removes them otherwise. `file` is
  /// the scene file, to which other files are relative. SceneError if the text has mistakes.
  Take(std::string name, std::string text, std::filesystem::path file, const std::filesystem::path& folder);
  /// Goes on from a frame of another take with another text. InputError if the change cannot be made in a run.
  Take(std::string name, std::string text, Take& from, int frame, const std::filesystem::path& folder);

  const std::string& name() const { return name_; }
  const Scene& scene() const { return scene_; }
  const std::filesystem::path& file() const { return file_; }
  const std::string& text() const { return history_.text(); }
  const RunLayout& layout() const { return folder_->layout(); }
  /// The take and the frame that it branched off; none for the first one.
  const std::string& parent() const { return parent_; }
  int branched_at() const { return branched_at_; }

  /// Replaces the text; the frames that this makes wrong are removed. Throws, and changes nothing, if the text has
  /// mistakes or the change cannot be made in a take that branched off. Returns the last frame that is left, -1: none.
  int edit(std::string text);
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  int undo();
  int redo();
  /// How often the text has changed.
  int edits() const { return edits_; }
  /// Whether the text differs from that of the file.
  bool changed() const { return history_.text() != saved_; }
  /// The text was written to this file.
  void saved_as(const std::filesystem::path& file);

  /// Makes the world if there is none yet: from the last frame, or from the start.
  void prepare(const ProgressReport& report = {});
  bool prepared() const { return simulation_.has_value(); }
  /// One step, recorded; false if the end of the scene is reached. SimulationError if it broke down.
  bool step();
  /// Removes all frames after this one; the simulation goes on from it.
  void rewind(int frame);
  /// Number of the last frame there is, -1: none.
  int last_frame() const { return last_frame_; }
  /// The present simulation, between frames too; null if none is prepared.
  const Simulation* simulation() const { return simulation_ ? &*simulation_ : nullptr; }
  /// A frame from the run. InputError if there is none.
  Frame frame(int number) const;
  /// What is not wrong but should be known.
  std::vector<std::string> notes() const;
  const Statistics* statistics() const { return recorder_ ? &recorder_->last() : nullptr; }

 private:
  int change(Scene scene);
  void forget_simulation();

  std::string name_, parent_;
  int branched_at_ = -1, edits_ = 0;
  std::filesystem::path file_;
  /// Files that the scene named when it was opened.
  std::set<std::string> trusted_;
  Scene scene_;
  EditHistory history_;
  std::string saved_;
  std::optional<RunFolder> folder_;
  int last_frame_ = -1;
  std::optional<Simulation> simulation_;
  std::optional<Recorder> recorder_;
};

}  // namespace fondue
