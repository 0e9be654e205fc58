#pragma once
// How pairs are visited. Neighbours of the due particles are found once an evaluation, among particles, boundary
// particles and, in periodic domains, images of both; every pass then gets them as rows with distance and kernels
// filled in. What a pair does is the behaviours' business.

#include <array>
#include <span>
#include <vector>

#include "behaviours/behaviour.h"
#include "core/parallel.h"
#include "particles/neighbours.h"

namespace fondue {

/// Axes along which space repeats itself.
struct Periodicity {
  std::array<bool, 3> axis = {false, false, false};
  Box domain;

  bool any() const { return axis[0] || axis[1] || axis[2]; }
  /// Shortest of the images of a difference of positions.
  Vec3 shortest(Vec3 x_ij) const;
  /// The image of a position inside the domain.
  Vec3 wrapped(Vec3 x) const;
};

class Neighbourhood {
 public:
  Neighbourhood(Kernel kernel, Periodicity periodicity) : kernel_(kernel), periodicity_(periodicity) {}

  /// Finds the neighbours of the particles in rows.
  void find(const Particles& particles, const Walls& walls, std::vector<Index> rows);

  /// Calls visit(row) for every due particle, in parallel; a row is valid during the call.
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    parallel_blocks(rows_.size(), 128, [&](std::size_t begin, std::size_t end) {
      Buffers buffers;
      for (std::size_t k = begin; k != end; ++k) visit(row(k, buffers));
    });
  }

  std::span<const Index> rows() const { return rows_; }
  std::size_t bytes() const;
  const Kernel& kernel() const { return kernel_; }

 private:
  struct Buffers {
    std::vector<Pair> pairs, walls;
  };
  Row row(std::size_t k, Buffers& buffers) const;
  void add_images(float reach);

  Kernel kernel_;
  Periodicity periodicity_;
  std::vector<Index> rows_;
  NeighbourList list_;
  std::span<const Vec3> x_;
  std::span<const float> R_;
  std::span<const Vec3> wall_x_;
  /// Particles, then walls, then images; source_ maps an image to what it is an image of.
  std::vector<Vec3> points_;
  std::vector<float> supports_;
  std::vector<Index> ids_, source_;
  std::vector<std::uint8_t> seeking_;
};

}  // namespace fondue
