#pragma once
// Grains of sand for rendering. A sand particle represents many grains (L09 5.3), which are drawn instead of it. Here
// they are fixed to their particle (L09 5.3.2): their positions within its volume, a cube of one spacing, depend only
// on the particle's id and a seed, so nothing flickers and every frame can be computed independently. The positions are
// those of a low-discrepancy sequence (powers of the plastic number), shifted by a random vector per particle. In
// surface/grain_flow.h grains are advected.

#include <cstdint>
#include <span>
#include <vector>

#include "shapes/geometry.h"

namespace fondue {

struct Grain {
  Vec3 position, velocity;
  float radius;
  /// In [-1, 1], for small variations of colour.
  float tint;
  /// Unique and constant over time.
  Index id;
  /// Below 1 while a grain fades in or out.
  float opacity;
};

/// The particles of a frame, in any order; ids are unique.
struct SandParticles {
  std::span<const Vec3> positions, velocities;
  std::span<const float> supports;
  std::span<const Index> ids;
};

struct GrainSettings {
  int per_particle = 32;
  /// In two dimensions grains lie in the plane z = 0 of their particle.
  int dimension = 3;
  /// Support over spacing of the particles.
  float support_ratio = 2;
  /// Mean radius [m]; if 0, such that the grains fill the fraction `packing` of a particle's volume.
  float radius = 0;
  float packing = 0.6f;
  /// Maximum relative deviation of radii from their mean.
  float radius_variation = 0.25f;
  std::uint64_t seed = 0;

  /// Throws InputError for invalid settings.
  void check() const;
};

/// Grain number `which` of a particle, 0 <= which < per_particle, with id = particle id * per_particle + which.
Grain fixed_grain(const SandParticles& particles, std::size_t particle, int which, const GrainSettings& settings);

/// All grains of all particles, in the order of the particles. InputError if there are too many for the range of ids.
std::vector<Grain> fixed_grains(const SandParticles& particles, const GrainSettings& settings);

/// Points with the attributes radius, tint, opacity and velocity, and ids.
Geometry grain_points(std::span<const Grain> grains);

}  // namespace fondue
