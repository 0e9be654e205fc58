#include "picture/frame_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "picture/video.h"
#include "world/colliders.h"
#include "world/world.h"

namespace fondue {

namespace {

/// Colours of objects, in their order; calm and told apart by the colour-blind.
const std::array<Vec3, 6> object_colours = {Vec3(0.25f, 0.47f, 0.70f), Vec3(0.86f, 0.45f, 0.25f),
                                            Vec3(0.45f, 0.68f, 0.38f), Vec3(0.78f, 0.65f, 0.28f),
                                            Vec3(0.55f, 0.42f, 0.65f), Vec3(0.50f, 0.50f, 0.50f)};

/// One number a particle: a column, or the length of a vector.
std::vector<float> values_of(const ColumnView& column, Index count) {
  std::vector<float> values(count);
  for (Index i = 0; i != count; ++i) {
    if (column.type == ColumnView::Type::integer)
      values[i] = static_cast<float>(static_cast<const Index*>(column.data)[i]);
    else if (column.type == ColumnView::Type::number)
      values[i] = static_cast<const float*>(column.data)[i];
    else
      values[i] = Eigen::Map<const Vec3>(static_cast<const float*>(column.data) + 3 * i).norm();
  }
  return values;
}

const ColumnView column_named(const Particles& particles, const std::string& name, const std::string& where) {
  std::string known;
  for (const ColumnView& column : particles.columns()) {
    if (column.name == name) return column;
    known += (known.empty() ? "" : ", ") + column.name;
  }
  throw InputError(fmt::format("{}: picture.colour_by is '{}', but the frames have only {}; add it to output.columns",
                               where, name, known));
}

}  // namespace

struct FramePictures::Colouring {
  bool by_object = false;
  Legend legend;
};

FramePictures::FramePictures(const Scene& scene, const RunLayout& layout, const std::vector<int>& frames)
    : scene_(scene), colouring_(std::make_unique<Colouring>()) {
  const PictureSetup& picture = scene_.picture;
  colouring_->by_object = picture.colour_by == "object";
  Box bounds = extent_of(scene_.world);
  float low = infinity, high = -infinity;
  // A few frames tell the range and, in a scene without containers, how far things spread.
  const std::size_t stride = std::max<std::size_t>(1, frames.size() / 12);
  for (std::size_t k = 0; k < frames.size(); k += stride) {
    const Frame frame = read_frame(layout.frame(frames[k]));
    const std::string where = layout.frame(frames[k]).string();
    if (!colouring_->by_object) {
      const ColumnView column = column_named(frame.particles, picture.colour_by, where);
      std::vector<float> values = values_of(column, frame.particles.size());
      std::erase_if(values, [](float value) { return !std::isfinite(value); });
      std::sort(values.begin(), values.end());
      if (!values.empty()) {
        // The outermost hundredth does not stretch the range.
        low = std::min(low, values[values.size() / 100]);
        high = std::max(high, values[values.size() - 1 - values.size() / 100]);
      }
      colouring_->legend.title = column.name == "velocity" ? "speed" : column.name;
      colouring_->legend.unit = column.unit;
    }
    std::array<std::vector<float>, 3> sorted;
    for (const Vec3& x : frame.particles[columns::position])
      for (int a = 0; a != 3; ++a) sorted[a].push_back(x[a]);
    if (sorted[0].empty()) continue;
    Box spread;
    for (int a = 0; a != 3; ++a) {
      std::sort(sorted[a].begin(), sorted[a].end());
      spread.min[a] = sorted[a][sorted[a].size() / 100];
      spread.max[a] = sorted[a][sorted[a].size() - 1 - sorted[a].size() / 100];
    }
    bounds.add(spread);
  }
  floor_ = bounds.min.z();
  const bool given = picture.max > picture.min;
  colouring_->legend.min = given ? picture.min : low;
  colouring_->legend.max = given ? picture.max : high;
  colouring_->legend.map = picture.map;
  camera_ = default_camera(bounds, scene_.world.dimension,
                           static_cast<float>(picture.width) / static_cast<float>(picture.height));
  if (picture.eye != picture.target) {
    camera_.eye = picture.eye;
    camera_.target = picture.target;
    camera_.field_of_view = picture.field_of_view;
  }
  renderer_ = std::make_unique<PreviewRenderer>(picture.width, picture.height);
}

FramePictures::~FramePictures() = default;

Image FramePictures::draw(const Frame& frame) {
  const Particles& particles = frame.particles;
  std::vector<float> radii;
  // A little more than half a spacing, so that a filled body has no gaps.
  const float in_spacings = scene_.world.dimension == 2 ? 0.56f : 0.6f;
  for (const float R : particles[columns::support]) radii.push_back(in_spacings * R / scene_.world.support_ratio);

  PreviewScene shown;
  shown.positions = particles[columns::position];
  shown.radii = radii;
  std::vector<float> values;
  std::vector<Vec3> colours;
  if (colouring_->by_object) {
    for (const Index o : particles[columns::object]) colours.push_back(object_colours[o % object_colours.size()]);
    shown.colours = colours;
  } else {
    values = values_of(column_named(particles, scene_.picture.colour_by, "frame " + std::to_string(frame.header.frame)),
                       particles.size());
    shown.values = values;
    shown.legend = colouring_->legend;
  }
  shown.solid_positions = frame.solids;
  shown.solid_radius = 0.5f * scene_.world.spacing;
  shown.camera = camera_;
  shown.flat = scene_.world.dimension == 2;
  for (const ColliderSetup& collider : scene_.world.colliders) {
    if (collider.container.empty()) continue;
    const Pose pose = pose_at(collider.motion, frame.header.time);
    if (collider.visible)
      shown.containers.push_back(
          {collider.container, pose.rotation.toRotationMatrix().cast<float>(), pose.position.cast<float>()});
  }
  if (!shown.flat) shown.floor = floor_;
  shown.caption = fmt::format("{}   t = {:.2f} s   {} particles", scene_.name, frame.header.time, particles.size());
  return renderer_->render(shown);
}

void make_pictures(const Scene& scene, const RunLayout& layout, const PictureProgress& progress) {
  const std::vector<int> frames = list_frames(layout);
  if (frames.empty()) throw InputError(layout.frames().string() + " has no frames to draw");
  FramePictures pictures(scene, layout, frames);
  VideoWriter video(layout.video().string(), scene.picture.width, scene.picture.height, scene.frames_per_second);
  Image last;
  for (std::size_t k = 0; k != frames.size(); ++k) {
    last = pictures.draw(read_frame(layout.frame(frames[k])));
    video.add(last);
    if (!progress(static_cast<int>(k + 1), static_cast<int>(frames.size()))) return;
  }
  video.finish();
  write_png(last, layout.picture().string());
}

}  // namespace fondue
