#include "picture/glow.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "picture/look.h"

namespace fondue {
namespace {

/// Clusters along the longest side of the matter, and how many of the brightest are kept.
constexpr float cells = 3;
constexpr std::size_t most_lights = 6;
/// Strength of the bloom, by the width of its blur as a part of the picture's height.
constexpr std::array<std::pair<float, float>, 2> bloom = {{{0.01f, 0.35f}, {0.05f, 0.30f}}};

/// Red, green and blue, linear.
struct LinearImage {
  int width, height;
  std::vector<Vec3> pixels;
};

LinearImage linear_of(const Image& image) {
  LinearImage result{image.width, image.height, {}};
  for (int y = 0; y != image.height; ++y)
    for (int x = 0; x != image.width; ++x) result.pixels.push_back(to_linear(image.colour(x, y)));
  return result;
}

/// The mean over a window of 2 radius + 1 pixels along rows (step 1) or columns (step width).
void blur_lines(LinearImage& image, int radius, bool rows) {
  const int lines = rows ? image.height : image.width, length = rows ? image.width : image.height;
  const int step = rows ? 1 : image.width, next = rows ? image.width : 1;
  std::vector<Vec3> line(static_cast<std::size_t>(length));
  for (int l = 0; l != lines; ++l) {
    const auto at = [&](int k) { return static_cast<std::size_t>(l * next + k * step); };
    for (int k = 0; k != length; ++k) line[static_cast<std::size_t>(k)] = image.pixels[at(k)];
    Vec3 sum = Vec3::Zero();
    const auto value = [&](int k) -> Vec3 {
      return k < 0 || k >= length ? Vec3(Vec3::Zero()) : line[static_cast<std::size_t>(k)];
    };
    for (int k = -radius; k <= radius; ++k) sum += value(k);
    for (int k = 0; k != length; ++k) {
      image.pixels[at(k)] = sum / static_cast<float>(2 * radius + 1);
      sum += value(k + radius + 1) - value(k - radius);
    }
  }
}

/// Three means after each other are close to a Gaussian.
LinearImage blurred(LinearImage image, float width) {
  const int radius = std::max(1, static_cast<int>(std::lround(width)));
  for (int pass = 0; pass != 3; ++pass)
    for (const bool rows : {true, false}) blur_lines(image, radius, rows);
  return image;
}

}  // namespace

std::vector<GlowLight> glow_lights(const DrawnObject& object, const Palette& palette) {
  const Geometry& geometry = object.geometry;
  const TriangleMesh& mesh = geometry.mesh;
  Box box;
  for (const Vec3& x : mesh.vertices)
    if (x.allFinite()) box.add(x);
  if (box.empty() || mesh.triangles.empty() || palette.coloured || !glows(object.look)) return {};
  const float cell = std::max(box.size().maxCoeff() / cells, 1e-6f);
  struct Cluster {
    Vec3 position = Vec3::Zero(), light = Vec3::Zero();
    float area = 0, weight = 0;
  };
  std::map<std::array<int, 3>, Cluster> clusters;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2), x = (a + b + c) / 3;
    if (!x.allFinite()) continue;
    const float area = 0.5f * (b - a).cross(c - a).norm();
    const Vec3 light = glow(palette.shades[palette.of_vertex[mesh.triangles[t][0]]].heat);
    const Vec3 place = (x - box.min) / cell;
    Cluster& cluster =
        clusters[{static_cast<int>(place.x()), static_cast<int>(place.y()), static_cast<int>(place.z())}];
    const float weight = area * light.sum();
    cluster.position += weight * x;
    cluster.weight += weight;
    cluster.light += area * light;
    cluster.area += area;
  }
  std::vector<GlowLight> lights;
  for (const auto& [place, cluster] : clusters) {
    const Vec3 radiance = cluster.light / cluster.area;
    if (!(radiance.maxCoeff() > 0.02f)) continue;
    lights.push_back(
        {cluster.position / cluster.weight, std::sqrt(cluster.area / std::numbers::pi_v<float>), 0.5f * radiance});
  }
  const auto power = [](const GlowLight& light) {
    return light.colour.sum() * light.fade_distance * light.fade_distance;
  };
  std::ranges::stable_sort(lights, std::greater{}, power);
  if (lights.size() > most_lights) lights.resize(most_lights);
  return lights;
}

void add_bloom(Image& picture, const Image& glowing) {
  if (picture.width == 0 || glowing.width == 0) return;
  const LinearImage source = linear_of(glowing);
  std::vector<LinearImage> halos;
  for (const auto& [width, strength] : bloom)
    halos.push_back(blurred(source, width * static_cast<float>(glowing.height)));
  for (int y = 0; y != picture.height; ++y)
    for (int x = 0; x != picture.width; ++x) {
      const int u = x * glowing.width / picture.width, v = y * glowing.height / picture.height;
      Vec3 light = to_linear(picture.colour(x, y));
      for (std::size_t k = 0; k != halos.size(); ++k)
        light += bloom[k].second * halos[k].pixels[static_cast<std::size_t>(v * glowing.width + u)];
      picture.blend(x, y, to_display(light.cwiseMin(1.0f)), 1);
    }
}

}  // namespace fondue
