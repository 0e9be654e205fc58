#include "surface/particle_blocks.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

namespace {

constexpr float full_enough = 0.6f;

std::int32_t block_coordinate(float x, float width) {
  const float c = std::floor(x / width);
  return static_cast<std::int32_t>(std::clamp(c, -float(BlockKey::most), float(BlockKey::most)));
}

}  // namespace

ParticleBlocks::ParticleBlocks(const SurfaceParticles& particles, float reach_in_supports, float cell)
    : particles_(particles), reach_in_supports_(reach_in_supports), grid_{cell, {}, {}} {
  const float furthest = grid_.width() * float(BlockKey::most - 1);
  for (Index j = 0; j != particles.size(); ++j) {
    if (!(particles.position[j].cwiseAbs().maxCoeff() < furthest) || !(reach(j) < furthest)) continue;
    sorted_.push_back(j);
    reach_ = std::max(reach_, reach(j));
  }
  sort_particles();
  list_blocks();
  if (particles.dimension == 3) find_inside();
}

void ParticleBlocks::sort_particles() {
  const float width = grid_.width();
  std::vector<std::pair<BlockKey, Index>> entries(sorted_.size(), {BlockKey(0, 0, 0), 0});
  parallel_for(entries.size(), [&](std::size_t k) {
    const Vec3& x = particles_.position[sorted_[k]];
    entries[k] = {
        BlockKey(block_coordinate(x.x(), width), block_coordinate(x.y(), width), block_coordinate(x.z(), width)),
        sorted_[k]};
  });
  tbb::parallel_sort(entries.begin(), entries.end());
  for (Index k = 0; k != entries.size(); ++k) {
    sorted_[k] = entries[k].second;
    if (k == 0 || entries[k].first != entries[k - 1].first) occupied_.push_back({entries[k].first, k, k, {}});
    occupied_.back().end = k + 1;
  }
}

void ParticleBlocks::list_blocks() {
  const float width = grid_.width();
  for (const Occupied& block : occupied_) {
    Box box;
    for (Index k = block.begin; k != block.end; ++k) {
      const Vec3 around = Vec3::Constant(reach(sorted_[k]));
      box.add(particles_.position[sorted_[k]] - around);
      box.add(particles_.position[sorted_[k]] + around);
    }
    // Blocks are closed: a particle that reaches only the face of one counts.
    std::int32_t low[3], high[3];
    for (int a = 0; a != 3; ++a) {
      low[a] = block_coordinate(box.min[a] - 1e-3f * width, width);
      high[a] = block_coordinate(box.max[a] + 1e-3f * width, width);
    }
    for (std::int32_t z = low[2]; z <= high[2]; ++z)
      for (std::int32_t y = low[1]; y <= high[1]; ++y)
        for (std::int32_t x = low[0]; x <= high[0]; ++x) grid_.blocks.emplace_back(x, y, z);
  }
  tbb::parallel_sort(grid_.blocks.begin(), grid_.blocks.end());
  grid_.blocks.erase(std::unique(grid_.blocks.begin(), grid_.blocks.end()), grid_.blocks.end());
  grid_.inside.assign(grid_.blocks.size(), 0);
}

void ParticleBlocks::find_inside() {
  parallel_for(occupied_.size(), [&](std::size_t b) { occupied_[b].octants = octants(occupied_[b]); });
  parallel_for(grid_.blocks.size(), [&](std::size_t b) { grid_.inside[b] = surrounded(grid_.blocks[b]); });
}

std::array<float, 8> ParticleBlocks::octants(const Occupied& block) const {
  std::array<float, 8> volume{};
  const Vec3 middle = grid_.corner(block.key, 0, 0, 0) + Vec3::Constant(0.5f * grid_.width());
  for (Index k = block.begin; k != block.end; ++k) {
    const Vec3& x = particles_.position[sorted_[k]];
    volume[(x.x() > middle.x()) + 2 * (x.y() > middle.y()) + 4 * (x.z() > middle.z())] += particles_.volume[sorted_[k]];
  }
  return volume;
}

bool ParticleBlocks::surrounded(BlockKey key) const {
  // The octants of the block and those around it, four along each axis.
  float volume[4][4][4];
  for (int k = 0; k != 27; ++k) {
    const int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const Occupied* block = occupied({key.x() + d[0], key.y() + d[1], key.z() + d[2]});
    if (!block) return false;
    for (int octant = 0; octant != 8; ++octant) {
      int at[3];
      bool around = true;
      for (int a = 0; a != 3; ++a) {
        at[a] = 1 + 2 * d[a] + (octant >> a & 1);
        around &= at[a] >= 0 && at[a] < 4;
      }
      if (!around) continue;
      if (!(block->octants[octant] > 0)) return false;
      volume[at[2]][at[1]][at[0]] = block->octants[octant];
    }
  }
  const float room = grid_.width() * grid_.width() * grid_.width();
  for (int k = 0; k != 27; ++k) {
    float sum = 0;
    for (int octant = 0; octant != 8; ++octant)
      sum += volume[k / 9 + (octant >> 2)][k / 3 % 3 + (octant >> 1 & 1)][k % 3 + (octant & 1)];
    if (sum < full_enough * room) return false;
  }
  return true;
}

std::int32_t ParticleBlocks::blocks_away() const {
  return static_cast<std::int32_t>(std::ceil(reach_ / grid_.width()));
}

std::vector<std::uint8_t> ParticleBlocks::near_surface() const {
  std::vector<std::uint8_t> result(particles_.size(), 0);
  parallel_for(occupied_.size(), [&](std::size_t b) {
    const bool evaluated = !grid_.inside[grid_.find(occupied_[b].key)];
    for (Index k = occupied_[b].begin; k != occupied_[b].end; ++k) result[sorted_[k]] = evaluated;
  });
  return result;
}

const ParticleBlocks::Occupied* ParticleBlocks::occupied(BlockKey key) const {
  const auto found = std::lower_bound(occupied_.begin(), occupied_.end(), key,
                                      [](const Occupied& block, BlockKey k) { return block.key < k; });
  return found != occupied_.end() && found->key == key ? &*found : nullptr;
}

void ParticleBlocks::near(BlockKey block, std::vector<Index>& list) const {
  list.clear();
  const std::int32_t far = blocks_away();
  const Vec3 low = grid_.corner(block, 0, 0, 0), high = grid_.corner(block, block_cells, block_cells, block_cells);
  for (std::int32_t z = -far; z <= far; ++z)
    for (std::int32_t y = -far; y <= far; ++y)
      for (std::int32_t x = -far; x <= far; ++x) {
        const Occupied* other = occupied({block.x() + x, block.y() + y, block.z() + z});
        if (!other) continue;
        for (Index k = other->begin; k != other->end; ++k) {
          const Vec3& centre = particles_.position[sorted_[k]];
          const float far_enough = reach(sorted_[k]);
          const Vec3 outside = (low - centre).cwiseMax(centre - high).cwiseMax(0.0f);
          if (outside.squaredNorm() < far_enough * far_enough) list.push_back(sorted_[k]);
        }
      }
}

}  // namespace fondue
