#pragma once
// Which blocks of a sparse grid the surface of particles may pass through, and which particles reach each of them.
//
// A block is full if each of its eighths holds at least half of the matter it has room for. One that is full all
// around, as are its 26 neighbours, lies deep inside: it is not evaluated, and bubbles smaller than a spacing or two
// are not looked for there. So time and memory go with the surface and not with the volume.

#include "surface/field.h"

namespace fondue {

class ParticleBlocks {
 public:
  /// Particles without a finite place, or further than a million blocks from the origin, are left out.
  ParticleBlocks(const SurfaceParticles& particles, float reach_in_supports, float cell);

  const SparseGrid& grid() const { return grid_; }
  /// The particles that reach a block, in an order that is the same for all blocks.
  void near(BlockKey block, std::vector<Index>& list) const;
  /// Non-zero for the particles in blocks that are evaluated; those in others have matter all around.
  std::vector<std::uint8_t> near_surface() const;

 private:
  struct Occupied {
    BlockKey key;
    /// Of sorted_.
    Index begin, end;
    /// Bit k: the eighth with the upper half along x, y, z for k & 1, k & 2, k & 4.
    std::uint8_t full;
  };
  void sort_particles();
  void list_blocks();
  void find_inside();
  std::uint8_t full_eighths(const Occupied& block) const;
  const Occupied* occupied(BlockKey key) const;
  float reach(Index j) const { return reach_in_supports_ * particles_.support[j]; }
  /// How many blocks away a particle may be that reaches one.
  std::int32_t blocks_away() const;

  const SurfaceParticles& particles_;
  float reach_in_supports_;
  SparseGrid grid_;
  float reach_ = 0;
  std::vector<Index> sorted_;
  std::vector<Occupied> occupied_;
};

}  // namespace fondue
