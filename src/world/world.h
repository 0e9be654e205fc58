#pragma once
// The world and its step. Leapfrog with predicted velocity (DC96 9-10), written so that positions and velocities are
// both known at the end of every step:
//
//   x <- x + (v + drift) dt + a dt^2/2,   v <- v + a dt         motion, with the predicted velocity the forces are
//   evaluated at a' = sum of all behaviours at (x, v)                        one evaluation a step v <- v + (a' - a)
//   dt/2                                      correction
//
// Where viscosity is solved for (viscous_solve.h) a step is
//
//   x <- x + (v + drift) dt,   v* = v + a' dt,   v <- the velocities that v* and their own viscous forces lead to
//
// which is first order, as the solve is. Nothing is predicted: positions and the rate of shear, on which the viscosity
// depends, follow from velocities that the solve has made smooth, so a body whose weight its viscosity carries stands.
//
// With individual steps (DC96 5.2) a particle's step is a power-of-two fraction of a frame: everything moves at the
// smallest step in use, but only particles whose own step ends are evaluated and corrected. Since a position is the
// second-order prediction at every moment, DC96's position correction on a change of step, (dt_new^2 - dt_old^2)/8 a,
// is already in it. A particle beside one with a much smaller step is woken early (Saitoh & Makino 2009).
//
// The state after a step is a function of the state before it: not of threads, storage order, or earlier steps.

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "behaviours/behaviour.h"
#include "behaviours/heat.h"
#include "bodies/bodies.h"
#include "world/emitters.h"
#include "world/neighbourhood.h"
#include "world/setup.h"
#include "world/viscous_solve.h"

namespace fondue {

/// Seconds spent in each part of a step, from the start: putting particles into slots, listing neighbours, sums before
/// the rates, rates, the implicit viscosity, motion and correction, everything else.
struct PhaseTimes {
  double sort = 0, lists = 0, density = 0, forces = 0, solve = 0, integration = 0, rest = 0;
};

/// Adds the seconds of a scope to one phase.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begin_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_;
};

/// Shares the seconds of a parallel loop among phases by the time its threads spent in each.
class SharedStopwatch {
 public:
  SharedStopwatch(double& first, double& second) : phases_{&first, &second}, begin_(Clock::now()) {}
  ~SharedStopwatch();
  SharedStopwatch(const SharedStopwatch&) = delete;
  SharedStopwatch& operator=(const SharedStopwatch&) = delete;

  using Clock = std::chrono::steady_clock;
  /// A thread spent this time in the first or second phase.
  void add(int phase, Clock::duration duration) {
    spent_[phase].fetch_add(duration.count(), std::memory_order_relaxed);
  }

 private:
  std::array<double*, 2> phases_;
  std::array<std::atomic<Clock::rep>, 2> spent_ = {};
  Clock::time_point begin_;
};

class World {
 public:
  explicit World(WorldSetup setup, const PairLoops& loops = chosen_pair_loops());
  /// Continues from saved particles and state (see state()).
  World(WorldSetup setup, Particles particles, const std::map<std::string, std::vector<double>>& state,
        const PairLoops& loops = chosen_pair_loops());
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
  /// Of the implicit viscosity in the last step.
  const ViscousSolve::Result& viscous_solve() const { return viscous_result_; }
  std::size_t bytes() const;

  const WorldSetup& setup() const { return setup_; }
  Particles& particles() { return particles_; }
  const Particles& particles() const { return particles_; }
  const Bodies& colliders() const { return *colliders_; }
  const Neighbourhood& neighbourhood() const { return neighbourhood_; }
  const std::vector<std::string>& notes() const { return notes_; }

  /// Evaluates all behaviours at the present positions and velocities, into the columns acceleration, drift and
  /// compression_rate.
  void evaluate();
  /// Force of the fluid on a collider, from the last evaluation's pressures and velocities [N].
  Vec3 force_on(Index collider);

  /// Everything but the particles that a run continues from.
  std::map<std::string, std::vector<double>> state() const;

 private:
  struct Active {
    std::unique_ptr<Behaviour> behaviour;
    Properties properties;
  };

  void make_behaviours();
  void fill_objects();
  /// What is made above its melting point has melted.
  void start_melted(Index first);

  double global_step(double until);
  void move(double from, double seconds);
  void enter_and_leave(double from);
  void evaluate_due(std::span<const std::uint8_t> due, double step);
  void put_into_slots(std::span<const std::uint8_t> due, bool sort_store);
  int begin_behaviours(double step);
  void find_sums(int passes);
  void find_rates();
  bool correct(const Slots& slots, const RateArrays& rates);
  void solve_viscosity();
  void limit_steps(const Slots& slots, float* limits) const;
  [[noreturn]] void throw_runaway(float dt) const;
  [[noreturn]] void throw_not_finite(const Block& block) const;

  /// individual_steps.cpp
  double individual_step(double until);
  double tick_seconds() const;
  std::vector<std::uint8_t> due_particles() const;
  void choose_levels(const Slots& slots, const float* limits);
  void raise_levels();
  void start_levels(Index first);

  WorldSetup setup_;
  Particles particles_;
  float expected_speed_ = 0;
  std::unique_ptr<Bodies> colliders_;
  std::unique_ptr<Emitters> emitters_;
  Neighbourhood neighbourhood_;
  std::vector<Active> behaviours_;
  std::vector<Active*> running_;
  PairFormulas formulas_;
  ViscousSolve viscous_solve_;
  /// In the last step.
  bool viscosity_is_solved_ = false;
  ViscousSolve::Result viscous_result_;
  std::vector<HotRegion> hot_regions_;
  Fields fields_;
  SharedFields shared_;
  Elapsed elapsed_;
  bool walls_sorted_ = false;
  /// Largest stable step of the particles of each block.
  std::vector<float> block_limits_;
  std::vector<std::string> notes_;
  PhaseTimes phases_;

  double time_ = 0, last_step_ = 0, limit_ = 0;
  std::uint64_t steps_ = 0, evaluations_ = 0;
  /// Particles with this id or a later one were made in this step.
  Index first_new_id_ = 0;
  /// Individual steps: the interval to the next frame in ticks, its start and end.
  double interval_begin_ = 0, interval_end_ = 0;
  std::uint64_t tick_ = 0;
};

/// Fastest motion to expect: what is there at the start and what falling across the scene adds, sqrt(v^2 + 2 g H).
float expected_speed(const WorldSetup& setup, const Box& extent);
/// Box around all matter, openings and containers.
Box extent_of(const WorldSetup& setup);

/// Bytes a run of this setup will take; InputError if the machine has not that much.
void check_memory(const WorldSetup& setup);

}  // namespace fondue
