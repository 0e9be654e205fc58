#pragma once
// The recorder of a run: everything a simulation leaves in the folder of a run while it goes. Statistics and probes of
// every step, frames and their index, the effective scene, a checkpoint when it is stopped, the state it broke down in.
// Files are written by another thread while the simulation goes on; rows of tables are on the disk before the state
// that follows them.

#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cache/index.h"
#include "cache/probes.h"
#include "cache/run_folder.h"
#include "simulation/simulation.h"

namespace fondue {

class Recorder {
 public:
  enum class Start {
    /// The run begins: its first row and frame are recorded at once.
    anew,
    /// The simulation goes on from a state of the run in the folder; later rows of its tables are dropped.
    continued
  };
  /// Both must outlive the recorder. After a rewind of the simulation, make another one.
  Recorder(Simulation& simulation, const RunFolder& folder, Start start);

  /// To be called after every step: records it, and the frame if one was reached.
  void record();
  /// Writes the state between frames that the run can be resumed from.
  void checkpoint();
  /// The run is complete: everything is on the disk, and the checkpoint of an earlier interruption is removed.
  void finish();
  /// Writes the state the simulation broke down in; returns the error with where that state is.
  SimulationError broken_down(const SimulationError& error);

  /// Of the last recorded step.
  const Statistics& last() const { return last_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// What limited most of the steps recorded: a behaviour, its object, and the share of the steps.
  std::string what_limited_the_step() const;
  /// Statistics that were more than the scene's behaviours promise, a sentence for each.
  std::vector<std::string> broken_promises() const;

 private:
  void record_row();
  void write_state(const std::filesystem::path& path, bool indexed = false);
  void write_effective_scene();
  void finish_writing();

  Simulation& simulation_;
  const RunLayout& layout_;
  Table statistics_;
  Probes probes_;
  std::optional<Table> probe_table_;
  std::vector<double> last_probes_;
  FrameIndex index_;
  std::chrono::steady_clock::time_point index_written_{};
  /// The last frame recorded, and the effective scene that is in the folder.
  int frame_;
  std::string effective_;
  Statistics last_;
  struct Promise {
    Statistic of;
    double most, highest = 0;
  };
  std::vector<Promise> promises_;
  /// How many steps each cause has limited.
  std::map<std::string, std::size_t> limited_by_;
  std::vector<std::string> notes_;
  /// The file being written; last, so that it is waited for before what it uses goes.
  std::future<void> writing_;
};

}  // namespace fondue
