#include "studio/take.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "scene/shape_types.h"
#include "scene/template.h"
#include "simulation/branching.h"
#include "simulation/setup_checks.h"
#include "simulation/unchanged_past.h"
#include "studio/files.h"
#include "studio/json.h"

namespace fondue {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_text = 1 << 20;

/// Names of the files that shapes are read from.
void collect_files(const nlohmann::json& tree, std::set<std::string>& names) {
  if (!tree.is_structured()) return;
  for (const auto& [key, value] : tree.items()) {
    const bool file = std::ranges::any_of(keys::shape::files, [&](const Parameter* p) { return key == p->name; });
    if (file && value.is_string()) names.insert(value.get<std::string>());
    collect_files(value, names);
  }
}

std::set<std::string> files_of(const std::string& text) {
  std::set<std::string> names;
  collect_files(toml_as_json(text), names);
  return names;
}

/// Everything that is wrong with a text, also what only a simulation would find. Beside the files that the scene named
/// when it was opened, it may name only those in its folder and below.
Scene checked_scene(const std::string& text, const fs::path& file, const std::set<std::string>& trusted) {
  if (text.size() > largest_text) throw InputError("the scene is larger than a megabyte");
  for (const std::string& name : files_of(text))
    if (!trusted.contains(name)) file_below(file.parent_path(), name, fs::path(name).extension().string());
  Scene scene = parse_scene(text, file.string());
  raise(scene_mistakes(scene));
  check_memory(scene.world);
  return scene;
}

}  // namespace

Take::Take(std::string name, std::string text, fs::path file, const fs::path& folder)
    : name_(std::move(name)),
      file_(std::move(file)),
      trusted_(files_of(text)),
      scene_(checked_scene(text, file_, trusted_)),
      history_(text),
      saved_(std::move(text)) {
  const RunLayout layout{folder, scene_.name};
  std::error_code none;
  const bool same =
      fs::exists(layout.effective_scene(), none) && text_of_file(layout.effective_scene()) == scene_.effective;
  folder_.emplace(layout, same ? OldRun::resume : OldRun::overwrite);
  if (const std::vector<int> frames = list_frames(layout); !frames.empty()) last_frame_ = frames.back();
}

Take::Take(std::string name, std::string text, Take& from, int frame, const fs::path& folder)
    : name_(std::move(name)),
      parent_(from.name_),
      branched_at_(frame),
      file_(from.file_),
      trusted_(from.trusted_),
      scene_(checked_scene(text, file_, trusted_)),
      history_(text),
      saved_(from.saved_) {
  if (frame < 0 || frame > from.last_frame_)
    throw InputError(fmt::format("take '{}' has no frame {}; it has {}", from.name_, frame,
                                 from.last_frame_ < 0 ? "none yet" : fmt::format("0 to {}", from.last_frame_)));
  if (const auto sentences = impossible_changes(from.scene_, scene_); !sentences.empty())
    throw InputError(fmt::format("a branch goes on with the particles that are there: {}", fmt::join(sentences, "; ")));
  from.frame(frame);  // is on the disk
  folder_.emplace(RunLayout{folder, scene_.name}, OldRun::overwrite);
  copy_past(from.layout(), layout(), frame);
  last_frame_ = frame;
}

int Take::edit(std::string text) {
  if (text == history_.text()) return last_frame_;
  const int left = change(checked_scene(text, file_, trusted_));
  history_.add(std::move(text));
  return left;
}

int Take::undo() {
  if (!can_undo()) throw InputError("there is nothing to undo");
  const int left = change(checked_scene(history_.before(), file_, trusted_));
  history_.undo();
  return left;
}

int Take::redo() {
  if (!can_redo()) throw InputError("there is nothing to redo");
  const int left = change(checked_scene(history_.after(), file_, trusted_));
  history_.redo();
  return left;
}

int Take::change(Scene scene) {
  if (scene.name != scene_.name)
    throw InputError("the name of a scene cannot change while it is open; save it as another file");
  const double until = unchanged_until(scene_, scene);
  int keep = last_frame_;
  if (until != all_time) {
    // A frame at the very time of a key may already know what comes after it.
    keep = -1;
    while (keep < last_frame_ && (keep + 1) / scene_.frames_per_second < until) ++keep;
    if (branched_at_ >= 0) {
      if (const auto sentences = impossible_changes(scene_, scene); !sentences.empty())
        throw InputError(fmt::format("take '{}' goes on with the particles of frame {}: {}", name_, branched_at_,
                                     fmt::join(sentences, "; ")));
      keep = std::max(keep, branched_at_);
    }
  }
  forget_simulation();
  scene_ = std::move(scene);
  ++edits_;
  rewind(keep);
  return last_frame_;
}

void Take::saved_as(const fs::path& file) {
  file_ = file;
  saved_ = history_.text();
}

void Take::prepare(const ProgressReport& report) {
  if (simulation_) return;
  const bool anew = last_frame_ < 0;
  if (anew)
    simulation_.emplace(scene_, report);
  else
    simulation_.emplace(scene_, frame(last_frame_), report);
  const auto start = anew ? Recorder::Start::anew : Recorder::Start::continued;
  try {
    recorder_.emplace(*simulation_, *folder_, start);
  } catch (const InputError&) {
    // A change has brought other quantities: the tables begin again.
    fs::remove(layout().statistics());
    fs::remove(layout().probes());
    recorder_.emplace(*simulation_, *folder_, start);
  }
  last_frame_ = simulation_->frame();
  write_text_atomically(layout().effective_scene(), scene_.effective);
}

bool Take::step() {
  prepare();
  if (simulation_->frame() >= scene_.frames()) return false;
  try {
    simulation_->step();
    recorder_->record();
  } catch (const SimulationError& error) {
    const SimulationError told = recorder_->broken_down(error);
    forget_simulation();
    throw told;
  }
  last_frame_ = simulation_->frame();
  return last_frame_ < scene_.frames();
}

void Take::rewind(int number) {
  if (number < branched_at_) throw InputError(fmt::format("take '{}' begins at frame {}", name_, branched_at_));
  forget_simulation();
  folder_->remove_frames_after(number);
  last_frame_ = std::min(last_frame_, number);
  write_text_atomically(layout().effective_scene(), scene_.effective);
}

void Take::forget_simulation() {
  recorder_.reset();
  simulation_.reset();
}

Frame Take::frame(int number) const {
  if (number < 0 || number > last_frame_)
    throw InputError(fmt::format("there is no frame {}{}", number,
                                 last_frame_ < 0 ? " yet" : fmt::format("; there are 0 to {}", last_frame_)));
  // The newest one may still be on its way to the disk.
  for (int k = 0; k != 1000 && !fs::exists(layout().frame(number)); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return read_frame(layout().frame(number));
}

std::vector<std::string> Take::notes() const { return simulation_ ? simulation_->notes() : scene_.notes; }

}  // namespace fondue
