#include "picture/frame_render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <numeric>
#include <system_error>

#include "bodies/body.h"
#include "cache/recomputed.h"
#include "core/error.h"
#include "picture/font.h"
#include "picture/glow.h"
#include "picture/povray.h"
#include "picture/video.h"
#include "world/world.h"

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

std::string text_of(float number) { return fmt::format("{}", number); }

template <class T>
std::string text_of(const Keyable<T>& value) {
  std::string text =
      fmt::format("{}{}", static_cast<int>(value.curve().interpolation()), value.curve().repeats() ? " repeats" : "");
  for (std::size_t k = 0; k != value.values().size(); ++k)
    text += fmt::format(" {}:{}", value.curve().keys()[k], text_of(value.values()[k]));
  return text + ' ';
}

/// Everything that the appearance of an object depends on.
std::string text_of(const LookSetup& look) {
  std::string text =
      fmt::format("{} {} {}", static_cast<int>(look.look), text_of(look_colour(look)), look.clarity.value_or(0.0f));
  for (std::size_t k = 0; k != look.sequence.size(); ++k)
    text += fmt::format(" {}:{}", look.place.curve().keys()[k], static_cast<int>(look.sequence[k]));
  for (const std::optional<Vec3>& colour : look.sequence_colours)
    text += fmt::format(" {}", text_of(colour.value_or(Vec3::Constant(-1))));
  for (const std::optional<float>& clarity : look.sequence_clarities)
    text += fmt::format(" {}", clarity.value_or(0.0f));
  return text + fmt::format(" {} {}{}\n", look.place.over(), static_cast<int>(look.place.curve().interpolation()),
                            look.place.curve().repeats() ? " repeats" : "");
}

/// Visible colliders and rigid bodies, with the triangles that were made of them.
std::vector<DrawnSolid> solids_at(const Scene& scene, const FrameHeader& frame, std::vector<Geometry> triangles) {
  std::vector<DrawnSolid> solids;
  const Box around = extent_of(scene.world).grown(scene.world.spacing);
  for (std::size_t c = 0; c != triangles.size(); ++c) {
    if (triangles[c].mesh.triangles.empty()) continue;
    if (c < scene.world.colliders.size() && level_ground(scene, c)) continue;
    DrawnSolid& solid = solids.emplace_back(DrawnSolid{std::move(triangles[c])});
    if (c < scene.solid_looks.size()) solid.look = scene.solid_looks[c];
    if (c >= scene.world.colliders.size()) continue;
    const ColliderSetup& collider = scene.world.colliders[c];
    const BodyState state = saved_body(frame.state, collider, frame.time);
    solid.rotation = state.pose.rotation.toRotationMatrix().cast<float>();
    solid.position = state.pose.position.cast<float>();
    solid.velocity = state.velocity.cast<float>();
    solid.angular_velocity = state.angular_velocity.cast<float>();
    if (collider.shape->sequence()) continue;
    solid.construction = collider.shape->construction();
    if (!collider.shape->bounds().finite()) solid.within = around.grown(4 * around.size().maxCoeff());
  }
  return solids;
}

}  // namespace

/// A picture that POV-Ray is currently rendering.
struct FinishedPictures::Pending {
  int frame;
  fs::path pov;
  std::unique_ptr<PovrayJob> job;
  PovrayScene scene;
  int threads;
  /// Moments of motion blur that are still to be drawn, relative to the frame [s].
  std::vector<float> moments;
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
  shown.home = view_.camera(0);
  shown.surroundings = scene_.picture.surroundings;
  shown.aperture = scene_.picture.aperture.at(frame.header.time);
  shown.focus = scene_.picture.focus ? scene_.picture.focus->at(frame.header.time) : shown.camera.target;
  shown.flat = view_.flat();
  // Surfaces extend slightly below their support; a floor just above their lower edges shows no gap.
  if (!shown.flat) shown.floor = view_.floor() + 0.25f * scene_.world.spacing;
  shown.containers = containers_at(scene_, frame.header);
  if (setup_.solids) shown.solids = solids_at(scene_, frame.header, setup_.solids(scene_, frame));

  for (const FlameSetup& flame : scene_.flames)
    if (flame.on.at(frame.header.time) > 0.5f)
      shown.flames.push_back({flame.position.at(frame.header.time), flame.height.at(frame.header.time)});

