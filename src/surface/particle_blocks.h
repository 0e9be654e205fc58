#pragma once
// The blocks of a sparse grid that the surface of particles may intersect, and the particles that reach each of them.
//
// A block is inside if it is surrounded by matter: none of the octants of blocks in it and around it is empty, and any
// 2 x 2 x 2 of them are filled to at least 0.6 of their volume (an unfavourably cut lattice gives 0.63). It is not
// evaluated, so gaps narrower than one and a half spacings are not found there. Time and memory are thus proportional
// to the surface, not the volume.

#include "surface/field.h"

namespace fondue {

class ParticleBlocks {
 public:
  /// Particles without a finite position, or farther than a million blocks from the origin, are ignored.
  ParticleBlocks(const SurfaceParticles& particles, float reach_in_supports, float cell);

  const SparseGrid& grid() const { return grid_; }
  /// The particles that reach a block, in an order that is the same for all blocks.
  void near(BlockKey block, std::vector<Index>& list) const;
  /// Non-zero for particles in blocks that are evaluated; the others are surrounded by matter.
  std::vector<std::uint8_t> near_surface() const;

 private:
  struct Occupied {
    BlockKey key;
    /// Range in sorted_.
    Index begin, end;
    /// Volume of the particles in each octant k: upper half along x, y, z for k & 1, k & 2, k & 4.
    std::array<float, 8> octants;
  };
  void sort_particles();
  void list_blocks();
  void find_inside();
  std::array<float, 8> octants(const Occupied& block) const;
  bool surrounded(BlockKey key) const;
  const Occupied* occupied(BlockKey key) const;
  float reach(Index j) const { return reach_in_supports_ * particles_.support[j]; }
  /// Largest distance, in blocks, of a particle that reaches a block.
  std::int32_t blocks_away() const;

  const SurfaceParticles& particles_;
  float reach_in_supports_;
  SparseGrid grid_;
  float reach_ = 0;
  std::vector<Index> sorted_;
  std::vector<Occupied> occupied_;
};

}  // namespace fondue
