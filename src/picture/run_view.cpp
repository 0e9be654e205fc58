#include "picture/run_view.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bodies/body.h"
#include "cache/column_choice.h"
#include "cache/recomputed.h"
#include "core/error.h"
#include "core/parallel.h"
#include "shapes/construction.h"
#include "world/world.h"

namespace fondue {
namespace {

ColumnView column_named(const Particles& particles, const std::string& name, const std::string& where) {
  std::string known;
  for (const ColumnView& column : particles.columns()) {
    if (column.name == name) return column;
    known += (known.empty() ? "" : ", ") + column.name;
  }
  throw InputError(fmt::format("{}: picture.colour_by is '{}', which nothing in this scene makes; the frames have {}",
                               where, name, known));
}

/// Extends a range by these values, without the outermost percent.
void widen(float& low, float& high, std::vector<float> values) {
  std::erase_if(values, [](float value) { return !std::isfinite(value); });
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  low = std::min(low, values[values.size() / 100]);
  high = std::max(high, values[values.size() - 1 - values.size() / 100]);
}

/// Around matter and solids where they are at the start, as far again as they reach.
Box surroundings_of(const WorldSetup& world, const Box& extent) {
  Box all = extent;
  for (const ColliderSetup& collider : world.colliders)
    if (const Box box = collider.shape->bounds(); box.finite() && collider.container.empty()) {
      const Pose pose = pose_at(collider.motion, 0);
      const float reach = 0.5f * box.size().norm();
      const Vec3 centre = pose.to_world(box.centre());
      all.add(Box{centre, centre}.grown(reach));
    }
  return all.empty() ? all : all.grown(all.size().maxCoeff());
}

}  // namespace

RunView::RunView(const Scene& scene, const RunLayout& layout, const std::vector<int>& frames, bool coloured,
                 Damaged damaged)
    : dimension_(scene.world.dimension),
      colour_by_(scene.picture.colour_by),
      coloured_(coloured),
      by_object_(coloured && scene.picture.colour_by == "object"),
      picture_(scene.picture),
      bounds_(extent_of(scene.world)) {
  const PictureSetup& picture = picture_;
  surroundings_ = surroundings_of(scene.world, bounds_);
  // A few frames determine the range and, in a scene without containers, the extent.
  const std::size_t stride = std::max<std::size_t>(1, frames.size() / 12);
  for (std::size_t k = 0; k < frames.size(); k += stride) {
    const std::filesystem::path path = layout.frame(frames[k]);
    std::optional<Frame> frame;
    try {
      frame = read_frame_with(path, scene, columns());
    } catch (const InputError&) {
      if (damaged == Damaged::report) throw;
    }
    if (frame) look_at(*frame, path.string(), coloured);
  }
  floor_ = bounds_.min.z();
  for (const ColliderSetup& collider : scene.world.colliders) {
    const Box box = collider.shape->bounds();
    if (!collider.visible || !collider.container.empty() || !box.finite()) continue;
    const Pose pose = pose_at(collider.motion, 0);
    for (const float x : {box.min.x(), box.max.x()})
      for (const float y : {box.min.y(), box.max.y()})
        for (const float z : {box.min.z(), box.max.z()}) floor_ = std::min(floor_, pose.to_world(Vec3(x, y, z)).z());
  }
  for (std::size_t c = 0; c != scene.world.colliders.size(); ++c)
    if (const std::optional<float> height = level_ground(scene, c)) floor_ = std::max(floor_, *height);
  const bool given = picture.max > picture.min;
  legend_.min = given ? picture.min : low_;
  legend_.max = given ? picture.max : high_;
  legend_.map = picture.map;
  camera_ = default_camera(bounds_, dimension_, static_cast<float>(picture.width) / static_cast<float>(picture.height));
}

std::optional<float> level_ground(const Scene& scene, std::size_t collider) {
  const ColliderSetup& setup = scene.world.colliders[collider];
  if (!setup.visible || !setup.motion.still() || !setup.container.empty()) return std::nullopt;
  if (collider < scene.solid_looks.size() && scene.solid_looks[collider]) return std::nullopt;
  const std::optional<Construction> plane = setup.shape->construction();
  if (!plane || plane->kind != Construction::Kind::half_space) return std::nullopt;
  const Pose pose = pose_at(setup.motion, 0);
  const Vec3d normal = pose.rotation * plane->b.cast<double>();
  if (!(normal.z() > 0.99999)) return std::nullopt;
  return pose.to_world(plane->a).z();
}

std::vector<std::string> RunView::columns() const {
  return coloured_ && !by_object_ ? std::vector{colour_by_} : std::vector<std::string>{};
}

Camera RunView::camera(double time) const {
  Camera camera = camera_;
  if (picture_.eye && picture_.target) {
    camera.eye = picture_.eye->at(time);
    camera.target = picture_.target->at(time);
    camera.field_of_view = picture_.field_of_view.at(time);
  }
  const float turned = picture_.orbit.at(time) * std::numbers::pi_v<float> / 180;
  if (turned != 0) camera.eye = camera.target + Eigen::AngleAxisf(turned, camera.up) * (camera.eye - camera.target);
  return camera;
}

std::string RunView::camera_text() const {
  std::string text;
  const auto add = [&](const char* name, const auto& keyable) {
    text += fmt::format("{} {}{}", name, static_cast<int>(keyable.curve().interpolation()),
                        keyable.curve().repeats() ? " repeats" : "");
    for (std::size_t k = 0; k != keyable.values().size(); ++k) {
      text += fmt::format(" {}:", keyable.curve().keys()[k]);
      if constexpr (std::is_same_v<std::decay_t<decltype(keyable.at(0))>, Vec3>)
        text += fmt::format("{} {} {}", keyable.values()[k].x(), keyable.values()[k].y(), keyable.values()[k].z());
      else
        text += fmt::format("{}", keyable.values()[k]);
    }
    text += '\n';
  };
  add("eye", picture_.eye.value_or(camera_.eye));
  add("target", picture_.target.value_or(camera_.target));
  add("field of view", picture_.eye ? picture_.field_of_view : Keyable<float>(camera_.field_of_view));
  add("orbit", picture_.orbit);
  add("aperture", picture_.aperture);
  if (picture_.focus) add("focus", *picture_.focus);
  text += fmt::format("surroundings {} shutter {} {}\n", static_cast<int>(picture_.surroundings), picture_.shutter,
                      picture_.shutter_samples);
  return text + fmt::format("height {}\n", camera_.height);
}

void RunView::look_at(const Frame& frame, const std::string& where, bool coloured) {
  const Particles& particles = frame.particles;
  if (coloured && !by_object_) {
    const ColumnView column = column_named(particles, colour_by_, where);
    widen(low_, high_, colour_values(particles, colour_by_, where));
    legend_.title = column.name == "velocity" ? "speed" : column.name;
    legend_.unit = unit_in(column.unit, dimension_);
  }
  if (particles.has("temperature")) widen(coldest_, hottest_, colour_values(particles, "temperature", where));
  const auto near = [&](const Vec3& x) { return surroundings_.contains(x); };
  const auto all = particles[columns::position];
  const bool few_strays = 2 * std::ranges::count_if(all, near) > static_cast<std::ptrdiff_t>(all.size());
  std::array<std::vector<float>, 3> places;
  for (const Vec3& x : all)
    for (int a = 0; a != 3 && (!few_strays || near(x)); ++a) places[static_cast<std::size_t>(a)].push_back(x[a]);
  for (int a = 0; a != 3; ++a) widen(bounds_.min[a], bounds_.max[a], std::move(places[static_cast<std::size_t>(a)]));
}

std::vector<float> colour_values(const Particles& particles, const std::string& name, const std::string& where) {
  std::vector<float> values;
  find_colour_values(particles, name, where, values);
  return values;
}

void find_colour_values(const Particles& particles, const std::string& name, const std::string& where,
                        std::vector<float>& values) {
  const ColumnView column = column_named(particles, name, where);
  values.resize(particles.size());
  parallel_for(values.size(),
               [&](std::size_t i) { values[i] = static_cast<float>(magnitude(column, static_cast<Index>(i))); });
}

float sphere_radius_over_support(const Scene& scene) {
  // Slightly more than half a spacing, so that a filled body has no gaps.
  return (scene.world.dimension == 2 ? 0.56f : 0.6f) / scene.world.support_ratio;
}

std::vector<float> sphere_radii(const Scene& scene, const Particles& particles) {
  const float over_support = sphere_radius_over_support(scene);
  std::vector<float> radii;
  for (const float R : particles[columns::support]) radii.push_back(over_support * R);
  return radii;
}

const Vec3& object_colour(Index object) {
  static const std::array<Vec3, 6> colours = {Vec3(0.25f, 0.47f, 0.70f), Vec3(0.86f, 0.45f, 0.25f),
                                              Vec3(0.45f, 0.68f, 0.38f), Vec3(0.78f, 0.65f, 0.28f),
                                              Vec3(0.55f, 0.42f, 0.65f), Vec3(0.50f, 0.50f, 0.50f)};
  return colours[object % colours.size()];
}

std::vector<PlacedBox> containers_at(const Scene& scene, const FrameHeader& frame) {
  std::vector<PlacedBox> containers;
  for (const ColliderSetup& collider : scene.world.colliders) {
    if (collider.container.empty() || !collider.visible) continue;
    const Pose pose = saved_pose(frame.state, collider, frame.time);
    containers.push_back(
        {collider.container, pose.rotation.toRotationMatrix().cast<float>(), pose.position.cast<float>()});
  }
  return containers;
}

std::string caption_of(const Scene& scene, const Frame& frame) {
  return fmt::format("{}   t = {:.2f} s   {} particles", scene.name, frame.header.time, frame.particles.size());
}

}  // namespace fondue
