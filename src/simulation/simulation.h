#pragma once
// Simulation: a scene and the world it has become. The face of the library: what `fondue run` does to a scene file, a
// program in C++ can do to any scene, and more: pause, change, save, rewind, branch.
//
//   Simulation simulation(load_scene("scenes/dam-break.toml"));
//   simulation.run_to(50);
//   const Snapshot start = simulation.save();
//   simulation.set("column", "fluid", "rest_density", 500);
//   simulation.run_to(100);
//   simulation.rewind(start);
//
// Every state is a function of the one before it: running in pieces, rewinding and repeating, and any number of threads
// give the same bits. A simulation is used by one thread at a time; it uses all cores itself.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cache/statistics.h"
#include "core/progress_report.h"
#include "scene/scene.h"
#include "simulation/snapshot.h"
#include "world/world.h"

namespace fondue {

class Simulation {
 public:
  /// From a scene file (load_scene) or a scene filled in C++. InputError with all its mistakes; what tracks leave open
  /// gets its declared default. Making a world may take seconds: `report` is told how far it is (a callback, see
  /// core/progress_report.h), and may throw to give up.
  explicit Simulation(Scene scene, const ProgressReport& report = {});
  /// Goes on from a saved state: a frame of a run, a checkpoint, a snapshot.
  Simulation(Scene scene, Frame state, const ProgressReport& report = {});

  /// One step, at most to the next frame.
  void step();
  /// Steps until the frame is reached. `go_on` is called after every step; if it returns false the simulation pauses,
  /// and another call goes on. Returns whether the frame is reached.
  bool run_to(int frame, const std::function<bool()>& go_on = {});

  /// Number of the last frame reached.
  int frame() const { return frame_; }
  double frame_time(int frame) const { return frame / scene_.frames_per_second; }
  double time() const { return world_->time(); }
  std::uint64_t steps() const { return world_->steps(); }
  const Particles& particles() const { return world_->particles(); }
  /// Boundary particles of the solids that pictures show, where they are now.
  std::vector<Vec3> visible_solids() const;
  Statistics statistics() const { return measure(*world_); }
  /// What is not wrong but should be known, of the scene and of making its world.
  std::vector<std::string> notes() const;
  /// As it is now, changes included. Its `effective` text follows changes (simulation/effective_text.h).
  const Scene& scene() const { return scene_; }
  /// For measurements that the functions above do not offer.
  World& world() { return *world_; }
  const World& world() const { return *world_; }

  /// What an object does. InputError if there is no such object.
  const std::vector<Track>& tracks(std::string_view object) const;
  /// Changes while it runs, checked like a scene: an InputError leaves everything as it was. They act from the next
  /// step on, as if the run were continued from its present state with the changed scene. `track` counts the tracks of
  /// this behaviour, where it has several that cross-fade.
  void set(std::string_view object, std::string_view behaviour, std::string_view parameter, Keyable<float> value,
           std::size_t track = 0);
  void set(std::string_view object, std::string_view behaviour, std::string_view parameter, Keyable<Vec3> value,
           std::size_t track = 0);
  void set_weight(std::string_view object, std::string_view behaviour, Keyable<float> weight, std::size_t track = 0);
  void set_tracks(std::string_view object, std::vector<Track> tracks);

  /// The present state. Snapshot::write makes it a frame file.
  Snapshot save() const;
  /// The same before it is bytes, which another thread may then make of it (write_frame).
  Frame state() const;
  /// Back (or forward) to a saved state of this simulation. Tracks stay as they are now.
  void rewind(Frame state);
  void rewind(const Snapshot& state) { rewind(state.frame()); }
  /// Another simulation of the same scene that goes on from a saved state; this one is not touched. Change it with set.
  Simulation branch(Frame state) const { return {scene_, std::move(state)}; }
  Simulation branch(const Snapshot& state) const { return branch(state.frame()); }

 private:
  Index object_index(std::string_view name) const;
  FrameHeader header() const;
  template <class T>
  void set_value(std::string_view object, std::string_view behaviour, std::string_view parameter, Keyable<T> value,
                 std::size_t track);

  Scene scene_;
  std::unique_ptr<World> world_;
  int frame_ = 0;
};

}  // namespace fondue
