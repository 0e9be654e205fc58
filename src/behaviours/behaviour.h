#pragma once
// A behaviour is one thing matter does: fall, press, resist, cohere (L09 7.2). It states its parameters, the columns it
// reads and writes, the laws it keeps and its largest stable step; it adds to the rates of change of one particle at a
// time, given that particle's neighbours. It knows nothing of threads, of how neighbours were found, or of its weight:
// the driver scales the kernel of every pair by sqrt(w_i w_j), so forces fade in and out and stay antisymmetric.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/kernel.h"
#include "particles/particles.h"
#include "timeline/track.h"

namespace fondue {

/// One neighbour of a particle. For particles of two sizes W and grad W are the averages of both kernels (L09 3.20).
struct Pair {
  Index j;
  Vec3 x_ij;
  float r;
  float W;
  /// dW/dr / r, so that grad W = gradW_factor * x_ij.
  float gradW_factor;
  Vec3 gradW() const { return gradW_factor * x_ij; }
};

/// A particle and its neighbours: other particles, and boundary particles of colliders (j indexes the walls).
struct Row {
  Index i;
  std::span<const Pair> pairs;
  std::span<const Pair> walls;
};

/// Rates of change of one particle's state, added up over behaviours.
struct Rates {
  Vec3 acceleration = Vec3::Zero();
  /// Velocity it moves with in addition to its own (XSPH).
  Vec3 drift = Vec3::Zero();
  /// d(compression)/dt [1/s].
  float compression = 0;
};

/// Boundary particles of all colliders: one entry each.
struct Walls {
  std::vector<Vec3> position, velocity, normal;
  /// Volume a boundary particle stands for (Akinci 2012), so that fluid at a wall measures its rest density.
  std::vector<float> volume;
  /// 0 sticks (no slip), 1 slides freely.
  std::vector<float> slip;
  std::vector<Index> collider;
  /// How deep below the collider's surface they lie [m], half a spacing.
  float depth = 0;
  /// What one layer's viscous pull must be multiplied with to stand for that of a whole half space.
  float shear_scale = 1;
  std::size_t size() const { return position.size(); }
};

/// What a behaviour may look at in one evaluation.
struct Evaluation {
  Particles& particles;
  const Walls& walls;
  const Properties& properties;
  const Kernel& kernel;
  double time;
  /// Fastest motion the scene is likely to reach [m/s]; the speed of sound follows from it unless given.
  float expected_speed;
  /// Time since each particle's last evaluation [s].
  std::span<const float> elapsed;
  /// Rates of compression are wanted even by materials that sum their density (individual time steps).
  bool predict_compression;
};

/// What a behaviour keeps; tests/laws holds it to that.
struct Laws {
  /// Sum of mass times acceleration is zero, for particles alone (no walls), and so is the sum of torques.
  bool momentum = false, angular_momentum = false;
  /// Acceleration does not change when a constant velocity is added to everything, and turns with the particles.
  bool galilean = false, rotation = false;
  /// Acceleration does not change when a rotation is added to the velocities.
  bool rigid_rotation = false;
};

/// Forces along the line between two particles that depend on differences only.
inline constexpr Laws every_law{true, true, true, true, true};

/// What a behaviour says of itself, once.
struct BehaviourInfo {
  const char* name;
  const char* help;
  /// Where the formula comes from.
  const char* source;
  std::span<const Parameter* const> parameters;
  std::span<const std::string_view> reads, writes;
  Laws laws;
  /// Several tracks on one object add up (two attractors) instead of cross-fading (water to honey).
  bool tracks_add = false;
};

class Behaviour {
 public:
  virtual ~Behaviour() = default;
  virtual const BehaviourInfo& info() const = 0;
  /// Adds the columns it needs to the store.
  virtual void require(Particles&) const {}
  /// Called before every evaluation: binds columns and properties.
  virtual void begin(const Evaluation& evaluation) = 0;
  /// Number of sums over neighbours that must be complete before rates.
  virtual int sums() const { return 0; }
  /// One such sum for one particle; writes only that particle's columns.
  virtual void sum(int /*pass*/, const Row&) {}
  /// Follows from sums, for every particle, also those whose sums were not due (individual time steps).
  virtual void state(Index /*i*/) {}
  /// Adds to the rates of particle row.i.
  virtual void rates(const Row& row, Rates& rates) const = 0;
  /// Largest stable step for particle i [s].
  virtual float largest_step(Index /*i*/) const { return infinity; }
};

struct RegisteredBehaviour {
  const BehaviourInfo* info;
  std::unique_ptr<Behaviour> (*make)();
};

/// Every behaviour there is, in the order in which they are evaluated. registry.cpp is the only list.
std::span<const RegisteredBehaviour> behaviour_registry();

/// What an object with these tracks lacks, as a sentence: a behaviour that reads what no other of them writes. Empty if
/// nothing.
std::string unmet_need(std::span<const Track> tracks);

}  // namespace fondue
