#include "picture/frame_render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <numeric>
#include <system_error>

#include "core/error.h"
#include "picture/font.h"
#include "picture/povray.h"
#include "picture/video.h"

namespace fondue {
namespace {

namespace fs = std::filesystem;

std::vector<int> expected_frames(const RunLayout& layout, const std::optional<std::pair<int, int>>& range) {
  const std::vector<int> there = list_frames(layout);
  if (there.empty()) throw InputError(fmt::format("{} has no frames to draw", layout.frames().string()));
  const auto [first, last] = range.value_or(std::pair(there.front(), there.back()));
  std::vector<int> all(static_cast<std::size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return all;
}

std::string text_of(const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

}  // namespace

/// A picture that POV-Ray is currently rendering.
struct FinishedPictures::Pending {
  int frame;
  fs::path pov;
  std::unique_ptr<PovrayJob> job;
};

FinishedPictures::FinishedPictures(const Scene& scene, const RunLayout& layout, FinishedSetup setup)
    : scene_(scene),
      layout_(layout),
      setup_(std::move(setup)),
      frames_(expected_frames(layout, setup_.range)),
      view_(scene, layout, list_frames(layout), setup_.coloured, RunView::Damaged::pass_over),
      files_(layout.folder / "pictures", "png", settings()) {}

PovrayScene FinishedPictures::scene_of(const Frame& frame) const {
  PovrayScene shown;
  shown.camera = view_.camera(frame.header.time);
  shown.flat = view_.flat();
  // Surfaces extend slightly below their support; a floor just above their lower edges shows no gap.
  if (!shown.flat) shown.floor = view_.floor() + 0.25f * scene_.world.spacing;
  shown.containers = containers_at(scene_, frame.header);
  if (setup_.solids) shown.solids = setup_.solids(scene_, frame);
  shown.solid_looks = scene_.solid_looks;

  std::vector<Geometry> surfaces = setup_.surfaces(scene_, frame);
  for (std::size_t i = 0; i != surfaces.size(); ++i) {
    DrawnObject object;
    object.geometry = std::move(surfaces[i]);
    if (i < scene_.looks.size()) object.look = scene_.looks[i];
    const float spacing = i < scene_.world.objects.size() ? scene_.world.objects[i].spacing : 0;
    object.radius = 0.5f * (spacing > 0 ? spacing : scene_.world.spacing);
    if (view_.by_object()) {
      if (object.look.look == Look::water || object.look.look == Look::lava) object.look.look = Look::paint;
      object.look.colour = object_colour(static_cast<Index>(i));
    } else if (setup_.coloured) {
      object.colouring = Colouring{scene_.picture.colour_by, view_.legend()};
    }
    // Lava of any temperature: if the run does not reach the temperature of glowing rock, its own range is used.
    if (view_.coldest() < view_.hottest() && (view_.hottest() < object.cold || view_.coldest() > object.hot)) {
      object.cold = view_.coldest();
      object.hot = view_.hottest();
    }
    shown.objects.push_back(std::move(object));
  }
  return shown;
}

std::string FinishedPictures::settings() const {
  std::string text = fmt::format("size {} {}\n{}floor {}\n", scene_.picture.width, scene_.picture.height,
                                 view_.camera_text(), view_.floor());
  text += fmt::format("temperatures {} {}\n", view_.coldest(), view_.hottest());
  if (setup_.coloured)
    text += fmt::format("coloured by {} {} {} {}\n", scene_.picture.colour_by, view_.legend().map, view_.legend().min,
                        view_.legend().max);
  for (const LookSetup& look : scene_.looks)
    text += fmt::format("look {} {}\n", static_cast<int>(look.look), text_of(look_colour(look)));
  for (const std::optional<LookSetup>& look : scene_.solid_looks)
    text += look ? fmt::format("solid {} {}\n", static_cast<int>(look->look), text_of(look_colour(*look))) : "solid\n";
  return text + setup_.settings;
}

FinishedPictures::Pending FinishedPictures::start(int frame, int threads) const {
  const int width = scene_.picture.width, height = scene_.picture.height;
  const std::string text = povray_text(scene_of(read_frame(layout_.frame(frame))), width, height);
  Pending pending{frame, picture(frame).replace_extension(".pov"), nullptr};
  OutputFile file(pending.pov, OutputFile::Start::empty);
  file.write(text);
  file.close();
  // The legend is added later, so the picture has a temporary name until then.
  const fs::path png = setup_.coloured ? picture(frame).replace_extension(".plain.png") : picture(frame);
  pending.job = std::make_unique<PovrayJob>(pending.pov, png, width, height, threads);
  return pending;
}

void FinishedPictures::finish(Pending pending) const {
  pending.job->finish();
  std::error_code ignored;
  if (setup_.coloured) {
    Image image = read_png(pending.job->picture().string());
    if (!view_.by_object()) draw_legend(image, Font(), view_.legend());
    write_png(image, picture(pending.frame).string());
    fs::remove(pending.job->picture(), ignored);
  }
  fs::remove(pending.pov, ignored);
}

void FinishedPictures::report(int frame, const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  left_out_.push_back(frame);
}

void FinishedPictures::draw_missing(const PictureProgress& progress, bool& stopped) {
  std::vector<int> missing;
  std::copy_if(frames_.begin(), frames_.end(), std::back_inserter(missing),
               [&](int f) { return setup_.overwrite || !files_.up_to_date(f, layout_.frame(f)); });
  const int all = static_cast<int>(frames_.size()), threads = std::max(1, setup_.threads);
  const int together = std::clamp(static_cast<int>(missing.size()), 1, threads);
  int drawn = all - static_cast<int>(missing.size());

  std::deque<Pending> at_work;
  const auto drop_all = [&] {
    for (Pending& pending : at_work) {
      pending.job.reset();
      std::error_code ignored;
      fs::remove(pending.pov, ignored);
    }
    at_work.clear();
  };
  const auto end_first = [&] {
    Pending first = std::move(at_work.front());
    at_work.pop_front();
    try {
      finish(std::move(first));
    } catch (...) {
      drop_all();
      throw;
    }
    stopped = !progress(++drawn, all);
  };
  for (const int frame : missing) {
    if (stopped) break;
    if (static_cast<int>(at_work.size()) == together) end_first();
    if (stopped) break;
    try {
      at_work.push_back(start(frame, std::max(1, threads / together)));
    } catch (const InputError& error) {
      report(frame, error.what());
    }
  }
  while (!stopped && !at_work.empty()) end_first();
  drop_all();
}

void FinishedPictures::write_video() {
  // A still or a range is in the folder of pictures and does not replace that of the last frame of the run.
  if (setup_.range) return;
  VideoWriter video(layout_.video().string(), scene_.picture.width, scene_.picture.height, scene_.frames_per_second);
  Image last;
  for (const int frame : frames_) {
    if (std::find(left_out_.begin(), left_out_.end(), frame) != left_out_.end()) continue;
    try {
      last = read_png(picture(frame).string());
      video.add(last);
    } catch (const InputError& error) {
      report(frame, error.what());
    }
  }
  if (last.rgb.empty()) return;
  video.finish();
  write_png(last, layout_.picture().string());
}

void FinishedPictures::draw(const PictureProgress& progress) {
  left_out_.clear();
  bool stopped = false;
  draw_missing(progress, stopped);
  if (stopped) return;
  write_video();
  if (!left_out_.empty())
    throw InputError(
        fmt::format("{} of {} frames are missing or damaged and were skipped", left_out_.size(), frames_.size()));
}

}  // namespace fondue
