#pragma once
// Columns, slopes and piles of sand, and how they are measured. In two dimensions, up is y.

#include <algorithm>
#include <cmath>
#include <map>

#include "behaviours/fluid.h"
#include "behaviours/sand.h"
#include "support/setups.h"

namespace fondue::testing_support {

/// What a user types for dry or moist sand.
inline std::vector<Track> sand(double angle, double cohesion = 0) {
  return {track("gravity"), track("fluid", {{Fluid::rest_density, 1600}}),
          track("sand", {{Sand::friction_angle, angle}, {Sand::cohesion, cohesion}})};
}

/// A rectangle of sand on a floor that ends at `edge`, behind it a smooth wall at x = 0.
inline WorldSetup sand_on_floor(const ShapePtr& shape, float dx, std::vector<Track> tracks, float edge) {
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("sand", shape, dx, std::move(tracks)));
  setup.domain = Box{Vec3(-1, -0.4f, -1), Vec3(edge + 0.4f, 3, 1)};
  setup.colliders.push_back(solid("floor", rectangle(-0.2f, -0.1f, edge, 0)));
  setup.colliders.push_back(solid("wall", rectangle(-0.2f, 0, 0, 2), 1));
  return setup;
}

/// Where sand that begins at 0 ends: the first gap of two spacings between particles at these distances.
inline float end_of(std::vector<float> distances, float dx) {
  std::ranges::sort(distances);
  float end = 0;
  for (const float at : distances) {
    if (at > end + 2 * dx) break;
    end = at;
  }
  return end;
}

/// Where the sand that begins at x = 0 ends.
inline float run_out_end(const World& world) {
  std::vector<float> x;
  for (const Vec3& p : world.particles()[columns::position])
    if (p.y() > 0) x.push_back(p.x());
  return end_of(std::move(x), world.setup().spacing);
}

/// Angle of the straight line through the surface between two places, in degrees; positive if it falls along x.
inline double slope_between(const World& world, float from, float to) {
  const float dx = world.setup().spacing;
  std::map<int, float> top;
  const auto x = world.particles()[columns::position];
  const auto s = world.particles()[columns::density_ratio];
  for (Index i = 0; i != x.size(); ++i)
    if (x[i].x() > from && x[i].x() < to && s[i] > 0.6f) {
      float& highest = top[static_cast<int>(std::floor(x[i].x() / (1.5f * dx)))];
      highest = std::max(highest, x[i].y());
    }
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [bin, y] : top) {
    const double at = (bin + 0.5) * 1.5 * static_cast<double>(dx), height = static_cast<double>(y);
    n += 1;
    sx += at;
    sy += height;
    sxx += at * at;
    sxy += at * height;
  }
  return -std::atan((n * sxy - sx * sy) / (n * sxx - sx * sx)) * 180 / 3.14159265358979;
}

inline std::map<Index, Vec3> places_of(const World& world) {
  std::map<Index, Vec3> places;
  const auto x = world.particles()[columns::position];
  const auto id = world.particles()[columns::id];
  for (Index i = 0; i != x.size(); ++i) places[id[i]] = x[i];
  return places;
}

/// Farthest and root mean square way of all particles since then, in spacings.
struct Moved {
  float most = 0, mean = 0;
};
inline Moved moved_since(const World& world, const std::map<Index, Vec3>& before) {
  Moved result;
  double sum = 0;
  const std::map<Index, Vec3> now = places_of(world);
  for (const auto& [id, x] : now) {
    const float way = (x - before.at(id)).norm() / world.setup().spacing;
    result.most = std::max(result.most, way);
    sum += static_cast<double>(way * way);
  }
  result.mean = static_cast<float>(std::sqrt(sum / static_cast<double>(now.size())));
  return result;
}

/// Kinetic energy, and the energies that behaviours measure: of gravity, compression and stress [J].
inline double energy_of(const World& world) {
  const auto v = world.particles()[columns::velocity];
  const auto m = world.particles()[columns::mass];
  double energy = 0;
  for (Index i = 0; i != v.size(); ++i)
    energy += 0.5 * static_cast<double>(m[i]) * static_cast<double>(v[i].squaredNorm());
  const std::vector<double> values = world.measure_behaviours();
  const std::vector<Statistic> names = world.behaviour_statistics();
  for (std::size_t k = 0; k != names.size(); ++k)
    if (std::string(names[k].unit) == "J") energy += values[k];
  return energy;
}

}  // namespace fondue::testing_support
