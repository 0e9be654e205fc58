#pragma once
// The world and its step. World::step reads as the table of contents of the algorithm; the integrator is in
// integrator.h, the loops over pairs in pair_loops.h, the solve for velocities in solve.h.
//
// With individual steps (DC96 5.2) a particle's step is a power-of-two fraction of a frame: everything moves at the
// smallest step in use, but only particles whose own step ends are evaluated and corrected. Since a position is the
// second-order prediction at every moment, DC96's position correction on a change of step, (dt_new^2 - dt_old^2)/8 a,
// is already in it. A particle beside one with a much smaller step is woken early (Saitoh & Makino 2009).
//
// The state after a step is a function of the state before it: not of threads, storage order, or earlier steps.
//
// The world owns position, velocity, acceleration, mass, volume and density of the particles; every other column
// belongs to the behaviour that declares it.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "behaviours/behaviour.h"
#include "behaviours/registry.h"
#include "bodies/bodies.h"
#include "core/progress_report.h"
#include "world/emitters.h"
#include "world/neighbourhood.h"
#include "world/phase_times.h"
#include "world/pins.h"
#include "world/rigid_clusters.h"
#include "world/setup.h"
#include "world/sleep.h"
#include "world/solve.h"
#include "world/substeps.h"

namespace fondue {

struct Birth;

/// Named lists of numbers that a run continues from.
using State = std::map<std::string, std::vector<double>>;

/// What keeps the step from being longer.
struct StepLimit {
  float seconds = 0;
  /// Name of the behaviour; "acceleration" for 0.25 sqrt(R/|a|), "substeps" for what they allow (substeps.h), "light
  /// body" for a rigid body that is light for the matter around it (loads.cpp), "largest_step" for the scene's own
  /// limit.
  const char* cause = "largest_step";
  /// Index of the object whose particle it is.
  Index object = 0;
};

/// Force and torque about a point.
struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

/// What one particle does to a body: its force, and where that acts.
struct Push {
  Vec3d force, at;
};

class World {
 public:
  /// Making a world may take seconds; `report` is told how far it is, and may throw to give up.
  explicit World(WorldSetup setup, const PairLoops& loops = chosen_pair_loops(), const ProgressReport& report = {});
  /// Continues from saved particles and state (see state()).
  World(WorldSetup setup, Particles particles, const State& state, const PairLoops& loops = chosen_pair_loops(),
        const ProgressReport& report = {});
  ~World();

  /// One step that does not go beyond a time; with individual steps that time must be the next frame's.
  void step(double until);

  double time() const { return time_; }
  std::uint64_t steps() const { return steps_; }
  double last_step() const { return last_step_; }
  /// Force evaluations of single particles so far, the measure individual steps save on.
  std::uint64_t evaluations() const { return evaluations_; }
  float expected_speed() const { return expected_speed_; }
  /// Every particle's state is of the present time: always with one step for all, at frames with individual steps.
  bool synchronised() const;
  const PhaseTimes& phases() const { return phases_; }
  /// What limits the next step.
  const StepLimit& step_limit() const { return limit_; }
  /// Some behaviour may have velocities solved for; the last step's iterations and error.
  bool solves() const { return solves_; }
  const VelocitySolve::Result& solve_result() const { return solve_result_; }
  /// Substeps of the object that took most of them in the last step; 0: nothing acts in substeps.
  Index most_substeps() const { return substeps_.most(); }
  /// The largest number of iterations of an object that was advanced by an implicit step instead; zero: none.
  Index most_iterations() const { return substeps_.most_iterations(); }
  /// There are sheets in the scene; how many particles have passed one in the last step.
  bool has_sheets() const { return particles_.has(columns::contact_force.name); }
  Index leaks() const { return substeps_.leaks(); }
  /// What forces in substeps do to each particle now [m/s^2].
  std::vector<Vec3> substep_accelerations();
  std::size_t bytes() const;

