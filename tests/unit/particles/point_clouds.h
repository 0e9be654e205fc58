#pragma once
// Clouds of points on which neighbour searches are compared.

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/random.h"
#include "particles/neighbours.h"

namespace fondue {

struct PointCloud {
  std::string name;
  std::vector<Vec3> positions;
  std::vector<float> supports;
  std::vector<Index> ids;

  PointSet points() const { return {positions, supports, ids}; }
  std::size_t size() const { return positions.size(); }
  void add(const Vec3& x, float R) {
    positions.push_back(x);
    supports.push_back(R);
    // An odd multiplier visits every number once: unique, but not in the order of storage.
    ids.push_back(Index(ids.size() + 1) * 2654435761u);
  }
};

inline PointCloud random_cloud(std::size_t count, float R, std::uint64_t seed = 1) {
  PointCloud cloud{"random", {}, {}, {}};
  for (std::size_t i = 0; i != count; ++i) cloud.add(random_point(seed, i) - Vec3::Constant(0.5f), R);
  return cloud;
}

inline PointCloud planar_cloud() {
  PointCloud cloud = random_cloud(2000, 0.05f, 2);
  cloud.name = "planar";
  for (Vec3& x : cloud.positions) x.z() = 0;
  return cloud;
}

/// Most particles in a few tight crowds, much smaller than a support.
inline PointCloud clustered_cloud() {
  PointCloud cloud{"clustered", {}, {}, {}};
  for (Index i = 0; i != 1500; ++i) {
    const Vec3 centre = random_point(3, i % 7);
    cloud.add(centre + 0.02f * std::pow(random_unit(4, i), 4.0f) * random_point(5, i), 0.01f);
  }
  return cloud;
}

/// Many particles in exactly one place, and two more such places nearby.
inline PointCloud coincident_cloud() {
  PointCloud cloud{"coincident", {}, {}, {}};
  for (Index i = 0; i != 300; ++i) cloud.add(Vec3(0.3f + 0.05f * float(i % 3), -0.1f, 0.7f), 0.06f);
  return cloud;
}

/// A body at the origin, single particles flung in all directions, and pairs far away that are still neighbours.
inline PointCloud far_flung_cloud() {
  PointCloud cloud = random_cloud(800, 0.15f, 6);
  cloud.name = "far_flung";
  for (const float far : {1e3f, 1e7f, 1e18f, 1e30f, -1e30f, 3e38f, -3e38f}) {
    cloud.add(Vec3(far, 0, 0), 0.15f);
    cloud.add(Vec3(0.1f, far, far), 0.15f);
    cloud.add(Vec3(far, far, far), 0.15f);
    cloud.add(Vec3(far, far, far), 0.15f);
  }
  // Around 1e6 m floats are 0.0625 m apart: neighbours one step away, beyond the clamp of the cells.
  const Vec3 away(1e6f, -1e6f, 1e6f);
  for (int k = 0; k != 4; ++k) cloud.add(away + Vec3(0.0625f * float(k), 0, 0), 0.15f);
  for (int k = 1; k != 4; ++k) cloud.add(away + Vec3(0, 0.0625f * float(k), 0.0625f), 0.15f);
  // Across the clamp, at 2^20 supports.
  for (int k = -8; k != 8; ++k) {
    const float at = 0.15f * 0x1p20f + 0.0625f * float(k);
    cloud.add(Vec3(at, -at, 0), 0.15f);
    cloud.add(Vec3(0, 0, -at), 0.15f);
  }
  return cloud;
}

/// Supports from 0.004 to 0.2 (1:50), mixed everywhere.
inline PointCloud mixed_cloud() {
  PointCloud cloud{"mixed", {}, {}, {}};
  for (Index i = 0; i != 2000; ++i) {
    const float u = random_unit(8, i);
    cloud.add(random_point(7, i), 0.004f * std::pow(50.0f, u * u * u));
  }
  return cloud;
}

/// Particles without support among others: they see only through the others.
inline PointCloud supportless_cloud() {
  PointCloud cloud = random_cloud(1000, 0.1f, 9);
  cloud.name = "supportless";
  for (std::size_t i = 0; i < cloud.size(); i += 3) cloud.supports[i] = 0;
  return cloud;
}

/// Pairs at r = R (1 +- eps), or the float next to it, along axes and in random directions. The first of each is within
/// rounding of a multiple of R, where cells begin whether or not they are a little wider than R.
inline PointCloud edge_cloud() {
  PointCloud cloud{"edge", {}, {}, {}};
  const float R = 0.1f;
  for (Index i = 0; i != 2000; ++i) {
    const float extent = std::array{6.0f, 6.0f, 40.0f, 4000.0f}[i / 3 % 4];
    const Vec3 cell = ((random_point(10, i) - Vec3::Constant(0.5f)) * extent).array().round();
    const Vec3 x = R * cell * (1 + 2e-6f * (random_unit(11, i) - 0.5f));
    Vec3 direction = (random_point(12, i) - Vec3::Constant(0.5f)).normalized();
    if (i % 4 < 3) direction = Vec3::Unit(i % 3) * (i % 5 < 3 ? 1 : -1);
    const float eps = 1e-6f * (float(i % 7) - 3);
    cloud.add(x, R);
    cloud.add(x + R * (1 + eps) * direction, R);
  }
  return cloud;
}

inline std::vector<PointCloud> all_clouds() {
  PointCloud none{"none", {}, {}, {}}, one{"one", {}, {}, {}};
  one.add(Vec3(1, 2, 3), 0.5f);
  PointCloud all_in_one_cell = random_cloud(600, 10, 14), no_support = random_cloud(50, 0, 15);
  all_in_one_cell.name = "all_in_one_cell";
  no_support.name = "no_support";
  return {none,
          one,
          random_cloud(3000, 0.1f),
          planar_cloud(),
          clustered_cloud(),
          coincident_cloud(),
          far_flung_cloud(),
          mixed_cloud(),
          supportless_cloud(),
          edge_cloud(),
          all_in_one_cell,
          no_support};
}

/// The same particles stored in another order.
inline PointCloud shuffled(const PointCloud& cloud) {
  std::vector<Index> order(cloud.size());
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_bits(99, i) % i]);
  PointCloud other{cloud.name, {}, {}, {}};
  for (const Index i : order) {
    other.positions.push_back(cloud.positions[i]);
    other.supports.push_back(cloud.supports[i]);
    other.ids.push_back(cloud.ids[i]);
  }
  return other;
}

}  // namespace fondue
