#pragma once
// A behaviour is one thing matter does: fall, press, resist, cohere (L09 7.2). It declares its parameters, the columns
// it reads and writes, the laws it keeps and its largest stable step. What it does between two particles is a pair
// formula (formula.h), which it hands to the loops over pairs; what it does to a particle by itself it adds block by
// block. It knows nothing of threads, of how neighbours were found, or of its weight on pairs: the loops scale the
// kernel of every pair by sqrt(w_i w_j), so forces fade in and out and stay antisymmetric.
//
// One evaluation calls, for each behaviour with a weight above zero somewhere:
//
//   entered, left          for particles whose weight rose from zero or fell to it
//   begin, add_formulas    columns and properties are bound, formulas are handed over
//   after_pass             after each pass of sums over neighbours, block by block
//   add_rates, advance     accelerations; then its own quantities are advanced, block by block
//   limit_steps            the largest stable step of each particle
//
// and before it, while particles move, predict; for forces that are taken in substeps (substep_formula.h) also
// begin_substeps.

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "behaviours/fields.h"
#include "behaviours/formula.h"
#include "core/kernel.h"
#include "particles/bond_slices.h"
#include "particles/particles.h"
#include "shapes/shape.h"
#include "timeline/track.h"

namespace fondue {

struct PairFormulas;
struct SubstepFormulas;
struct Exchange;

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
  /// What the missing half space would add to the compression of the row of particles at a flat wall, which is what
  /// these add there, and how much that falls per spacing away from the wall.
  float half_space = 0, half_space_slope = 0;
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
  /// Particles with this id or a later one were created in this step and have not moved yet.
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

/// Fields that several behaviours read. The world makes volume, support and mass anew for every evaluation and sets the
/// speed of sound to zero; a fluid gives it.
struct SharedFields {
  Field volume, support, mass, sound_speed;
  /// By particle, made anew too: the modulus lambda + 2 mu of matter that keeps its shape [Pa], and what solid matter
  /// leaves of its surroundings to others, as a part of the kernel's sum; negative for what is not solid. Empty: none.
  std::span<const float> modulus, left_free;
  /// By particle: distance from the nearest sheet that it does not belong to [m], known up to two of its spacings;
  /// empty: there are no sheets.
  std::span<const float> sheet_gap;
  /// By object: non-zero if its density at rest is mass over volume of each particle, because its matter exchanges mass
  /// or changes its volume (BehaviourInfo::exchanges, changes_volume).
  std::span<const std::uint8_t> own_density;
  /// By object: non-zero if its matter sleeps when it has come to rest (world/sleep.h).
  std::span<const std::uint8_t> sleeps;
  /// Of a fluid at walls: how the compression by walls follows from their sum, f'(M/w) of fluid.h. No values: no walls.
  Field wall_slope[6];
};

/// A part of space in which a behaviour acts in its own way, with values for the behaviour's region parameters.
struct Region {
  const Shape* shape;
  /// Where the origin of the shape's frame is.
  Vec3 position;
  const Values* values;
  Eigen::Quaternionf rotation = Eigen::Quaternionf::Identity();
  /// Of the origin of the frame [m/s] and of its rotation [rad/s].
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();

  Vec3 to_world(const Vec3& local) const { return rotation * local + position; }
  bool contains(const Vec3& x) const { return shape->contains(rotation.conjugate() * (x - position)); }
  Vec3 velocity_at(const Vec3& x) const { return velocity + angular_velocity.cross(x - position); }
};

/// What a behaviour may look at in one evaluation.
struct Evaluation {
  Particles& particles;
  const Properties& properties;
  const Kernel& kernel;
  /// Support radius over spacing.
  float support_ratio;
  double time;
  /// Fastest motion the scene is likely to reach [m/s].
  float expected_speed;
  /// The largest of the accelerations that all particles of an object have (see BehaviourInfo::common_acceleration).
  Vec3 common_acceleration;
  Elapsed elapsed;
  /// Particles have steps of their own: densities of those not evaluated now are predicted by their rates.
  bool individual_steps;
  /// Makes what pair formulas read.
  Fields& fields;
  SharedFields& shared;
  std::span<Record> records;
  const Walls& walls;
  /// Those of this behaviour that are on now.
  std::span<const Region> regions;
  /// Weights of the behaviours that keep matter apart by a pressure of its own: those with a rest density.
  std::span<const Property<float>> fluids;

  bool is_fluid(Index i) const {
    return std::ranges::any_of(fluids, [&](const Property<float>& weight) { return weight(i) > 0; });
  }

