#include "picture/spheres.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "picture/colour_map.h"
#include "picture/hidden.h"

namespace fondue {
namespace {

const Vec3 plain_blue(0.22f, 0.50f, 0.78f);
const Vec3 solid_grey(0.90f, 0.90f, 0.89f);
const Vec3 warning(1.0f, 0.0f, 0.85f);

std::uint32_t pack(const Vec3& colour) {
  const auto byte = [](float c) { return static_cast<std::uint32_t>(std::clamp(c, 0.0f, 1.0f) * 255 + 0.5f); };
  return byte(colour.x()) | byte(colour.y()) << 8 | byte(colour.z()) << 16;
}

void check(const PreviewScene& scene) {
  const std::size_t count = scene.positions.size();
  const auto expect = [&](std::size_t size, const char* what, bool optional) {
    if (size != count && !(optional && size == 0))
      throw InputError(fmt::format("picture: {} {} for {} particles", size, what, count));
  };
  expect(scene.radii.size(), "radii", false);
  expect(scene.values.size(), "values", true);
  expect(scene.colours.size(), "colours", true);
  if (!scene.values.empty() && !scene.legend)
    throw InputError("picture: values need a legend that says how to colour them");
}

/// Colours of all particles, solids after them.
std::vector<std::uint32_t> make_colours(const PreviewScene& scene) {
  const std::size_t count = scene.positions.size();
  std::vector<std::uint32_t> colours(count + scene.solid_positions.size(), pack(solid_grey));
  std::vector<std::uint32_t> table;
  if (!scene.values.empty()) {
    const ColourMap map(scene.legend->map);
    for (int i = 0; i < 1024; ++i) table.push_back(pack(map(static_cast<float>(i) / 1023)));
  }
  parallel_for(count, [&](std::size_t i) {
    if (table.empty()) {
      const Vec3 colour = scene.colours.empty() ? plain_blue : scene.colours[i];
      colours[i] = pack(colour.allFinite() ? colour : warning);
    } else {
      const float t = scene.legend->place(scene.values[i]);
      colours[i] =
          std::isnan(t) ? pack(warning) : table[static_cast<std::size_t>(std::clamp(t, 0.0f, 1.0f) * 1023 + 0.5f)];
    }
  });
  return colours;
}

struct Reach {
  Box view, light;
  double radius_sum = 0;
  std::size_t drawn = 0;
};

Reach join(Reach a, const Reach& b) {
  a.view.add(b.view);
  a.light.add(b.light);
  a.radius_sum += b.radius_sum;
  a.drawn += b.drawn;
  return a;
}

}  // namespace

Spheres make_spheres(const PreviewScene& scene, const ViewFrame& view) {
  check(scene);
  const std::size_t particles = scene.positions.size(), count = particles + scene.solid_positions.size();
  Spheres spheres;
  spheres.colours = make_colours(scene);
  spheres.places.resize(count);
  const auto place = [&](std::size_t i) {
    const bool solid = i >= particles;
    const Vec3 centre = view.to_view(solid ? scene.solid_positions[i - particles] : scene.positions[i]);
    const float radius = solid ? scene.solid_radius : scene.radii[i];
    Reach reach;
    if (!centre.allFinite() || !std::isfinite(radius) || !(radius > 0)) {
      spheres.places[i] = {0, 0, 0, 0};
      return reach;
    }
    spheres.places[i] = {centre.x(), centre.y(), centre.z(), radius};
    if (view.in_picture(centre, radius)) {
      reach.view = Box{centre, centre}.grown(radius);
      const Vec3 turned = view.light * centre;
      reach.light = Box{turned, turned}.grown(radius);
    }
    reach.radius_sum = radius;
    reach.drawn = 1;
    return reach;
  };
  const Reach reach = parallel_reduce(count, Reach{}, place, join);
  spheres.view_bounds = reach.view;
  spheres.light_bounds = reach.light;
  spheres.left_out = count - reach.drawn;
  if (reach.drawn) spheres.mean_radius = static_cast<float>(reach.radius_sum / static_cast<double>(reach.drawn));
  return spheres;
}

std::vector<Index> seen_by_eye(const Spheres& spheres, const ViewFrame& view, int width, int height) {
  std::vector<Outline> outlines(spheres.places.size());
  parallel_for(outlines.size(), [&](std::size_t i) {
    const auto [x, y, z, radius] = spheres.places[i];
    const float scale = 0.5f * static_cast<float>(height) / (view.extent.y() * (view.perspective ? -z : 1));
    const bool drawn = !view.perspective || -z > radius;
    outlines[i] = {0.5f * static_cast<float>(width) + scale * x, 0.5f * static_cast<float>(height) + scale * y,
                   scale * radius, -z, drawn ? radius : 0};
  });
  return not_hidden(outlines, width, height);
}

std::vector<Index> seen_by_light(const Spheres& spheres, const ViewFrame& view) {
  constexpr int size = 512;
  if (spheres.light_bounds.empty()) return {};
  const Vec3 corner = spheres.light_bounds.min, extent = spheres.light_bounds.size();
  const float scale = size / std::max(extent.x(), extent.y());
  std::vector<Outline> outlines(spheres.places.size());
  parallel_for(outlines.size(), [&](std::size_t i) {
    const auto [x, y, z, radius] = spheres.places[i];
    const Vec3 turned = view.light * Vec3(x, y, z) - corner;
    outlines[i] = {scale * turned.x(), scale * turned.y(), scale * radius, -turned.z(), radius};
  });
  return not_hidden(outlines, size, size);
}

}  // namespace fondue
