#pragma once
// Advected grains: a second pass over the frames of a run moves many grains with few particles (L09 5.3.1; the
// distinction between carried and free-falling grains after Alduan et al. 2009). They start at the fixed positions of
// surface/grains.h. Then, frame by frame:
//
//   move      in substeps of at most half a spacing of all but the fastest percent of the particles, which are spray.
//             Grains within the sand take its velocity (surface/sand_field.h) at the middle of the substep; where no
//             particle around moves, they stay. All others fall freely until they are within the sand again or rest on
//             a collider, so none hangs in the air.
//   collide   a grain closer to a collider than its radius is moved out along the distance gradient, loses its
//             velocity into the collider and slides with Coulomb friction.
//   relax     where there are more grains than the particles account for, and where they rest on a collider without
//             particles nearby, overlapping grains are moved apart.
//   balance   a particle with too few grains around it gets new ones at its fixed positions; where there are too many
//             the youngest are removed. Both fade in or out.
//
// How many grains the particles account for: both are summed around each particle with a tent function one spacing
// wide, grains as points and particles as the cubes that they fill with grains. Crowding is the ratio of the two sums:
// 1 if evenly filled, also at the surface.
//
// Results depend neither on the number of threads nor on the order of the particles. Limits: grains may pass through a
// collider thinner than half a spacing; friction assumes that colliders move along their normal only; grains do not
// follow particles through periodic sides but are removed on one side and inserted on the other.

#include <functional>

#include "surface/sand_field.h"

namespace fondue {

struct GrainFlowSettings {
  GrainSettings grains = {};
  Vec3 gravity = Vec3(0, 0, -9.81f);
  /// Signed distance [m] to the nearest solid at a point and a time [s], negative inside; its magnitude never exceeds
  /// the true distance. Called from many threads. Empty if there are no solids.
  std::function<float(const Vec3&, double)> collider = nullptr;
  /// No solid moves. A grain then asks for the distance only when it may have come near to one since it last did.
  bool still = false;
  float friction = 0.6f;
  /// Minimum number of substeps per frame.
  int substeps = 4;
  /// Relaxation iterations per frame.
  int relaxations = 3;
  /// Time [s] in which grains fade in and out.
  double fade_time = 0.2;
  /// Time [s] a grain may fall freely before it is removed.
  double longest_flight = 2;
  /// Time [s] of the first frame, for the collider.
  double start = 0;
};

class GrainFlow {
 public:
  explicit GrainFlow(GrainFlowSettings settings);

  /// Advances to the next frame, dt seconds after the last. The first one creates the grains.
  void advance(const SandParticles& next, double dt);
  /// Sorted by id.
  std::span<const Grain> grains() const { return grains_; }
  double time() const { return time_; }

  // Random positions make the crowding vary by about a tenth between particles; this must not move the grains.
  static constexpr float crowded = 1.1f, very_crowded = 1.3f;
  /// Crowding below or above which grains are inserted or removed, and the values to which this leads.
  static constexpr float too_few = 0.75f, enough = 0.9f, too_many = 1.25f, not_too_many = 1.1f;
  static constexpr int most_substeps = 32;
  /// Sand that moves less than this part of a spacing in a frame rests.
  static constexpr float resting_way = 0.002f;

 private:
  struct State {
    bool flying = false, dying = false;
    /// No particle around it moves in this frame.
    bool resting = false;
    /// Time in free fall [s].
    float flight = 0;
    /// Nothing solid was nearer than this [m] to where it was then.
    float clearance = -infinity;
    Vec3 seen_at = Vec3::Zero();
  };
  void start(const SandFrame& frame);
  int substeps_for(const SandFrame& next, double dt) const;
  void find_resting(const SandFrame& next, double dt);
  void move(const SandField& field, float h);
  void move(Grain& grain, State& state, const SandField& field, SandField::Surroundings& around, float h) const;
  /// Calls body(i, around) for every grain; those that follow each other are mostly close to each other.
  template <class Body>
  void for_grains(Body&& body) const {
    parallel_blocks(grains_.size(), 1024, [&](std::size_t begin, std::size_t end) {
      SandField::Surroundings around;
      for (std::size_t i = begin; i != end; ++i) body(i, around);
    });
  }
  bool collide(Grain& grain, State& state, float h) const;
  /// Known without asking.
  bool far_from_solids(const Grain& grain, const State& state) const;
  /// Ratio of actual to expected grains around every particle.
  std::vector<float> crowding(const SandField& field) const;
  void relax(const SandField& field, std::span<const float> crowding);
  void thin_out(const SandField& field, std::span<const float> crowding);
  void fill_up(const SandField& field, std::span<const float> crowding);
  void fade(float dt);
  void remove_buried();
  /// Removes all grains except those for which keep(i) is true.
  template <class Keep>
  void keep_only(Keep&& keep);

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