  const WorldSetup& setup() const { return setup_; }
  Particles& particles() { return particles_; }
  const Particles& particles() const { return particles_; }
  const Bodies& bodies() const { return *bodies_; }
  const Neighbourhood& neighbourhood() const { return neighbourhood_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// How many particles were removed because they were farther than this from everything in the scene (emitters.h).
  std::uint64_t strays() const { return emitters_->strays(); }
  float stray_distance() const { return emitters_->stray_distance(); }

  /// Evaluates all behaviours at the present positions and velocities, into the column acceleration and what belongs to
  /// the behaviours.
  void evaluate();
  /// What matter does to a collider: the reaction to the force of its boundary particles in the last evaluation and to
  /// what the guard has stopped in the last step [N], and its torque about the given point [N m].
  Wrench load_on(Index collider, const Vec3& about = Vec3::Zero());
  Vec3 force_on(Index collider) { return load_on(collider).force; }
  /// The same, particle by particle.
  std::vector<Push> pushes_on(Index collider);
  /// What matter did to a pin in the last step, by forces in substeps and by what lies on pinned sheets [N]; without
  /// the weight of the pinned particles themselves.
  Vec3 force_on_pin(Index pin) const;

  /// Names and units of the statistics of all behaviours, and their present values.
  std::vector<Statistic> behaviour_statistics() const;
  std::vector<double> measure_behaviours() const;

  /// Everything but the particles that a run continues from.
  State state() const;

 private:
  /// A behaviour that some object has.
  struct Active {
    std::unique_ptr<Behaviour> behaviour;
    Properties properties;
    /// Its regions that are on.
    std::vector<Region> regions;
    /// Name under which it is remembered on what it acts.
    std::string memory_name = {};
    /// A column remembers on which particles it acted in the last evaluation. Where weights never change there is
    /// none: particles enter when they are created and never leave.
    bool remembers = false, memory_is_new = true;
    const char* name() const { return behaviour->info().name; }
  };

  static std::string memory_column(const Active& active);
  std::span<Index> memory_of(const Active& active);

  // Preparations (world.cpp).
  void make_behaviours();
  void fill_objects(const ProgressReport& report);
  void fill_sheet(std::size_t object);
  Index create_particles(std::size_t object, std::span<const Vec3> points);
  void disturb(std::vector<Vec3>& points, float by, std::size_t object) const;
  void initialise(Index first);
  void restore(const State& state);
  void restore_behaviours(const State& state);

  // Stages of a step.
  double choose_step(double until);
  void move(double from);
  std::vector<Substeps::Actor> substep_actors(double time);
  std::vector<float> friction_of_objects() const;
  Substeps::Setting substep_setting() const;
  void leave_and_enter(double from);
  void exchange_mass(double step);
  void unpredict(float step);
  void give_birth(std::span<const Birth> births);
  std::vector<Region> regions_of(const Active& active) const;
  std::vector<std::uint8_t> due_particles() const;
  Box reach_of_matter() const;
  void put_into_slots(std::span<const std::uint8_t> due, bool sort_store);
  void update_weights();
  void dissolve_sheets();
  void begin_behaviours(double step);
  void sum_over_neighbours();
  void find_rates_and_kick();
  void solve_for_velocities(double step);
  void find_limit(double step);
  void load_bodies(double step);
  void limit_by_contact();

  // Loads on bodies (loads.cpp).
  struct BodyLoad {
    Load load;
    /// Mass of the particles within reach, pressed or not: in the next step they may be.
    double touching = 0;
    std::vector<Push> pushes;
  };
  std::vector<BodyLoad> loads_on(std::span<const Index> colliders, std::span<const Vec3d> about,
                                 bool with_pushes = false);

  // Evaluation, and its parts for one block of slots (evaluation.cpp).
  void evaluate_due(std::span<const std::uint8_t> due, double step);
  /// Whether a behaviour acts on some particle of these slots (or may: they are looked at in runs).
  bool acts_in(const Slots& slots, const Active& active) const {
    return fields_.any_of(slots, active.properties.acts_on());
  }
  void find_rates(const Block& block, const Accelerations& out) const;
  bool advance(const Slots& slots);
  template <class After>
  void limit_steps(const Slots& slots, std::vector<float>& limits, After&& after) const;
  [[noreturn]] void throw_runaway(double dt) const;
  [[noreturn]] void throw_not_finite(const Block& block);

  // Individual steps (individual_steps.cpp).
  double individual_step(double until);
  double tick_seconds() const;
  void choose_levels(const Slots& slots, const float* limits);
  void raise_levels();
  void start_levels(Index first);

  WorldSetup setup_;
  Particles particles_;
  float expected_speed_ = 0;
  std::unique_ptr<Bodies> bodies_;
  std::unique_ptr<Emitters> emitters_;
  Neighbourhood neighbourhood_;
  std::vector<Active> behaviours_;
  std::vector<Active*> running_;
  PairFormulas formulas_;
  VelocitySolve solve_;
  std::unique_ptr<Pins> pins_;
  Sleep sleep_;
  /// Looking at energies leaves traces in what it computes with only.
  mutable Substeps substeps_;
  mutable SheetTriangles sheets_;
  RigidClusters clusters_;
  SheetTriangles::Near near_sheets_;
  /// Tracks that say what friction the surface of an object has.
  struct Rubbing {
    std::size_t object;
    const BehaviourInfo* info;
    Track track;
  };
  std::vector<Rubbing> rubbing_;
  bool solves_ = false;
  VelocitySolve::Result solve_result_;
  Fields fields_;
  SharedFields shared_;
  Elapsed elapsed_;
  mutable Impulses impulses_;
  bool walls_sorted_ = false;
  /// Around all particles.
  Box matter_;
  /// By object: its matter exchanges mass; SharedFields::own_density.
  std::vector<std::uint8_t> exchanges_, own_density_;
  /// Time of the last exchange of mass.
  double exchanged_at_ = 0;
  /// The smallest stable step of the particles of each block.
  std::vector<float> block_limits_;
  std::vector<std::string> notes_;
  PhaseTimes phases_;

  double time_ = 0, last_step_ = 0;
  StepLimit limit_;
  std::uint64_t steps_ = 0, evaluations_ = 0;
  /// Particles with this id or a later one were created in this step.
  Index first_new_id_ = 0;
  /// Particles with this id or a later one have not been seen by an evaluation yet.
  Index first_unseen_id_ = 0;
  /// Individual steps: the interval to the next frame in ticks, its start and end.
  double interval_begin_ = 0, interval_end_ = 0;
  std::uint64_t tick_ = 0;
};

/// Fastest motion to expect: what is there at the start and what falling across the scene adds, sqrt(v^2 + 2 g H).
float expected_speed(const WorldSetup& setup, const Box& extent);
/// How far from everything in a scene of this extent a particle is lost: several times as far as the scene reaches, and
/// as what moves at the expected speed flies up.
float stray_distance_of(const Box& extent, float expected_speed);
/// Box around all matter, openings and containers.
Box extent_of(const WorldSetup& setup);

/// Where matter may get to in a scene of this extent: the domain, or else as far again as the extent, and twice as far
/// as it falls to a solid below it.
Box reach_of(const WorldSetup& setup, const Box& extent);

/// How many particles the objects of a setup will have, about.
double particles_at_start(const WorldSetup& setup);
/// Memory of columns, slots and neighbour lists, as `fondue bench` measures them, with some room.
inline constexpr double bytes_per_particle = 300;
/// InputError if the machine has not the memory that a run of this setup will take.
void check_memory(const WorldSetup& setup);

}  // namespace fondue
