#include "surface/bonds.h"

#include <algorithm>
#include <cmath>

#include "shapes/point_grid.h"

namespace fondue {
namespace {

struct Search {
  const std::vector<Vec3>& particles;
  std::span<const float> supports;
  float largest_support;
};

/// The bonds of x, or none if particles beyond the grid's reach might contribute.
std::vector<Bonds::Bond> bonds_of(const Vec3& x, const Search& search, const PointGrid& grid, float reach) {
  std::vector<std::pair<float, Index>> near;
  grid.visit(x, reach, [&](Index p, float squared) { near.emplace_back(std::sqrt(squared), p); });
  const std::size_t fewest = std::min(fewest_bonds, search.particles.size());
  if (near.size() < fewest) return {};
  std::ranges::nth_element(near, near.begin() + (fewest - 1));
  const float d = near[fewest - 1].first;
  if (std::max(search.largest_support, d + search.largest_support / 2) > reach) return {};
  std::vector<Bonds::Bond> bonds;
  for (const auto& [r, p] : near) {
    const float h = std::max(search.supports[p], d + search.supports[p] / 2);
    const float s = 1 - r * r / (h * h);
    if (s > 0) bonds.push_back({p, s * s * s});
  }
  std::ranges::sort(bonds, {}, &Bonds::Bond::particle);
  return bonds;
}

}  // namespace

Bonds find_bonds(std::span<const Vec3> points, const std::vector<Vec3>& particles, std::span<const float> supports) {
  const Search search{particles, supports, std::ranges::max(supports)};
  std::vector<std::vector<Bonds::Bond>> found(points.size());
  std::vector<Index> waiting(points.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = static_cast<Index>(i);
  for (float reach = 1.5f * search.largest_support; !waiting.empty(); reach *= 2) {
    const PointGrid grid(particles, reach);
    parallel_for(waiting.size(),
                 [&](std::size_t w) { found[waiting[w]] = bonds_of(points[waiting[w]], search, grid, reach); });
    std::erase_if(waiting, [&](Index point) { return !found[point].empty(); });
  }
  Bonds bonds;
  bonds.offsets.assign(1, 0);
  for (const auto& own : found) bonds.offsets.push_back(bonds.offsets.back() + own.size());
  bonds.all.resize(bonds.offsets.back());
  parallel_for(points.size(), [&](std::size_t i) {
    std::ranges::copy(found[i], bonds.all.begin() + static_cast<std::ptrdiff_t>(bonds.offsets[i]));
  });
  return bonds;
}

}  // namespace fondue
