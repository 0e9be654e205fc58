#pragma once
// The stage of a step in which behaviours move mass between particles: after all matter has moved and before it is
// evaluated, at every 8th step, and once before the first evaluation. A behaviour that takes part (Behaviour::exchange)
// may change masses, volumes and velocities of any particle; what it empties it marks, what is to be made it lists, and
// the world removes and creates both afterwards, in the order of the list. Nothing here depends on threads or on the
// order of the store.

#include <functional>
#include <vector>

#include "behaviours/behaviour.h"
#include "particles/periodicity.h"

namespace fondue {

/// A particle that a behaviour makes. Columns not named here begin as those of its object.
struct Birth {
  Index object;
  Vec3 position, velocity;
  float mass, volume, support;
};

struct Exchange {
  Particles& particles;
  const Properties& properties;
  const MatterOutline& matter;
  const Kernel& kernel;
  /// Support radius over spacing.
  float support_ratio;
  double time;
  /// Time since the last exchange [s]; zero before the first evaluation.
  double seconds;
  /// Fastest motion the scene is likely to reach [m/s].
  float expected_speed;
  const Periodicity& periodicity;
  /// Regions of this behaviour that are on now.
  std::span<const Region> regions;
  /// Distance from the nearest body, negative inside.
  std::function<float(const Vec3&)> distance_from_bodies;
  /// By particle: non-zero for what is to be removed.
  std::span<std::uint8_t> marked;
  std::vector<Birth>& births;
};

}  // namespace fondue
