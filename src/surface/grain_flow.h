#pragma once
// Grains that flow: a second pass over the frames of a run moves many grains with few particles (L09 5.3.1; what holds
// and what falls after Alduan et al. 2009). They start at the fixed places of surface/grains.h. Then, frame by frame:
//
//   move      in substeps of at most half a spacing. Grains within the sand take its velocity (surface/sand_field.h) at
//             the middle of the substep. All others fly: gravity alone moves them until they are within the sand again
//             or lie on a collider. So none hangs in the air.
//   collide   a grain nearer to a collider than its radius is put back along the distance's gradient, loses the
//   velocity
//             into it and slides with Coulomb friction.
//   relax     where there are more grains than the particles account for, and where they lie on a collider without
//             particles around, overlapping grains are moved apart.
//   balance   a particle with too few grains around it gives birth to some at its fixed places; where there are too
//             many the youngest go. Both fade over a time.
//
// How many grains the particles account for: both are weighed around each particle by a tent one spacing wide, grains
// as points and the particles as the cubes they fill with grains. Crowding is the ratio of the two sums: 1 if evenly
// filled, at the surface too.
//
// Results depend neither on the number of threads nor on the order of the particles. Limits: a collider thinner than
// half a spacing may be passed through; friction takes colliders to move along their normal only; grains do not follow
// particles through periodic sides, they go on one side and come on the other.

#include <functional>

#include "surface/sand_field.h"

namespace fondue {

struct GrainFlowSettings {
  GrainSettings grains = {};
  Vec3 gravity = Vec3(0, 0, -9.81f);
  /// Signed distance [m] to the nearest solid at a place and a time [s], negative inside; its size never exceeds the
  /// true one. Called from many threads. None: no solids.
  std::function<float(const Vec3&, double)> collider = nullptr;
  float friction = 0.6f;
  /// Substeps a frame at least.
  int substeps = 4;
  /// Rounds of moving grains apart a frame.
  int relaxations = 3;
  /// Seconds in which grains appear and vanish.
  double fade_time = 0.2;
  /// Seconds a grain may fly without touching anything before it vanishes.
  double longest_flight = 2;
  /// Time [s] of the first frame, for the collider.
  double start = 0;
};

class GrainFlow {
 public:
  explicit GrainFlow(GrainFlowSettings settings);

  /// Takes the next frame, dt seconds after the last. The first makes the grains.
  void advance(const SandParticles& next, double dt);
  /// In the order of their ids.
  std::span<const Grain> grains() const { return grains_; }
  double time() const { return time_; }

  // Random places differ by about a tenth from particle to particle; this must not stir the grains.
  static constexpr float crowded = 1.1f, very_crowded = 1.3f;
  /// Too few and too many grains, and where births and deaths then lead to.
  static constexpr float too_few = 0.75f, enough = 0.9f, too_many = 1.25f, not_too_many = 1.1f;
  static constexpr int most_substeps = 32;

 private:
  struct State {
    bool flying = false, dying = false;
    /// Seconds in the air.
    float flight = 0;
  };
  void start(const SandFrame& frame);
  int substeps_for(const SandFrame& next, double dt) const;
  void move(const SandField& field, float h);
  bool collide(Grain& grain, float h) const;
  /// Grains over what the particles account for, around every particle.
  std::vector<float> crowding(const SandField& field) const;
  void relax(const SandField& field, std::span<const float> crowding);
  void thin_out(const SandField& field, std::span<const float> crowding);
  void fill_up(const SandField& field, std::span<const float> crowding);
  void fade(float dt);
  void remove_buried();
  /// Keeps the grains for which keep(i).
  template <class Keep>
  void sieve(Keep&& keep);

  std::vector<Vec3> positions() const;
  float largest_radius() const;

  GrainFlowSettings settings_;
  std::vector<Grain> grains_;
  std::vector<State> states_;
  std::optional<SandFrame> before_;
  double time_;
  Index next_id_ = 0;
};

}  // namespace fondue
