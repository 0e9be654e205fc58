#include "cli/runner.h"

#include <fmt/format.h>

#include <future>

#include "cache/index.h"
#include "cache/output_file.h"
#include "cache/probes.h"
#include "cache/statistics.h"
#include "core/progress.h"

namespace fondue {

namespace {

/// Everything a run writes while it goes.
class Recorder {
 public:
  Recorder(const Scene& scene, const RunLayout& layout, const World& world, std::optional<double> resumed_at)
      : scene_(scene),
        layout_(layout),
        statistics_(layout.statistics(), Statistics::table_columns(), resumed_at),
        probes_(scene.probes, world),
        index_(layout.index(), scene.name) {
    if (!probes_.empty()) probe_table_.emplace(layout.probes(), probes_.table_columns(), resumed_at);
    for (const int frame : list_frames(layout)) {
      // A damaged frame is no reason to stop; it is only not shown.
      try {
        index_.add(layout.frame(frame));
      } catch (const InputError& error) {
        notes_.push_back(std::string(error.what()) + "; left out of the index");
      }
    }
  }

  void record_step(World& world) {
    last_ = measure(world);
    statistics_.append(last_.row());
    if (probe_table_) probe_table_->append(probes_.measure(world));
  }

  /// Makes the frame and leaves the writing to another thread, while the run goes on. Rows are on the disk before the
  /// state that follows them.
  void write_state(const std::filesystem::path& path, const World& world, int frame, bool indexed = false) {
    finish_writing();
    statistics_.sync();
    if (probe_table_) probe_table_->sync();
    FrameHeader header;
    header.frame = frame;
    header.time = world.time();
    header.step = world.steps();
    header.dimension = world.setup().dimension;
    header.spacing = world.setup().spacing;
    header.scene = scene_.name;
    header.state = world.state();
    writing_ = std::async(
        std::launch::async,
        [this, path, indexed, image = frame_image(header, world.particles(), scene_.columns, visible_solids(world))] {
          write_file_atomically(path, image);
          if (!indexed) return;
          index_.add(path);
          index_.write();
        });
  }

  void write_frame_of(const World& world, int frame) { write_state(layout_.frame(frame), world, frame, true); }

  /// Waits until the last frame is on the disk; throws what went wrong with it.
  void finish_writing() {
    if (writing_.valid()) writing_.get();
  }

  const Statistics& last() const { return last_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  static std::vector<Vec3> visible_solids(const World& world) {
    std::vector<Vec3> solids;
    const Walls& walls = world.colliders().walls();
    for (std::size_t b = 0; b != walls.size(); ++b) {
      const ColliderSetup& collider = world.setup().colliders[walls.collider[b]];
      if (collider.visible && collider.container.empty()) solids.push_back(walls.position[b]);
    }
    return solids;
  }

  const Scene& scene_;
  const RunLayout& layout_;
  Table statistics_;
  Probes probes_;
  std::optional<Table> probe_table_;
  FrameIndex index_;
  Statistics last_;
  std::vector<std::string> notes_;
  /// The frame being written; last, so that it is waited for before what it uses goes.
  std::future<void> writing_;
};

World make_world(const Scene& scene, std::optional<Frame>& from) {
  if (!from) return World(scene.world);
  const FrameHeader& header = from->header;
  if (header.dimension != scene.world.dimension)
    throw InputError(fmt::format("the frame is {}-dimensional, the scene is not", header.dimension));
  const auto object = from->particles[columns::object];
  for (const Index o : object)
    if (o >= scene.world.objects.size())
      throw InputError(fmt::format("the frame has particles of object {}, the scene has only {} objects", o,
                                   scene.world.objects.size()));
  return World(scene.world, std::move(from->particles), header.state);
}

}  // namespace

bool run(const Scene& scene, const RunFolder& folder, RunOptions options) {
  const RunLayout& layout = folder.layout();
  const int last_frame = options.frames.value_or(scene.frames());
  const std::optional<double> resumed_at = options.from ? std::optional(options.from->header.time) : std::nullopt;
  int frame = options.from ? options.from->header.frame : 0;
  const double begun_at = resumed_at.value_or(0);

  World world = make_world(scene, options.from);
  Recorder recorder(scene, layout, world, resumed_at);
  for (const auto& notes : {scene.notes, world.notes(), recorder.notes()})
    for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  if (!resumed_at) {
    recorder.record_step(world);
    recorder.write_frame_of(world, 0);
  }

  Progress progress("Simulating", "particle-steps");
  double particle_steps = 0;
  const double end = last_frame / scene.frames_per_second;
  while (frame < last_frame) {
    const double next = (frame + 1) / scene.frames_per_second;
    try {
      world.step(next);
    } catch (const SimulationError& error) {
      progress.finish();
      recorder.write_state(layout.failure(), world, frame);
      recorder.finish_writing();
      throw SimulationError(
          fmt::format("{}; the state it broke down in is {}", error.what(), layout.failure().string()));
    }
    particle_steps += world.particles().size();
    if (world.synchronised()) recorder.record_step(world);
    if (world.time() >= next) recorder.write_frame_of(world, ++frame);
    progress.update(std::min(1.0, world.time() / end), particle_steps,
                    fmt::format("frame {}/{}  {} particles  dt {:.2g} s", frame, last_frame, world.particles().size(),
                                world.last_step()));
    if (frame < last_frame && options.interrupted()) {
      recorder.write_state(layout.checkpoint(), world, frame);
      recorder.finish_writing();
      return false;
    }
  }
  progress.finish();
  recorder.finish_writing();
  std::filesystem::remove(layout.checkpoint());
  const Statistics& s = recorder.last();
  fmt::print(stderr, "{:.3g} s simulated, {} steps, {} particles, mean compression {:.2g} %\n", world.time() - begun_at,
             world.steps(), world.particles().size(), 100 * s.mean_compression);
  return true;
}

}  // namespace fondue
