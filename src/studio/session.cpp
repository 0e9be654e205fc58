#include "studio/session.h"

#include <fmt/format.h>

#include <cmath>

#include "cache/output_file.h"
#include "picture/child_process.h"
#include "scene/scene_text.h"
#include "scene/suggest.h"
#include "scene/template.h"
#include "shapes/filling.h"
#include "studio/files.h"
#include "studio/shown_props.h"

namespace fondue {

namespace fs = std::filesystem;

namespace {

/// A scene with this many particles plays at once.
constexpr double preview_particles = 2500;
constexpr const char* first_take = "main";
constexpr std::size_t most_takes = 32, most_jobs = 16;

double particles_of(const Scene& scene) {
  double count = 0;
  for (const ObjectSetup& object : scene.world.objects)
    if (object.shape) count += estimate_count(*object.shape, object.spacing, scene.world.dimension);
  return count;
}

/// The text with a spacing at which the scene has few particles; unchanged if it has few already.
std::string at_preview_size(const std::string& text, const Scene& scene) {
  const double ratio = particles_of(scene) / preview_particles;
  if (ratio <= 1) return text;
  SceneText coarse(text);
  const double spacing = scene.world.spacing * std::pow(ratio, 1.0 / scene.world.dimension);
  coarse.set("scene.spacing", fmt::format("{:.2g}", spacing));
  return coarse.text();
}

}  // namespace

struct Session::Job {
  Rendering rendering;
  ChildProcess process;
  /// Notes how it ended.
  void finish() {
    if (!rendering.outcome.empty()) return;
    rendering.outcome = process.wait() ? "done" : in_one_line(process.messages());
    if (rendering.outcome.empty()) rendering.outcome = "failed";
  }
};

Session::Session(SessionSetup setup) : setup_(std::move(setup)) {}
Session::~Session() {
  for (const auto& job : jobs_) job->process.interrupt();
}

fs::path Session::take_folder(const std::string& scene, const std::string& take) const {
  return setup_.out / plain_name(scene) / take;
}

void Session::put(std::unique_ptr<Take> take) {
  pause();
  takes_.push_back(std::move(take));
  present_ = takes_.size() - 1;
  message_.clear();
  shown_.reset();
  packer_.forget_range();
}

void Session::open(const std::string& name, bool preview) {
  const bool own = name.ends_with(".toml");
  const fs::path file =
      own ? file_below(setup_.folder, name, ".toml") : file_below(setup_.gallery, name + ".toml", ".toml");
  if (!fs::exists(file)) {
    std::vector<std::string> known;
    const fs::path& folder = own ? setup_.folder : setup_.gallery;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".toml")
        known.push_back(own ? entry.path().filename().string() : entry.path().stem().string());
    throw InputError(fmt::format("there is no scene '{}'{}", name, suggestion(name, known)));
  }
  const std::string text = text_of_file(file);
  const Scene scene = parse_scene(text, file.string());
  // The folder of the run is locked by the take that is open: that one goes first.
  takes_.clear();
  packer_.show({});
  put(std::make_unique<Take>(first_take, text, file, take_folder(scene.name, first_take)));
  if (preview) edit(at_preview_size(text, scene));
}

void Session::begin(const std::string& name, const std::string& like) {
  const fs::path file = file_below(setup_.folder, name + ".toml", ".toml");
  if (fs::exists(file)) throw InputError(fmt::format("'{}' is there already; choose another name", name));
  const std::string text = text_from_template(setup_.gallery, like, name, name + ".toml");
  takes_.clear();
  packer_.show({});
  put(std::make_unique<Take>(first_take, text, file, take_folder(name, first_take)));
}

Take& Session::take() {
  if (takes_.empty()) throw InputError("no scene is open; 'open NAME' opens one");
  return *takes_[present_];
}

Take& Session::take(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& one : takes_) {
    if (one->name() == name) return *one;
    known.push_back(one->name());
  }
  throw InputError(fmt::format("there is no take '{}'{}", name, suggestion(name, known)));
}

void Session::choose(const std::string& name) {
  const Take& chosen = take(name);
  pause();
  present_ = static_cast<std::size_t>(
      std::ranges::find_if(takes_, [&](const auto& one) { return one.get() == &chosen; }) - takes_.begin());
  if (shown_) shown_ = std::min(*shown_, std::max(0, chosen.last_frame()));
}

void Session::branch(int frame, std::string text) {
  if (takes_.size() >= most_takes)
    throw InputError(fmt::format("there are {} takes already; remove one first", most_takes));
  Take& from = take();
  int number = 1;
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(takes_, [&](const auto& one) { return one->name() == name; });
  };
  while (taken(fmt::format("branch-{}", number))) ++number;
  const std::string name = fmt::format("branch-{}", number);
  const std::optional<int> shown = shown_;
  put(std::make_unique<Take>(name, std::move(text), from, frame, take_folder(from.scene().name, name)));
  if (shown) shown_ = std::min(*shown, frame);
}

