#include "simulation/recorder.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "cache/frame_outline.h"
#include "cache/output_file.h"
#include "scene/reading.h"

namespace fondue {

namespace {

std::optional<double> time_to_continue_from(const Simulation& simulation, Recorder::Start start) {
  return start == Recorder::Start::continued ? std::optional(simulation.time()) : std::nullopt;
}

/// The least that any track of a statistic's behaviour promises.
double promised(const Statistic& statistic, const BehaviourInfo& info, const WorldSetup& setup) {
  double most = infinity;
  for (const ObjectSetup& object : setup.objects)
    for (const Track& track : tracks_of(object.tracks, info))
      most = std::min(most, static_cast<double>(statistic.promised(track)));
  return most;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Recorder::Recorder(Simulation& simulation, const RunFolder& folder, Start start)
    : simulation_(simulation),
      layout_(folder.layout()),
      statistics_(layout_.statistics(), statistics_columns(simulation.world()),
                  time_to_continue_from(simulation, start)),
      probes_(simulation.scene().probes, simulation.world()),
      index_(layout_.index(), simulation.scene().name,
             [](const std::string& column) { return !shown_columns({column}).empty(); }),
      frame_(simulation.frame()),
      effective_(text_of(layout_.effective_scene())) {
  if (!probes_.empty()) {
    probe_table_.emplace(layout_.probes(), probes_.table_columns(), time_to_continue_from(simulation, start));
    last_probes_ = probe_table_->last_row();
  }
  for (const RegisteredBehaviour& entry : behaviour_registry())
    for (const Statistic& statistic : entry.info->statistics)
      if (statistic.promised)
        promises_.push_back({statistic, promised(statistic, *entry.info, simulation.world().setup())});
  for (const int frame : list_frames(layout_)) {
    // A damaged frame is no reason to stop; it is only not shown.
    try {
      index_.add(layout_.frame(frame));
    } catch (const InputError& error) {
      notes_.push_back(std::string(error.what()) + "; left out of the index");
    }
  }
  if (start == Start::continued) return;
  record_row();
  write_state(layout_.frame(frame_), true);
  finish_writing();
}

void Recorder::record() {
  if (simulation_.world().synchronised()) record_row();
  if (simulation_.frame() == frame_) return;
  frame_ = simulation_.frame();
  write_state(layout_.frame(frame_), true);
}

void Recorder::checkpoint() {
  write_state(layout_.checkpoint());
  finish_writing();
}

void Recorder::finish() {
  finish_writing();
  index_.write();
  std::filesystem::remove(layout_.checkpoint());
}

SimulationError Recorder::broken_down(const SimulationError& error) {
  write_state(layout_.failure());
  finish_writing();
  return SimulationError(fmt::format("{}; the state it broke down in is {}", error.what(), layout_.failure().string()));
}

void Recorder::record_row() {
  last_ = simulation_.statistics();
  statistics_.append(last_.row(), last_.words());
  for (std::size_t k = 0; k != last_.names.size(); ++k)
    for (Promise& promise : promises_)
      if (promise.of.name == last_.names[k].name) promise.highest = std::max(promise.highest, last_.values[k]);
  ++limited_by_[fmt::format("{} of object '{}'", last_.limited_by, last_.limiting_object)];
  if (!probe_table_) return;
  last_probes_ = probes_.measure(simulation_.world(), last_probes_);
  probe_table_->append(last_probes_);
}

std::string Recorder::what_limited_the_step() const {
  std::size_t steps = 0;
  auto most = limited_by_.begin();
  for (auto entry = limited_by_.begin(); entry != limited_by_.end(); ++entry) {
    steps += entry->second;
    if (entry->second > most->second) most = entry;
  }
  if (steps == 0) return "";
  return fmt::format("{} ({:.0f} % of the steps)", most->first,
                     100.0 * static_cast<double>(most->second) / static_cast<double>(steps));
}

std::vector<std::string> Recorder::broken_promises() const {
  std::vector<std::string> broken;
  for (const Promise& promise : promises_)
    if (promise.highest > promise.most)
      broken.push_back(fmt::format("{} was {:.2g} at its highest, above the {:.2g} that the scene allows; {}",
                                   promise.of.name, promise.highest, promise.most, promise.of.remedy));
  return broken;
}

/// Leaves all but a copy of the state to another thread.
void Recorder::write_state(const std::filesystem::path& path, bool indexed) {
  finish_writing();
  write_effective_scene();
  writing_ = std::async(std::launch::async,
                        [this, path, indexed, state = simulation_.state(), columns = simulation_.scene().columns] {
                          statistics_.sync();
                          if (probe_table_) probe_table_->sync();
                          write_frame(path, state.header, state.particles, columns, state.solids);
                          if (indexed) index_.add(path, outline_of(state, columns));
                          // Waiting for the disk takes longer than many frames, and the last one is written in any
                          // case.
                          const auto now = std::chrono::steady_clock::now();
                          if (indexed && now < index_written_ + std::chrono::seconds(1)) return;
                          index_.write();
                          index_written_ = now;
                        });
}

/// Beside every state is the scene it belongs to, also after changes. A scene built in C++ has no text.
void Recorder::write_effective_scene() {
  const std::string& effective = simulation_.scene().effective;
  if (effective.empty() || effective == effective_) return;
  write_text_atomically(layout_.effective_scene(), effective);
  effective_ = effective;
}

/// Waits until the last state is on the disk; throws what went wrong with it.
void Recorder::finish_writing() {
  if (writing_.valid()) writing_.get();
}

}  // namespace fondue
