#include "world/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "core/random.h"
#include "shapes/filling.h"
#include "world/individual_steps.h"
#include "world/integrator.h"

namespace fondue {

namespace {
/// Entries of the state: on which objects a behaviour acts, and what it saves itself.
const std::string acts_prefix = "acts.", behaviour_prefix = "behaviour.";
/// Columns that remember on which particles a behaviour acted.
const std::string memory_prefix = "acts_";

/// What limits the next step, by its name.
const std::string cause_prefix = "step limited by.";

/// The largest disorder that behaviours of an object ask for, in spacings.
float disorder_of(const ObjectSetup& object) {
  float most = 0;
  for (const Track& track : object.tracks)
    if (const BehaviourInfo* info = find_behaviour(track.behaviour)) most = std::max(most, info->disorder);
  return most;
}

const char* cause_named(const std::string& name) {
  if (const BehaviourInfo* info = find_behaviour(name)) return info->name;
  for (const char* cause : {"acceleration", "substeps", "light body"})
    if (name == cause) return cause;
  return "largest_step";
}
}  // namespace

World::World(WorldSetup setup, const PairLoops& loops, const ProgressReport& report)
    : World(std::move(setup), Particles{}, {}, loops, report) {
  fill_objects(report);
  report.task("first evaluation")(0);
  evaluate();
  for (const Active& active : behaviours_)
    for (const ObjectNote& note : active.behaviour->notes())
      notes_.push_back("object '" + setup_.objects[note.object].name + "' " + note.what);
}

World::World(WorldSetup setup, Particles particles, const State& state, const PairLoops& loops,
             const ProgressReport& report)
    : setup_(std::move(setup)),
      particles_(std::move(particles)),
      neighbourhood_(Kernel(setup_.kernel, setup_.dimension), {setup_.periodic, setup_.domain.value_or(Box{})},
                     setup_.support_ratio, loops) {
  const Box extent = extent_of(setup_);
  expected_speed_ = fondue::expected_speed(setup_, extent);
  bodies_ =
      std::make_unique<Bodies>(setup_.colliders, setup_.wall_lattice(),
                               setup_.domain.value_or(extent.grown(extent.size().maxCoeff())), report, setup_.joints);
  if (state.empty()) bodies_->relax();
  emitters_ = std::make_unique<Emitters>(setup_, extent, stray_distance_of(extent, expected_speed_), report);
  pins_ = std::make_unique<Pins>(setup_);
  notes_ = bodies_->notes();
  make_behaviours();
  first_unseen_id_ = particles_.next_id();
  if (state.empty()) return;
  const auto number = [&](const char* name) {
    const auto found = state.find(name);
    if (found == state.end() || found->second.size() != 1)
      throw InputError(
          std::string("this state has no '") + name +
          "', which a run continues from: it was written by another version of Fondue. Pictures and "
          "exports of it still work; to simulate on, use the version that wrote it or run the scene again");
    return found->second[0];
  };
  time_ = number("time");
  limit_.seconds = static_cast<float>(number("step limit"));
  if (const auto cause = state.lower_bound(cause_prefix);
      cause != state.end() && cause->first.starts_with(cause_prefix)) {
    limit_.cause = cause_named(cause->first.substr(cause_prefix.size()));
    if (!cause->second.empty()) limit_.object = static_cast<Index>(cause->second[0]);
  }
  last_step_ = number("last step");
  steps_ = static_cast<std::uint64_t>(number("steps"));
  evaluations_ = static_cast<std::uint64_t>(number("evaluations"));
  interval_begin_ = number("interval begin");
  interval_end_ = number("interval end");
  tick_ = static_cast<std::uint64_t>(number("tick"));
  emitters_->restore(state);
  bodies_->move_to(time_);
  bodies_->restore(state);
  pins_->restore(state);
  restore_behaviours(state);
}

World::~World() = default;

/// On which objects each behaviour acted when the state was saved. What a changed scene lets enter or leave since then
/// is made up for: particles of objects that a behaviour acts on now and did not then, or the other way round.
void World::restore_behaviours(const State& state) {
  const auto object = particles_[columns::object];
  const auto acted_on = [&](const std::string& key, Index o) {
    const auto found = state.find(key);
    return found != state.end() && o < found->second.size() && found->second[o] != 0;
  };
  for (Active& active : behaviours_) {
    active.properties.update(time_, particles_);
    const std::string key = acts_prefix + active.memory_name;
    std::vector<Index> entered, left;
    for (Index i = 0; i != particles_.size(); ++i) {
      const bool acted = acted_on(key, object[i]);
      const bool acts = active.properties.weight()(i) > 0;
      if (active.remembers) {
        if (active.memory_is_new) memory_of(active)[i] = acted;
      } else if (acts != acted) {
        (acts ? entered : left).push_back(i);
      }
    }
    if (const auto own = state.find(behaviour_prefix + active.memory_name); own != state.end())
      active.behaviour->restore(own->second);
    if (!entered.empty()) active.behaviour->entered(particles_, active.properties, entered);
    if (!left.empty()) active.behaviour->left(particles_, left);
  }
  // Behaviours that the scene no longer has at all.
  for (const RegisteredBehaviour& entry : behaviour_registry()) {
    const std::string key = acts_prefix + std::string(entry.info->name);
    if (std::ranges::any_of(behaviours_, [&](const Active& active) { return &active.behaviour->info() == entry.info; }))
      continue;
    std::vector<Index> left;
    for (Index i = 0; i != particles_.size(); ++i)
      if (acted_on(key, object[i])) left.push_back(i);
    if (left.empty()) continue;
    const std::unique_ptr<Behaviour> behaviour = entry.make();
    behaviour->require(particles_);
    behaviour->left(particles_, left);
    const std::string memory = memory_prefix + std::string(entry.info->name);
    if (particles_.has(memory)) std::ranges::fill(particles_[Column<Index>{memory.c_str(), "", ""}], 0u);
  }
  // No velocities are solved for any more: what the last solve left over is handed over now.
  if (!solves_ && particles_.has(columns::solved.name)) {
    VelocitySolve::require(particles_);
    VelocitySolve::carry_over(particles_);
  }
}

std::string World::memory_column(const Active& active) { return memory_prefix + active.memory_name; }

std::span<Index> World::memory_of(const Active& active) {
  return particles_[Column<Index>{memory_column(active).c_str(), "", ""}];
}

State World::state() const {
  State state{{"time", {time_}},
              {"step limit", {limit_.seconds}},
              {cause_prefix + limit_.cause, {static_cast<double>(limit_.object)}},
              {"last step", {last_step_}},
              {"steps", {static_cast<double>(steps_)}},
              {"evaluations", {static_cast<double>(evaluations_)}},
              {"interval begin", {interval_begin_}},
              {"interval end", {interval_end_}},
              {"tick", {static_cast<double>(tick_)}}};
  emitters_->save(state);
  state.merge(bodies_->state());
  pins_->save(state);
  for (const Active& active : behaviours_) {
    const auto acts = active.properties.acts_on();
    state[acts_prefix + active.memory_name] = std::vector<double>(acts.begin(), acts.end());
    if (std::vector<double> own = active.behaviour->state(); !own.empty())
      state[behaviour_prefix + active.memory_name] = std::move(own);
  }
  return state;
}

/// One instance of every behaviour that some object has; where tracks add up, one for each track.
void World::make_behaviours() {
  particles_.require(columns::position);
  particles_.require(columns::velocity);
  particles_.require(columns::acceleration);
  particles_.require(columns::object);
  particles_.require(columns::volume);
  particles_.require(columns::support);
  particles_.require(columns::mass);
  particles_.require(columns::density);
  for (const RegisteredBehaviour& entry : behaviour_registry()) {
    std::vector<std::vector<Track>> tracks(setup_.objects.size());
    std::size_t most = 0;
    for (std::size_t o = 0; o != setup_.objects.size(); ++o) {
      tracks[o] = tracks_of(setup_.objects[o].tracks, *entry.info);
      most = std::max(most, tracks[o].size());
    }
    const std::size_t instances = entry.info->tracks_add ? most : std::min<std::size_t>(most, 1);
    for (std::size_t k = 0; k != instances; ++k) {
      std::vector<std::vector<Track>> own = tracks;
      if (entry.info->tracks_add)
        for (auto& list : own) list = k < list.size() ? std::vector<Track>{list[k]} : std::vector<Track>{};
      Active& active =
          behaviours_.emplace_back(Active{entry.make(), Properties(entry.info->parameters, std::move(own)), {}});
      active.behaviour->require(particles_);
      active.memory_name = fmt::format("{}{}", active.name(), k == 0 ? "" : fmt::format("_{}", k + 1));
      const std::string column = memory_column(active);
      active.memory_is_new = !particles_.has(column);
      // A column of a saved run counts even if the weights are constant by now.
      active.remembers = !active.properties.constant_weights() || !active.memory_is_new;
      if (active.remembers)
        particles_.require(Column<Index>{column.c_str(), "1", "1 where the behaviour acted last", 0, true});
      if (entry.info->solves && !setup_.individual_steps) solves_ = true;
      if (entry.info->substep_bonds) Substeps::require(particles_);
    }
  }
  if (solves_) VelocitySolve::require(particles_);
  pins_->require(particles_);
  emitters_->require(particles_);
  const auto require_initial = [&](const InitialValues& initial) {
    for (const InitialValues::Entry& entry : initial.entries()) particles_.require(*entry.column);
  };
  for (const ObjectSetup& object : setup_.objects) require_initial(object.initial);
  for (const EmitterSetup& emitter : setup_.emitters) require_initial(emitter.initial);
  // What is wrapped in a periodic domain is suddenly elsewhere.
  if (bodies_->worth_remembering() && !neighbourhood_.periodicity().any()) particles_.require(columns::clearance);
  if (setup_.individual_steps) {
    particles_.require(columns::step_level);
    particles_.require(columns::step_begin);
  }
}

/// Moves the points of an object out of their lattice by random amounts.
void World::disturb(std::vector<Vec3>& points, float by, std::size_t object) const {
  if (!(by > 0)) return;
  const Vec3 directions(by, by, setup_.dimension == 3 ? by : 0);
  for (std::size_t k = 0; k != points.size(); ++k)
    points[k] += (2 * random_point(setup_.seed + object, k) - Vec3::Ones()).cwiseProduct(directions);
}

void World::fill_objects(const ProgressReport& report) {
  const Kernel& kernel = neighbourhood_.kernel();
  for (std::size_t o = 0; o != setup_.objects.size(); ++o) {
    const ObjectSetup& given = setup_.objects[o];
    if (!given.shape) continue;
    const ProgressReport filling = report.task("particles of '" + given.name + "'");
    filling(0);
    std::vector<Vec3> points = given.filling == Filling::lattice
                                   ? fill_lattice(*given.shape, given.spacing, setup_.dimension)
                                   : fill_blue_noise(*given.shape, given.spacing, setup_.dimension, setup_.seed,
                                                     most_points, filling.part(0, 0.9));
    if (given.filling == Filling::lattice) disturb(points, disorder_of(given) * given.spacing, o);
    // Matter does not start inside a solid: a particle at a wall lies half a spacing from it.
    const std::size_t before = points.size();
    std::vector<std::uint8_t> in_solid(before);
    parallel_for(filling.part(0.9, 1), before,
                 [&](std::size_t k) { in_solid[k] = bodies_->distance(points[k], 0) < 0.4f * given.spacing; });
    std::size_t outside = 0;
    for (std::size_t k = 0; k != before; ++k)
      if (!in_solid[k]) points[outside++] = points[k];
    points.resize(outside);
    if (points.empty()) throw InputError("object '" + given.name + "' has no particles outside the colliders");
    if (points.size() != before)
      notes_.push_back("object '" + given.name + "': " + std::to_string(before - points.size()) + " of " +
                       std::to_string(before) + " particles lay in colliders and were left out");

    Vec3 centre = given.shape->bounds().centre();
    if (setup_.dimension == 2) centre.z() = 0;
    const float R = setup_.support_ratio * given.spacing;
    const float V = lattice_volume(kernel, given.spacing, R);
    Index i = particles_.create(static_cast<Index>(points.size()));
    for (const Vec3& x : points) {
      particles_[columns::position][i] = x;
      particles_[columns::velocity][i] = given.velocity;
      if (!given.angular_velocity.isZero())
        particles_[columns::velocity][i] += given.angular_velocity.cross(x - centre);
      particles_[columns::object][i] = static_cast<Index>(o);
      particles_[columns::volume][i] = V;
      particles_[columns::support][i] = R;
      for (const InitialValues::Entry& entry : given.initial.entries())
        particles_[*entry.column][i] = at_place(entry.value, x);
      ++i;
    }
  }
  initialise(0);
}

/// Gives new particles the mass that belongs to their volume: by the rest density of the first behaviour of their
/// object that has one, otherwise by the object's own density.
void World::initialise(Index first) {
  const auto object = particles_[columns::object];
  const auto V = particles_[columns::volume], m = particles_[columns::mass], rho = particles_[columns::density];
  for (Index i = first; i != particles_.size(); ++i) {
    rho[i] = setup_.objects[object[i]].density;
    m[i] = 0;
  }
  for (Active& active : behaviours_) {
    const Parameter* rest_density = active.behaviour->info().rest_density;
    if (!rest_density) continue;
    active.properties.update(time_, particles_);
    const Property<float> rho0 = active.properties.number(*rest_density);
    for (Index i = first; i != particles_.size(); ++i)
      if (m[i] == 0 && !active.properties.tracks(object[i]).empty()) {
        rho[i] = rho0(i);
        m[i] = rho[i] * V[i];
      }
  }
  for (Index i = first; i != particles_.size(); ++i)
    if (m[i] == 0) m[i] = rho[i] * V[i];
}

void World::step(double until) {
  const double before = time_;
  const double dt = choose_step(until);
  move(before);
  leave_and_enter(before);
  evaluate_due(due_particles(), dt);
  last_step_ = dt;
  ++steps_;
}

void World::evaluate() { evaluate_due({}, 0); }

void World::evaluate_due(std::span<const std::uint8_t> due, double step) {
  // Steps between two sortings of the store; results do not depend on it.
  constexpr std::uint64_t sorting_interval = 32;
  // A step is at most this much longer than the one before: leapfrog keeps the energy of matter while its step is
  // steady.
  constexpr float growth = 1.02f;
  const float longest = step > 0 ? growth * limit_.seconds : infinity;
  evaluations_ += due.empty() ? particles_.size() : static_cast<std::uint64_t>(std::ranges::count(due, 1));
  put_into_slots(due, step > 0 && steps_ % sorting_interval == 0);
  update_weights();
  begin_behaviours(step);
  sum_over_neighbours();
  find_rates_and_kick();
  find_limit(step);
  solve_for_velocities(step);
  load_bodies(step);
  limit_.seconds = std::min(limit_.seconds, longest);
}

/// The largest stable step that divides what is left into equal parts.
double World::choose_step(double until) {
  if (setup_.individual_steps) return individual_step(until);
  const double left = until - time_;
  const double parts = std::max(1.0, std::ceil(left / limit_.seconds - 1e-6));
  const double dt = left / parts;
  time_ = parts == 1 ? until : time_ + dt;
  return dt;
}

void World::move(double from) {
  const Stopwatch watch(phases_.integration);
  const double dt = time_ - from;
  pins_->update(particles_, from);
  emitters_->guide(particles_, from, time_);
  bodies_->rigid().advance(from, time_);
  bool stays = true;
  std::span<const std::uint8_t> moved;
  // Once more after the last actor has left, so that nothing of it stays.
  if (const std::vector<Substeps::Actor> actors = substep_actors(from); !actors.empty() || substeps_.most() != 0) {
    stays = substeps_.advance(particles_, actors, substep_setting(), from, time_);
    moved = substeps_.moved();
  }
  if (!drift(particles_, {*bodies_, neighbourhood_.periodicity(), setup_.dimension, impulses_}, *pins_, moved, from,
             time_) ||
      !stays)
    throw_runaway(dt);
  impulses_.give_to(bodies_->rigid(), dt);
  for (const Active& active : behaviours_)
    parallel_blocks(particles_.size(), 4096, [&](std::size_t begin, std::size_t end) {
      active.behaviour->predict(particles_, begin, end, static_cast<float>(dt));
    });
}

/// Behaviours with forces in substeps. Their properties are those of the present state, also in a run just resumed.
std::vector<Substeps::Actor> World::substep_actors(double time) {
  std::vector<Substeps::Actor> actors;
  for (Active& active : behaviours_) {
    if (!active.behaviour->info().substep_bonds) continue;
    active.properties.update(time, particles_);
    if (active.properties.active()) actors.push_back({active.behaviour.get(), &active.properties});
  }
  return actors;
}

Substeps::Setting World::substep_setting() {
  return {*neighbourhood_.loops().substeps,
          {*bodies_, neighbourhood_.periodicity(), setup_.dimension, impulses_},
          *pins_,
          setup_.support_ratio,
          setup_.step_factor,
          static_cast<Index>(setup_.objects.size())};
}

std::vector<Vec3> World::substep_accelerations() {
  const std::vector<Substeps::Actor> actors = substep_actors(time_);
  if (actors.empty()) return std::vector<Vec3>(particles_.size(), Vec3::Zero());
  return substeps_.accelerations(particles_, actors, substep_setting());
}

void World::leave_and_enter(double from) {
  const Stopwatch watch(phases_.rest);
  std::vector<std::uint8_t> marked;
  if (emitters_->mark_leaving(particles_, *bodies_, time_, marked) != 0) particles_.remove(marked);
  first_new_id_ = particles_.next_id();
  const Index before = particles_.size();
  if (emitters_->emit(particles_, *bodies_, from, time_) == 0) return;
  initialise(before);
  if (setup_.individual_steps) start_levels(before);
}

std::vector<Statistic> World::behaviour_statistics() const {
  std::vector<Statistic> all;
  for (const Active& active : behaviours_)
    for (const Statistic& statistic : active.behaviour->info().statistics) all.push_back(statistic);
  return all;
}

std::vector<double> World::measure_behaviours() const {
  std::vector<double> values;
  for (const Active& active : behaviours_) {
    const std::size_t count = active.behaviour->info().statistics.size();
    if (count == 0) continue;
    values.resize(values.size() + count);
    active.behaviour->measure({particles_, active.properties, setup_.dimension}, std::span(values).last(count));
  }
  return values;
}

std::size_t World::bytes() const {
  return particles_.size() * particles_.bytes_per_particle() + neighbourhood_.bytes() + fields_.bytes();
}

}  // namespace fondue
