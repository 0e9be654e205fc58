#include "picture/frame_picture.h"

#include <fmt/format.h>

#include "core/error.h"
#include "picture/video.h"

namespace fondue {

FramePictures::FramePictures(const Scene& scene, const RunLayout& layout, const std::vector<int>& frames)
    : scene_(scene), view_(scene, layout, frames, true) {
  renderer_ = std::make_unique<PreviewRenderer>(scene.picture.width, scene.picture.height);
}

Image FramePictures::draw(const Frame& frame) {
  const Particles& particles = frame.particles;
  const std::vector<float> radii = sphere_radii(scene_, particles);
  PreviewScene shown;
  shown.positions = particles[columns::position];
  shown.radii = radii;
  std::vector<float> values;
  std::vector<Vec3> colours;
  if (view_.by_object()) {
    for (const Index o : particles[columns::object]) colours.push_back(object_colour(o));
    shown.colours = colours;
  } else {
    values = colour_values(particles, scene_.picture.colour_by, fmt::format("frame {}", frame.header.frame));
    shown.values = values;
    shown.legend = view_.legend();
  }
  shown.solid_positions = frame.solids;
  shown.solid_radius = 0.5f * scene_.world.spacing;
  shown.camera = view_.camera();
  shown.flat = view_.flat();
  shown.containers = containers_at(scene_, frame.header.time);
  if (!shown.flat) shown.floor = view_.floor();
  shown.caption = caption_of(scene_, frame);
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
