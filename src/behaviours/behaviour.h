#pragma once
// A behaviour is one thing matter does: fall, press, resist, cohere (L09 7.2). It states its parameters, the columns it
// reads and writes, the laws it keeps and its largest stable step. What it does between two particles is a pair formula
// (pair.h), which it hands to the loops over pairs; what it does to a particle alone it adds itself, block by block. It
// knows nothing of threads, of how neighbours were found, or of its weight on pairs: the loops scale the kernel of
// every pair by sqrt(w_i w_j), so forces fade in and out and stay antisymmetric.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "behaviours/fields.h"
#include "behaviours/pair.h"
#include "core/kernel.h"
#include "particles/particles.h"
#include "timeline/track.h"

namespace fondue {

struct PairFormulas;
struct HotRegion;

/// A number that depends on u, the spacing of boundary particles over that of a particle: 1 for u = 1.
struct SizeFactor {
  /// 1 + (1 - u) (c[0] + c[1] u + c[2] u^2 + ...)
  float c[5] = {0, 0, 0, 0, 0};

  float operator()(float u) const { return 1 + (1 - u) * (c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])))); }
};

/// What the boundary particles of one collider have in common (bodies/wall_scales.h).
struct BoundaryLayer {
  /// How deep they lie below their surface [m], and the support of a particle with their spacing.
  float depth = 0, support = 0;
  /// What the viscous force and the heat of one layer must be multiplied with to stand for that of a half space, and k
  /// of a pull of 1 Pa (fluid.h).
  float shear_scale = 1, heat_scale = 1, pull_scale = 0;
  /// What these and the volumes are multiplied with for particles of another size; of volumes, u times that.
  SizeFactor volume_times_u, shear, heat, pull;
};

/// Boundary particles of all colliders: one entry each.
struct Walls {
  std::vector<Vec3> position, velocity, normal;
  /// Volume a boundary particle stands for (Akinci 2012), so that fluid at a wall measures its rest density; negative
  /// if it acts only in front of it.
  std::vector<float> volume;
  /// 0 sticks (no slip), 1 slides freely.
  std::vector<float> slip;
  std::vector<Index> collider;
  /// By collider: its pull on a unit area of fluid [Pa]; empty if none is sticky.
  std::vector<float> stickiness;
  /// By collider.
  std::vector<BoundaryLayer> layers;
  /// By collider [K]; without one it is insulated.
  std::vector<std::optional<float>> temperature;
  std::size_t size() const { return position.size(); }
};

/// Time since a particle's last evaluation [s].
struct Elapsed {
  float step = 0;
  /// What was made in this step has not moved yet.
  std::span<const Index> id;
  Index first_new_id = 0;
  bool any_new = true;
  /// Individual steps: the tick at which each particle's step began, the present one, and the length of a tick.
  std::span<const Index> begin = {};
  std::uint64_t tick = 0;
  double tick_seconds = 0;

  float operator()(Index i) const {
    if (any_new && id[i] >= first_new_id) return 0;
    return begin.empty() ? step : static_cast<float>(static_cast<double>(tick - begin[i]) * tick_seconds);
  }
};

/// Fields that several behaviours read. Volume and support are there from the start, the fluid adds the others.
struct SharedFields {
  Field volume, support, mass, sound_speed;
};

/// What a behaviour may look at in one evaluation.
struct Evaluation {
  Particles& particles;
  const Properties& properties;
  const Kernel& kernel;
  /// Support radius over spacing.
  float support_ratio;
  double time;
  /// Fastest motion the scene is likely to reach [m/s]; the speed of sound follows from it unless given.
  float expected_speed;
  Elapsed elapsed;
  /// Rates of compression are wanted even by materials that sum their density (individual time steps).
  bool predict_compression;
  /// Makes what pair formulas read.
  Fields& fields;
  SharedFields& shared;
  std::span<Record> records;
  const Walls& walls;
  /// Those that are on now.
  std::span<const HotRegion> hot_regions;

  /// How much the behaviour acts on each particle, for its pair formula.
  FormulaWeight formula_weight() const {
    const bool full = properties.full();
    const Property<float> weight = properties.weight();
    return {true, full, full ? Field{} : fields.weight([&](Index i) { return weight(i); })};
  }
};

/// Rates of change of a run of slots, one array a quantity; entry 0 is the run's first slot.
struct RateArrays {
  float *ax, *ay, *az;
  /// Velocity particles move with in addition to their own (XSPH).
  float *dx, *dy, *dz;
  /// d(compression)/dt [1/s].
  float* compression;
  /// Heat received by a unit of mass [W/kg].
  float* heat;

  void accelerate(std::size_t k, const Vec3& a) const {
    ax[k] += a.x();
    ay[k] += a.y();
    az[k] += a.z();
  }
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
  /// Hands its pair formulas to the loops.
  virtual void join(PairFormulas&) const {}
  /// Number of passes over the neighbours that must be complete before rates.
  virtual int sums() const { return 0; }
  /// What follows from such a pass, for every particle, also those whose sums were not due (individual time steps).
  virtual void after_sums(int /*pass*/, const Slots&) {}
  /// Adds what it does to each particle alone.
  virtual void add_rates(const Slots&, const RateArrays&) const {}
  /// Advances what is its own by the complete rates, for particles whose step ends now.
  virtual void advance(const Slots&, const RateArrays&) {}
  /// Lowers the largest stable step of each particle [s]; entry 0 is the first slot's.
  virtual void limit_steps(const Slots&, float*) const {}
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
