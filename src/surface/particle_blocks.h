#pragma once
// Which blocks of a sparse grid the surface of particles may pass through, and which particles reach each of them.
//
// A block lies inside if there is matter all around: none of the eighths of blocks in it and around it is empty, and
// any eight of them that form a cube hold at least 0.6 of the matter they have room for (a lattice that is cut badly
// holds 0.63). It is not evaluated, and gaps narrower than one and a half spacings are not looked for there. So time
// and memory go with the surface and not with the volume.

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
    /// Volume of the particles in each eighth: of the upper half along x, y, z for k & 1, k & 2, k & 4.
    std::array<float, 8> eighths;
  };
  void sort_particles();
  void list_blocks();
  void find_inside();
  std::array<float, 8> eighths(const Occupied& block) const;
  bool surrounded(BlockKey key) const;
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
