#pragma once
// What is seen of matter, as numbers: how close particles are, what matter covers seen from above, how it moved.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "support/setups.h"
#include "world/world.h"

namespace fondue::testing_support {

inline WorldSetup gallery_scene(const std::string& name, const std::vector<Override>& overrides) {
  std::string path = FONDUE_SOURCE_DIR "/scenes/";
  path += name;
  path += ".toml";
  return load_scene(path, overrides).world;
}

/// Distance to one collider now.
inline float distance_to(const World& world, std::size_t collider, const Vec3& x) {
  return world.bodies()[collider].distance(x, world.time());
}

/// How close particles are: the smallest distance of two, and the share of particles that have another within a reach.
struct Closeness {
  float closest = infinity, crowded = 0;
};
inline Closeness closeness(const World& world, float reach) {
  const auto x = world.particles()[columns::position];
  std::vector<Vec3> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
  std::vector<float> nearest(sorted.size(), infinity);
  Closeness result;
  for (std::size_t i = 0; i != sorted.size(); ++i) {
    for (std::size_t j = i + 1; j != sorted.size() && sorted[j].x() - sorted[i].x() < reach; ++j) {
      const float distance = (sorted[j] - sorted[i]).norm();
      nearest[i] = std::min(nearest[i], distance);
      nearest[j] = std::min(nearest[j], distance);
    }
    result.closest = std::min(result.closest, nearest[i]);
    result.crowded += nearest[i] < reach ? 1 : 0;
  }
  result.crowded /= std::max<float>(1, static_cast<float>(sorted.size()));
  return result;
}

inline float largest_speed(const World& world) {
  float largest = 0;
  for (const Vec3& v : world.particles()[columns::velocity]) largest = std::max(largest, v.norm());
  return largest;
}

/// What matter covers seen from above, drawn with discs of a radius.
struct Footprint {
  double area = 0, perimeter = 0, hull_area = 0;
  /// 1 for a disc, more for anything else.
  double roundness() const { return perimeter * perimeter / (4 * M_PI * area); }
  /// 1 for a disc or a straight tongue, less the deeper the bays between lobes.
  double fullness() const { return area / hull_area; }
};

inline Footprint footprint(const World& world, float radius) {
  const auto x = world.particles()[columns::position];
  const float cell = radius / 4;
  Vec3 low = x[0], high = x[0];
  for (const Vec3& p : x) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  low.array() -= 2 * radius;
  high.array() += 2 * radius;
  const int nx = static_cast<int>((high.x() - low.x()) / cell) + 1;
  const int ny = static_cast<int>((high.y() - low.y()) / cell) + 1;
  std::vector<float> inside(static_cast<std::size_t>(nx * ny), -radius);
  for (const Vec3& p : x) {
    const int ci = static_cast<int>((p.x() - low.x()) / cell), cj = static_cast<int>((p.y() - low.y()) / cell);
    for (int i = ci - 5; i <= ci + 6; ++i)
      for (int j = cj - 5; j <= cj + 6; ++j) {
        float& f = inside[static_cast<std::size_t>(i + nx * j)];
        f = std::max(f, radius - std::hypot(low.x() + i * cell - p.x(), low.y() + j * cell - p.y()));
      }
  }
  // Marching squares: every cell's corners in order, the part of it inside and the line that bounds it.
  Footprint result;
  std::vector<Eigen::Vector2d> outline;
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j) {
      const int at[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
      std::vector<Eigen::Vector2d> polygon, crossings;
      for (int k = 0; k != 4; ++k) {
        const auto* a = at[k];
        const auto* b = at[(k + 1) % 4];
        const float fa = inside[static_cast<std::size_t>(a[0] + nx * a[1])];
        const float fb = inside[static_cast<std::size_t>(b[0] + nx * b[1])];
        const Eigen::Vector2d pa(a[0], a[1]), pb(b[0], b[1]);
        if (fa > 0) polygon.push_back(pa);
        if ((fa > 0) == (fb > 0)) continue;
        crossings.push_back(pa + (pb - pa) * (fa / (fa - fb)));
        polygon.push_back(crossings.back());
      }
      for (std::size_t k = 0; k != polygon.size(); ++k) {
        const auto &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        result.area += 0.5 * (a.x() * b.y() - a.y() * b.x());
      }
      for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
        result.perimeter += (crossings[k + 1] - crossings[k]).norm();
      outline.insert(outline.end(), crossings.begin(), crossings.end());
    }
  // Convex hull of the outline, one chain below and one above.
  std::sort(outline.begin(), outline.end(),
            [](const auto& a, const auto& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  const auto turn = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
  };
  const auto chain = [&](auto begin, auto end) {
    std::vector<Eigen::Vector2d> hull;
    for (auto p = begin; p != end; ++p) {
      while (hull.size() > 1 && turn(hull[hull.size() - 2], hull.back(), *p) <= 0) hull.pop_back();
      hull.push_back(*p);
    }
    for (std::size_t k = 0; k + 1 < hull.size(); ++k)
      result.hull_area += 0.5 * (hull[k].x() * hull[k + 1].y() - hull[k].y() * hull[k + 1].x());
  };
  chain(outline.begin(), outline.end());
  chain(outline.rbegin(), outline.rend());
  const double size = cell;
  result.area *= size * size;
  result.hull_area *= size * size;
  result.perimeter *= size;
  return result;
}

/// Mean of a number over the particles that a condition takes, and how many they are.
struct Share {
  double mean = 0, count = 0;
};
inline Share mean_where(const World& world, const std::function<bool(const Vec3&)>& takes, std::span<const float> of) {
  const auto x = world.particles()[columns::position];
  Share share;
  for (std::size_t i = 0; i != x.size(); ++i)
    if (takes(x[i])) {
      share.mean += of[i];
      share.count += 1;
    }
  if (share.count > 0) share.mean /= share.count;
  return share;
}

}  // namespace fondue::testing_support