void Session::remove_take(const std::string& name) {
  if (take(name).name() == first_take) throw InputError("the first take stays");
  const std::string present = take().name();
  std::erase_if(takes_, [&](const auto& one) { return one->name() == name; });
  present_ = 0;
  if (present != name) choose(present);
  shown_.reset();
}

fs::path Session::save(const std::string& name) {
  Take& one = take();
  fs::path file = one.file();
  if (!name.empty())
    file = file_below(setup_.folder, name.ends_with(".toml") ? name : name + ".toml", ".toml");
  else
    file = file_below(setup_.folder,
                      fs::weakly_canonical(file).lexically_relative(fs::weakly_canonical(setup_.folder)).string(),
                      ".toml");
  // Files that the scene names are relative to it.
  parse_scene(one.text(), file.string());
  fs::create_directories(file.parent_path());
  write_text_atomically(file, one.text());
  one.saved_as(file);
  return file;
}

int Session::edit(std::string text) { return edited(take().edit(std::move(text))); }
int Session::undo() { return edited(take().undo()); }
int Session::redo() { return edited(take().redo()); }

int Session::edited(int left) {
  message_.clear();
  if (shown_ && *shown_ > left) shown_.reset();
  return left;
}

void Session::rewind(int frame) {
  if (frame < 0 || frame > take().last_frame()) take().frame(frame);  // says what there is
  pause();
  take().rewind(frame);
  edited(frame);
  shown_.reset();
}

void Session::play() {
  take();
  message_.clear();
  shown_.reset();
  playing_ = true;
}

bool Session::busy() const {
  if (takes_.empty() || !message_.empty()) return false;
  const Take& one = *takes_[present_];
  return playing_ || (!one.prepared() && one.last_frame() < 0);
}

void Session::advance() {
  if (!busy()) return;
  try {
    if (!playing_)
      take().prepare();
    else if (!take().step())
      pause();
  } catch (const Error& error) {
    message_ = error.what();
    pause();
  }
}

void Session::show(std::optional<int> frame) {
  if (frame && (*frame < 0 || *frame > take().last_frame()))
    throw InputError(fmt::format("there is no frame {}; there are 0 to {}", *frame, take().last_frame()));
  shown_ = frame;
}

std::string Session::packed(Take& one, std::optional<int> frame, std::string bytes) {
  nlohmann::json header = {{"take", one.name()}, {"live", !frame}};
  if (!frame && !one.simulation() && one.last_frame() >= 0) frame = one.last_frame();
  if (frame) {
    const Frame saved = one.frame(std::min(*frame, one.last_frame()));
    header["frame"] = saved.header.frame;
    const std::span<const Vec3> solids = solids_are_props(one.scene()) ? std::span<const Vec3>{} : saved.solids;
    return packer_.pack(one.scene(), saved.particles, saved.header, solids, std::move(header), std::move(bytes));
  }
  const Simulation* simulation = one.simulation();
  if (!simulation) return {};
  header["frame"] = simulation->frame();
  FrameHeader now;
  now.frame = simulation->frame();
  now.time = simulation->time();
  now.state = simulation->world().state();
  const std::vector<Vec3> solids = solids_are_props(one.scene()) ? std::vector<Vec3>{} : simulation->visible_solids();
  return packer_.pack(one.scene(), simulation->particles(), now, solids, std::move(header), std::move(bytes));
}

void Session::render(std::optional<int> frame) {
  if (setup_.program.empty()) throw InputError("this program cannot draw in the background");
  const Take& one = take();
  if (one.last_frame() < 0) throw InputError("there is no frame to draw yet");
  if (frame) one.frame(*frame);
  std::erase_if(jobs_, [&](const auto& job) { return jobs_.size() >= most_jobs && !job->rendering.outcome.empty(); });
  if (jobs_.size() >= most_jobs) throw InputError(fmt::format("{} pictures are being drawn already", most_jobs));
  const RunLayout& layout = one.layout();
  const Rendering rendering{
      one.name(), frame ? fmt::format("frame {}", *frame) : "video",
      frame ? layout.folder / "pictures" / fmt::format("frame_{:06}.png", *frame) : layout.video(), ""};
  // It leaves the cores to the simulation.
  std::vector<std::string> words = {"nice", "-n", "10", setup_.program, "render", layout.folder.string()};
  if (frame) words.insert(words.end(), {"--frames", std::to_string(*frame)});
  jobs_.push_back(std::unique_ptr<Job>(new Job{rendering, ChildProcess(words, "coreutils")}));
}

std::vector<Session::Rendering> Session::renderings() const {
  std::vector<Rendering> list;
  for (const auto& job : jobs_) {
    if (job->process.ended()) job->finish();
    list.push_back(job->rendering);
  }
  return list;
}

void Session::wait_for_renderings() {
  for (const auto& job : jobs_) job->finish();
}

}  // namespace fondue
