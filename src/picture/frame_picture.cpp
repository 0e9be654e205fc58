#include "picture/frame_picture.h"

#include <fmt/format.h>

#include <cstdio>

#include "cache/recomputed.h"
#include "core/error.h"
#include "picture/look.h"
#include "picture/video.h"

namespace fondue {

namespace {

/// One number per vertex: an attribute, or the length of one with several components.
std::vector<float> numbers_of(const Geometry& geometry, const std::string& name) {
  const Geometry::Attribute* attribute = geometry.find(name);
  if (!attribute || attribute->components == 1) return attribute ? attribute->values : std::vector<float>{};
  std::vector<float> lengths(geometry.mesh.vertices.size());
  const auto components = static_cast<std::size_t>(attribute->components);
  for (std::size_t v = 0; v != lengths.size(); ++v)
    lengths[v] = length(std::span(attribute->values).subspan(v * components, components));
  return lengths;
}

}  // namespace

FramePictures::FramePictures(const Scene& scene, const RunLayout& layout, const RunSurfaces& surfaces,
                             PreviewSetup setup)
    : scene_(scene),
      surfaces_(surfaces),
      setup_(setup),
      view_(scene, layout, list_frames(layout), setup.coloured, RunView::Damaged::pass_over) {
  if (scene.world.dimension == 2) setup_.particles = true;
  renderer_ = std::make_unique<PreviewRenderer>(scene.picture.width, scene.picture.height);
}

Image FramePictures::draw(const Frame& frame) {
  PreviewScene shown;
  shown.camera = view_.camera(frame.header.time);
  shown.flat = view_.flat();
  shown.containers = containers_at(scene_, frame.header);
  // A hair above planes and the undersides of solids at its height: of two surfaces in one place both would show.
  if (!shown.flat) shown.floor = view_.floor() + 0.05f * scene_.world.spacing;
  shown.caption = caption_of(scene_, frame);
  const std::vector<Geometry> solids = surfaces_.solids(frame.header);
  for (std::size_t s = 0; s != solids.size(); ++s) {
    if (solids[s].mesh.triangles.empty()) continue;
    if (s < scene_.world.colliders.size() && level_ground(scene_, s)) continue;
    PlacedMesh& mesh = shown.solid_meshes.emplace_back();
    mesh.geometry = &solids[s];
    if (s < scene_.solid_looks.size() && scene_.solid_looks[s]) mesh.colour = look_colour(*scene_.solid_looks[s]);
  }
  return setup_.particles ? draw_particles(frame, shown) : draw_surfaces(frame, shown);
}

Image FramePictures::draw_particles(const Frame& frame, PreviewScene& shown) {
  const Particles& particles = frame.particles;
  const std::vector<float> radii = sphere_radii(scene_, particles);
  shown.positions = particles[columns::position];
  shown.radii = radii;
  std::vector<float> values;
  std::vector<Vec3> colours;
  if (!setup_.coloured || view_.by_object()) {
    for (const Index o : particles[columns::object])
      colours.push_back(setup_.coloured ? object_colour(o) : look_colour(scene_.looks[o]));
    shown.colours = colours;
  } else {
    values = colour_values(particles, scene_.picture.colour_by, fmt::format("frame {}", frame.header.frame));
    shown.values = values;
    shown.legend = view_.legend();
  }
  return renderer_->render(shown);
}

Image FramePictures::draw_surfaces(const Frame& frame, PreviewScene& shown) {
  const std::vector<Geometry> surfaces = surfaces_.drawn(frame);
  const bool by_column = setup_.coloured && !view_.by_object();
  std::vector<std::vector<float>> values(surfaces.size());
  std::vector<Vec3> grains, colours;
  std::vector<float> radii;
  for (std::size_t s = 0; s != surfaces.size(); ++s) {
    // After the geometries of all objects there is mud, which is dark.
    const bool mud = s >= scene_.looks.size();
    const Index o = static_cast<Index>(mud ? s - scene_.looks.size() : s);
    const Vec3 dry = setup_.coloured ? object_colour(o) : look_colour(scene_.looks[o]);
    const Vec3 colour = mud ? wetted(dry, 1) : dry;
    const Geometry& surface = surfaces[s];
    if (surface.mesh.triangles.empty()) {
      const std::vector<float> radius = numbers_of(surface, "radius");
      for (std::size_t k = 0; k != surface.mesh.vertices.size(); ++k) {
        const float r = radius.empty() ? 0.5f * scene_.world.spacing : radius[k];
        // Grains that have sunk into mud are not there.
        if (!(r > 0)) continue;
        grains.push_back(surface.mesh.vertices[k]);
        radii.push_back(r);
        colours.push_back(colour);
      }
      continue;
    }
    if (by_column) values[s] = numbers_of(surface, scene_.picture.colour_by);
    shown.meshes.push_back({&surface, values[s], {}, colour});
  }
  if (by_column) shown.legend = view_.legend();
  shown.positions = grains;
  shown.radii = radii;
  shown.colours = colours;
  return renderer_->render(shown);
}

void make_pictures(const Scene& scene, const RunLayout& layout, const RunSurfaces& surfaces, const PreviewSetup& setup,
                   const PictureProgress& progress) {
  const std::vector<int> there = list_frames(layout);
  if (there.empty()) throw InputError(fmt::format("{} has no frames to draw", layout.frames().string()));
  FramePictures pictures(scene, layout, surfaces, setup);
  std::optional<VideoWriter> video;
  if (!setup.range)
    video.emplace(layout.video().string(), scene.picture.width, scene.picture.height, scene.frames_per_second);
  const auto [first, last] = setup.range.value_or(std::pair(there.front(), there.back()));
  Image picture;
  int left_out = 0;
  for (int frame = first; frame <= last; ++frame) {
    try {
      picture = pictures.draw(read_frame_with(layout.frame(frame), scene, pictures.columns()));
      // Single frames do not replace the picture of the last frame of the run.
      if (video)
        video->add(picture);
      else
        write_png(picture, layout.preview(frame).string());
    } catch (const InputError& error) {
      fmt::print(stderr, "{}\n", error.what());
      ++left_out;
    }
    if (!progress(frame - first + 1, last - first + 1)) return;
  }
  if (video && !picture.rgb.empty()) {
    video->finish();
    write_png(picture, layout.picture().string());
  }
  if (left_out != 0)
    throw InputError(
        fmt::format("{} of {} frames are missing or damaged and were skipped", left_out, last - first + 1));
}

}  // namespace fondue