  std::vector<Geometry> surfaces = setup_.surfaces(scene_, frame);
  for (std::size_t s = 0; s != surfaces.size(); ++s) {
    // An object may have a second geometry, after those of all.
    const std::size_t objects = scene_.world.objects.size(), i = s < objects ? s : s - objects;
    if (s >= objects && surfaces[s].mesh.vertices.empty()) continue;
    DrawnObject object;
    object.geometry = std::move(surfaces[s]);
    if (i < scene_.looks.size()) object.look = scene_.looks[i];
    if (object.look.place.over_time()) object.place = object.look.place.at(frame.header.time);
    const float spacing = i < scene_.world.objects.size() ? scene_.world.objects[i].spacing : 0;
    object.radius = 0.5f * (spacing > 0 ? spacing : scene_.world.spacing);
    if (view_.by_object()) {
      if (is_clear(object.look) || glows(object.look) || !object.look.sequence.empty()) {
        LookSetup plain;
        plain.look = Look::paint;
        plain.skin = object.look.skin;
        object.look = plain;
      }
      object.look.colour = object_colour(static_cast<Index>(i));
    } else if (setup_.coloured) {
      object.colouring = ColumnColouring{scene_.picture.colour_by, view_.legend()};
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
  for (const LookSetup& look : scene_.looks) text += "look " + text_of(look);
  for (const std::optional<LookSetup>& look : scene_.solid_looks) text += look ? "solid " + text_of(*look) : "solid\n";
  for (const FlameSetup& flame : scene_.flames)
    text += fmt::format("flame {}{}{}\n", text_of(flame.position), text_of(flame.height), text_of(flame.on));
  return text + setup_.settings;
}

std::vector<float> FinishedPictures::moments() const {
  const PictureSetup& picture = scene_.picture;
  if (picture.shutter == 0) return {0};
  std::vector<float> moments;
  const auto open = static_cast<float>(picture.shutter / scene_.frames_per_second);
  const auto all = static_cast<float>(picture.shutter_samples);
  for (int k = 0; k != picture.shutter_samples; ++k)
    moments.push_back(open * ((static_cast<float>(k) + 0.5f) / all - 0.5f));
  return moments;
}

/// Draws the scene at its next moment, or what of it glows.
void FinishedPictures::draw_scene(Pending& pending, const PovrayScene& scene) const {
  // Only what glows is blurred anyway.
  const int part = scene.only_glow ? 2 : 1;
  const int width = std::max(1, scene_.picture.width / part), height = std::max(1, scene_.picture.height / part);
  OutputFile file(pending.pov, OutputFile::Start::empty);
  file.write(povray_text(scene, width, height));
  file.close();
  // A picture to which something is added later has a temporary name until then.
  const fs::path png = picture(pending.frame).replace_extension(complete(pending.scene) ? ".png" : ".plain.png");
  pending.job = std::make_unique<PovrayJob>(pending.pov, png, width, height, pending.threads);
}

bool FinishedPictures::complete(const PovrayScene& scene) const {
  return !setup_.coloured && scene_.picture.shutter == 0 && !blooms(scene);
}

bool FinishedPictures::blooms(const PovrayScene& scene) const {
  if (setup_.coloured || scene.flat) return false;
  return !scene.flames.empty() || std::ranges::any_of(scene.objects, [](const DrawnObject& object) {
    return glows(object.look) && !object.geometry.mesh.vertices.empty();
  });
}

FinishedPictures::Pending FinishedPictures::start(int frame, int threads) const {
  const Frame state = read_frame_with(layout_.frame(frame), scene_, view_.columns());
  Pending pending{frame, picture(frame).replace_extension(".pov"), nullptr, scene_of(state), threads, moments()};
  const float moment = pending.moments.back();
  pending.moments.pop_back();
  draw_scene(pending, moment == 0 ? pending.scene : moved(pending.scene, moment));
  return pending;
}

void FinishedPictures::finish(Pending pending) const {
  const auto drawn = [&] {
    pending.job->finish();
    Image image = read_png(pending.job->picture().string());
    std::error_code ignored;
    fs::remove(pending.job->picture(), ignored);
    return image;
  };
  std::error_code ignored;
  if (complete(pending.scene)) {
    pending.job->finish();
    fs::remove(pending.pov, ignored);
    return;
  }
  std::vector<Image> moments = {drawn()};
  for (; !pending.moments.empty(); pending.moments.pop_back()) {
    draw_scene(pending, moved(pending.scene, pending.moments.back()));
    moments.push_back(drawn());
  }
  Image image = mean_of(moments);
  if (blooms(pending.scene)) {
    PovrayScene dark = pending.scene;
    dark.only_glow = true;
    draw_scene(pending, dark);
    add_bloom(image, drawn());
  }
  if (setup_.coloured && !view_.by_object()) draw_legend(image, Font(), view_.legend());
  write_png(image, picture(pending.frame).string());
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
  // The moments of motion blur are drawn one after the other, each by all threads.
  const int together = scene_.picture.shutter > 0 ? 1 : std::clamp(static_cast<int>(missing.size()), 1, threads);
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
    } catch (...) {
      drop_all();
      throw;
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
