#pragma once
// Grains of sand for the eye. A particle of sand stands for a handful of grains (L09 5.3); these are drawn instead of
// it. Here they are fixed to their particle (L09 5.3.2): their places within its volume, a cube of one spacing, depend
// on the particle's id and a seed only, so nothing flickers, and whoever asks for a frame gets the same grains in it.
// The places are those of a sequence that fills a cube evenly (powers of the plastic number), shifted by a random
// vector for each particle. In surface/grain_flow.h grains move by themselves.

#include <cstdint>
#include <span>
#include <vector>

#include "shapes/geometry.h"

namespace fondue {

struct Grain {
  Vec3 position, velocity;
  float radius;
  /// In [-1, 1], for a small variation of colour.
  float tint;
  /// Permanent.
  Index id;
  /// Below 1 while a grain appears or vanishes.
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
  /// Mean radius [m]; 0: such that the grains take this part of a particle's volume.
  float radius = 0;
  float packing = 0.6f;
  /// Radii differ from their mean by up to this part of it.
  float radius_variation = 0.25f;
  std::uint64_t seed = 0;

  /// Throws InputError for what cannot be.
  void check() const;
};

/// Grain number `which` of a particle, 0 <= which < per_particle, with id = particle id * per_particle + which.
Grain fixed_grain(const SandParticles& particles, std::size_t particle, int which, const GrainSettings& settings);

/// All grains of all particles, in the order of the particles. InputError if there are more than ids can count.
std::vector<Grain> fixed_grains(const SandParticles& particles, const GrainSettings& settings);

/// Points with the attributes radius, tint, opacity and velocity, and ids.
Geometry grain_points(std::span<const Grain> grains);

}  // namespace fondue