  /// Where and how strongly the behaviour acts, for its pair formulas.
  Formula formula() const {
    const bool full = properties.full();
    return {true, full, full ? Field{} : fields.weight(properties.weight()), properties.acts_on().data()};
  }
};

/// How an object is advanced: in substeps, by one implicit step (world/stiff_step.h), or by whichever is cheaper and
/// shows the same.
enum class SubstepScheme : std::uint8_t { automatic, substeps, implicit_ };

/// What a behaviour may look at before the substeps of a step.
struct SubstepEvaluation {
  const Particles& particles;
  const Properties& properties;
  int dimension;
  /// Support radius over spacing.
  float support_ratio;
  /// Particles with forces in substeps, and the bonds of this behaviour along which they act.
  const SliceOrder& order;
  const BondSlices& slices;
  /// Order or bonds are not those of the last step.
  bool renewed;
  /// By object: the longest stable substep [s], lowered by each behaviour.
  std::span<float> longest;
  /// By object: in substeps, unless a behaviour says otherwise.
  std::span<SubstepScheme> schemes;
  /// To be set where what formulas find once per step depends on something, other than positions, that has changed.
  bool& restart;
};

/// Accelerations of a run of slots; entry 0 is the run's first slot.
struct Accelerations {
  float *x, *y, *z;

  void add(std::size_t k, const Vec3& a) const {
    x[k] += a.x();
    y[k] += a.y();
    z[k] += a.z();
  }
};

/// What a behaviour conserves and does not respond to; tests/laws holds it to that.
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

/// A number of the whole scene that a behaviour measures after every step.
struct Statistic {
  const char *name, *unit;
  /// The most that a track promises it to be (infinity: anything), and what to do where it was more; null: no promise.
  float (*promised)(const Track&) = nullptr;
  const char* remedy = nullptr;
};

/// What a behaviour sees of the matter of a scene when it checks its tracks, before a run.
struct MatterOutline {
  struct Object {
    std::string name;
    std::span<const Track> tracks;
    /// Distance between its particles [m].
    float spacing = 0;
    /// Columns it gives initial values to.
    std::vector<std::string> initial;
    bool has(std::string_view column) const { return std::ranges::find(initial, column) != initial.end(); }
  };
  std::vector<Object> objects;
  /// Names of the behaviours that the scene has regions for.
  std::vector<std::string> regions;
  bool individual_steps = false;
};
/// Takes the index of an object and what is wrong with it, as the rest of a sentence that begins with its name.
using ReportMistake = std::function<void(Index object, const std::string& what)>;

/// Regions in which a behaviour acts in its own way, as scene files have them: [[hot_regions]].
struct RegionDeclaration {
  /// Plural and singular, and what they are for; null: it has none.
  const char *section = nullptr, *one = nullptr, *help = nullptr;
  /// Beside name, shape, motion and `on`.
  std::span<const Parameter* const> parameters = {};
};

/// A column of a behaviour's matter that scene files give values to at the start.
struct InitialValue {
  const Column<float>* column;
  /// The keys of objects, which may vary over the place, and of emitters, which may vary over time.
  const Parameter *of_objects, *of_emitters;
};

/// What a behaviour does in matter that has come to rest (world/sleep.h).
enum class AtRest {
  /// It may do something new, as heat that spreads or wind: its matter does not sleep.
  goes_on,
  /// What it did: forces that do not change while nothing moves.
  stays,
  /// The same, and it is what matter comes to rest by.
  holds
};

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
  /// The parameter that gives its matter a density at rest, from which new particles take their mass.
  const Parameter* rest_density = nullptr;
  /// A behaviour that comes with it, with the same weight, unless the object has that one itself.
  const char* brings = nullptr;
  /// Objects that have it may overlap at the start: it moves them apart.
  bool relaxes_overlaps = false;
  /// How far its matter is moved out of the lattice that fills a shape, in spacings: a perfect lattice can lock.
  float disorder = 0;
  RegionDeclaration regions = {};
  std::span<const InitialValue> initial_values = {};
  /// It may hand over formulas of Pass::solve.
  bool solves = false;
  /// The set of bonds along which it acts in substeps; null: it does not.
  const char* substep_bonds = nullptr;
  /// It moves mass between particles (exchange.h): mass over volume of its matter need not be its rest density.
  bool exchanges = false;
  /// Whether a track of it changes the volume of its matter; null: it does not.
  bool (*changes_volume)(const Track&) = nullptr;
  /// It acts in sheets only (particles/sheets.h).
  bool of_sheets = false;
  /// How many layers of particles its matter must have at least.
  float least_layers = 0;
  std::span<const Statistic> statistics = {};
  /// Reports what is wrong with the tracks of a scene beyond the range of each parameter.
  void (*check)(const MatterOutline&, const ReportMistake&) = nullptr;
  /// What matter with this track usually looks like (a `look` of scene files); null: it does not say.
  const char* (*look)(const Track&) = nullptr;
  /// The parameter that is an acceleration of every particle. In two dimensions its vertical part acts along y.
  const Parameter* common_acceleration = nullptr;
  /// Coulomb's coefficient of the surface of its matter where sheets take part in a contact; null: it does not say.
  float (*surface_friction)(const Track&, double time) = nullptr;
  /// What a track of it does in matter at rest; null: it goes on.
  AtRest (*at_rest)(const Track&) = nullptr;
};

