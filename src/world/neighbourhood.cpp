#include "world/neighbourhood.h"

#include <cmath>

namespace fondue {

Vec3 Periodicity::shortest(Vec3 x_ij) const {
  for (int a = 0; a != 3; ++a)
    if (axis[a]) {
      const float length = domain.max[a] - domain.min[a];
      x_ij[a] -= length * std::nearbyint(x_ij[a] / length);
    }
  return x_ij;
}

Vec3 Periodicity::wrapped(Vec3 x) const {
  for (int a = 0; a != 3; ++a)
    if (axis[a]) {
      const float length = domain.max[a] - domain.min[a];
      x[a] -= length * std::floor((x[a] - domain.min[a]) / length);
      // Rounding may put a value just below the minimum onto the maximum, which is the minimum's image.
      if (x[a] >= domain.max[a]) x[a] = domain.min[a];
    }
  return x;
}

void Neighbourhood::find(const Particles& particles, const Walls& walls, std::vector<Index> rows) {
  rows_ = std::move(rows);
  x_ = particles[columns::position];
  R_ = particles[columns::support];
  wall_x_ = walls.position;
  const std::span<const Index> id = particles[columns::id];
  points_.assign(x_.begin(), x_.end());
  for (const Vec3& x : wall_x_) points_.push_back(periodicity_.wrapped(x));
  // Walls do not look for neighbours themselves, so their support is nothing.
  supports_.assign(R_.begin(), R_.end());
  supports_.resize(points_.size(), 0.0f);
  // Particles come first in a list, in the order of their ids.
  ids_.assign(id.begin(), id.end());
  for (std::size_t b = 0; b != walls.size(); ++b) ids_.push_back(particles.next_id() + static_cast<Index>(b));
  source_.clear();
  if (periodicity_.any()) add_images(*std::max_element(supports_.begin(), supports_.end()));
  seeking_.assign(points_.size(), 0);
  for (const Index i : rows_) seeking_[i] = 1;
  find_neighbours({points_, supports_, ids_, seeking_}, list_);
}

/// Repeats what lies within reach of a periodic side beyond the opposite one, axis after axis so that corners are
/// repeated too.
void Neighbourhood::add_images(float reach) {
  const std::size_t real = points_.size();
  source_.resize(real);
  for (std::size_t k = 0; k != real; ++k) source_[k] = static_cast<Index>(k);
  Index next_id = ids_.empty() ? 0 : *std::max_element(ids_.begin(), ids_.end()) + 1;
  for (int a = 0; a != 3; ++a) {
    if (!periodicity_.axis[a]) continue;
    const float low = periodicity_.domain.min[a], high = periodicity_.domain.max[a];
    const std::size_t before = points_.size();
    for (std::size_t k = 0; k != before; ++k) {
      const float x = points_[k][a];
      for (const float shift : {high - low, low - high}) {
        if (x + shift < low - reach || x + shift > high + reach) continue;
        Vec3 image = points_[k];
        image[a] += shift;
        points_.push_back(image);
        supports_.push_back(supports_[k]);
        source_.push_back(source_[k]);
        ids_.push_back(next_id++);
      }
    }
  }
}

Row Neighbourhood::row(std::size_t k, Buffers& buffers) const {
  const Index i = rows_[k];
  const Index particles = static_cast<Index>(x_.size());
  const float R_i = R_[i];
  buffers.pairs.clear();
  buffers.walls.clear();
  for (Index j : list_.of(i)) {
    if (!source_.empty()) j = source_[j];
    const bool wall = j >= particles;
    const Vec3 difference = x_[i] - (wall ? wall_x_[j - particles] : x_[j]);
    const Vec3 x_ij = source_.empty() ? difference : periodicity_.shortest(difference);
    const float r = x_ij.norm();
    const float R_j = wall ? R_i : R_[j];
    float W = kernel_.W(r, R_i), dW = kernel_.dW(r, R_i);
    if (R_j != R_i) {
      W = 0.5f * (W + kernel_.W(r, R_j));
      dW = 0.5f * (dW + kernel_.dW(r, R_j));
    }
    // Coincident particles have no direction to push each other in.
    const Pair pair{wall ? j - particles : j, x_ij, r, W, r > 0 ? dW / r : 0.0f};
    (wall ? buffers.walls : buffers.pairs).push_back(pair);
  }
  return {i, buffers.pairs, buffers.walls};
}

std::size_t Neighbourhood::bytes() const {
  return list_.bytes() + points_.capacity() * sizeof(Vec3) + supports_.capacity() * sizeof(float) +
         (ids_.capacity() + source_.capacity() + rows_.capacity()) * sizeof(Index);
}

}  // namespace fondue
