#include "picture/spheres.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "picture/colouring.h"
#include "picture/hidden.h"

namespace fondue {
namespace {

struct DrawnSpheres {
  SeenBounds bounds;
  double radius_sum = 0;
  std::size_t drawn = 0;
};

DrawnSpheres join(DrawnSpheres a, const DrawnSpheres& b) {
  a.bounds.add(b.bounds);
  a.radius_sum += b.radius_sum;
  a.drawn += b.drawn;
  return a;
}

}  // namespace

Spheres make_spheres(const PreviewScene& scene, const ViewFrame& view) {
  if (scene.radii.size() != scene.positions.size())
    throw InputError(fmt::format("picture: {} radii for {} particles", scene.radii.size(), scene.positions.size()));
  const std::size_t count = scene.positions.size();
  Spheres spheres;
  spheres.colours = packed_colours({scene.values, scene.colours, plain_blue}, count, "particles", scene.legend);
  spheres.places.resize(count);
  const auto place = [&](std::size_t i) {
    const Vec3 centre = view.to_view(scene.positions[i]);
    const float radius = scene.radii[i];
    DrawnSpheres reach;
    if (!centre.allFinite() || !std::isfinite(radius) || !(radius > 0)) {
      spheres.places[i] = {0, 0, 0, 0};
      return reach;
    }
    spheres.places[i] = {centre.x(), centre.y(), centre.z(), radius};
    if (view.in_picture(centre, radius)) {
      reach.bounds.view = Box{centre, centre}.grown(radius);
      const Vec3 turned = view.light * centre;
      reach.bounds.light = Box{turned, turned}.grown(radius);
    }
    reach.radius_sum = radius;
    reach.drawn = 1;
    return reach;
  };
  const DrawnSpheres reach = parallel_reduce(count, DrawnSpheres{}, place, join);
  spheres.bounds = reach.bounds;
  spheres.left_out = count - reach.drawn;
  if (reach.drawn) spheres.mean_radius = static_cast<float>(reach.radius_sum / static_cast<double>(reach.drawn));
  return spheres;
}

std::vector<Index> seen_by_eye(const Spheres& spheres, const ViewFrame& view, int width, int height) {
  const auto outline = [&](Index i, int columns, int rows) {
    const auto [x, y, z, radius] = spheres.places[i];
    const float scale = 0.5f * static_cast<float>(rows) / (view.extent.y() * (view.perspective ? -z : 1));
    const float left = 0.5f * static_cast<float>(columns) + scale * x,
                low = 0.5f * static_cast<float>(rows) + scale * y;
    if (!view.perspective) return Outline{left, low, scale * radius, -z, radius};
    if (!(-z > radius)) return Outline{left, low, 0, 0, 0};
    // The far end of the projected ellipse (see the equation in the sphere's vertex shader).
    const float R2 = x * x + y * y, A = z * z - radius * radius;
    const float far_end = (-z * std::sqrt(R2) + radius * std::sqrt(A + R2)) / A, middle = std::sqrt(R2) / -z;
    return Outline{left, low, scale * radius, std::sqrt(R2 + z * z), radius, (far_end - middle) * -z / radius};
  };
  // Half the resolution is enough to cull most of them.
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  std::vector<Outline> outlines(spheres.places.size());
  parallel_for(outlines.size(),
               [&](std::size_t i) { outlines[i] = outline(static_cast<Index>(i), half_width, half_height); });
  const std::vector<Index> some = possibly_visible(outlines, half_width, half_height, 3);
  outlines.resize(some.size());
  parallel_for(some.size(), [&](std::size_t k) { outlines[k] = outline(some[k], width, height); });
  std::vector<Index> seen = possibly_visible(outlines, width, height);
  for (Index& k : seen) k = some[k];
  return seen;
}

}  // namespace fondue