/// What a behaviour measures statistics of.
struct Measured {
  const Particles& particles;
  const Properties& properties;
  int dimension;
};

/// Something to know about an object: the rest of a sentence that begins with its name.
struct ObjectNote {
  Index object;
  std::string what;
};

class Behaviour {
 public:
  virtual ~Behaviour() = default;
  virtual const BehaviourInfo& info() const = 0;
  /// Adds the columns it needs to the store.
  virtual void require(Particles&) const {}
  /// The weight of these particles has risen from zero, or they were created with a weight above it.
  virtual void entered(Particles&, const Properties&, std::span<const Index> /*which*/) {}
  /// The weight of these particles has fallen to zero.
  virtual void left(Particles&, std::span<const Index> /*which*/) {}
  /// Called before every evaluation: binds columns and properties.
  virtual void begin(const Evaluation& evaluation) = 0;
  /// Hands its pair formulas to the loops.
  virtual void add_formulas(PairFormulas&) const {}
  /// What follows from a pass of sums (density or gradient), for every particle of the slots, also those that were not
  /// due (individual time steps).
  virtual void after_pass(Pass, const Slots&) {}
  /// Adds what it does to each particle by itself.
  virtual void add_rates(const Slots&, const Accelerations&) const {}
  /// Advances its own quantities for particles whose step ends now; false if one of them is not a finite number.
  virtual bool advance(const Slots&) { return true; }
  /// Predicts its own quantities of particles [begin, end) while everything moves by a step.
  virtual void predict(Particles&, std::size_t /*begin*/, std::size_t /*end*/, float /*step*/) const {}
  /// Lowers the largest stable step of each particle [s]; entry 0 is the first slot's.
  virtual void limit_steps(const Slots&, float*) const {}
  /// Before an exchange of mass: writes what others need to know for it, where the store has columns for that.
  virtual void prepare_exchange(Particles&, int /*dimension*/) const {}
  /// Moves mass between particles (exchange.h).
  virtual void exchange(const Exchange&) {}
  /// Binds the formulas that act in the substeps of the next step.
  virtual void begin_substeps(const SubstepEvaluation&, SubstepFormulas&) {}
  /// Numbers beyond its columns and bonds that a run continues from; saved and given back under its name.
  virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double>) {}
  /// What the user should know of the first evaluation.
  virtual std::vector<ObjectNote> notes() const { return {}; }
  /// Writes a number for each of its statistics; called also while its weight is zero everywhere, and after the
  /// energies of its formulas in substeps have been found.
  virtual void measure(const Measured&, std::span<double>) const {}
};

struct RegisteredBehaviour {
  const BehaviourInfo* info;
  std::unique_ptr<Behaviour> (*make)();
};

/// Every behaviour there is, in the order in which they are evaluated (behaviours/registry.h).
std::span<const RegisteredBehaviour> behaviour_registry();

/// The behaviour with this name, or null.
const BehaviourInfo* find_behaviour(std::string_view name);

/// A direction of a scene: in two dimensions up is y, and a z component acts along y.
inline Vec3 upright(const Vec3& direction, int dimension) {
  return dimension == 2 ? Vec3(direction.x(), direction.y() + direction.z(), 0) : direction;
}

/// The acceleration that tracks give to every particle of an object.
Vec3 common_acceleration(std::span<const Track> tracks, double time, int dimension);

/// Names of the columns that every particle has.
std::span<const std::string_view> every_particles_columns();

/// The tracks of a behaviour among those of an object, or else those that its other behaviours bring.
std::vector<Track> tracks_of(std::span<const Track> all, const BehaviourInfo& behaviour);

/// What an object with these tracks lacks, as a sentence: a behaviour that reads what no other of them writes. Empty if
/// nothing.
std::string unmet_need(std::span<const Track> tracks);

}  // namespace fondue
