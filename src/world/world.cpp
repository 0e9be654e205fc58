#include "world/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "particles/bounds.h"
#include "particles/sheets.h"
#include "world/individual_steps.h"
#include "world/integrator.h"

namespace fondue {

World::World(WorldSetup setup, const PairLoops& loops, const ProgressReport& report)
    : World(std::move(setup), Particles{}, {}, loops, report) {
  fill_objects(report);
  exchange_mass(0);
  report.task("first evaluation")(0);
  evaluate();
  for (const Active& active : behaviours_)
    for (const ObjectNote& note : active.behaviour->notes())
      notes_.push_back("object '" + setup_.objects[note.object].name + "' " + note.what);
  const bool free_bodies =
      std::ranges::any_of(setup_.colliders, [](const auto& body) { return body.rigid.has_value(); });
  for (const Index object : substeps_.always_implicit())
    if (const bool periodic = neighbourhood_.periodicity().any(); periodic || free_bodies)
      notes_.push_back(fmt::format("object '{}' asks for implicit steps always, but takes substeps {}",
                                   setup_.objects[object].name,
                                   periodic ? "because the domain is periodic" : "while it is near a free rigid body"));
}

World::World(WorldSetup setup, Particles particles, const State& state, const PairLoops& loops,
             const ProgressReport& report)
    : setup_(std::move(setup)),
      particles_(std::move(particles)),
      neighbourhood_(Kernel(setup_.kernel, setup_.dimension), {setup_.periodic, setup_.domain.value_or(Box{})},
                     setup_.support_ratio, loops),
      sleep_(setup_) {
  const Box extent = extent_of(setup_);
  expected_speed_ = fondue::expected_speed(setup_, extent);
  bodies_ = std::make_unique<Bodies>(setup_.colliders, setup_.wall_lattice(), reach_of(setup_, extent), report,
                                     setup_.joints);
  if (state.empty()) bodies_->relax();
  emitters_ = std::make_unique<Emitters>(setup_, extent, stray_distance_of(extent, expected_speed_), report);
  pins_ = std::make_unique<Pins>(setup_);
  notes_ = bodies_->notes();
  make_behaviours();
  first_unseen_id_ = particles_.next_id();
  if (!state.empty()) restore(state);
}

World::~World() = default;

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
  exchanges_.assign(setup_.objects.size(), 0);
  own_density_.assign(setup_.objects.size(), 0);
  for (const RegisteredBehaviour& entry : behaviour_registry()) {
    std::vector<std::vector<Track>> tracks(setup_.objects.size());
    std::size_t most = 0;
    for (std::size_t o = 0; o != setup_.objects.size(); ++o) {
      tracks[o] = tracks_of(setup_.objects[o].tracks, *entry.info);
      most = std::max(most, tracks[o].size());
      if (entry.info->surface_friction)
        for (const Track& track : tracks[o]) rubbing_.push_back({o, entry.info, track});
      if (entry.info->exchanges) exchanges_[o] |= !tracks[o].empty();
      if (entry.info->changes_volume) own_density_[o] |= std::ranges::any_of(tracks[o], entry.info->changes_volume);
      own_density_[o] |= exchanges_[o];
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
  sleep_.require(particles_);
  if (std::ranges::any_of(setup_.objects, &ObjectSetup::sheet)) {
    sheets::require(particles_);
    Substeps::require(particles_);
    particles_.require(columns::contact_force);
    particles_.require(columns::contact_pressing);
  }
  if (particles_.has_bonds(clusters::bond_set)) RigidClusters::require(particles_);
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

void World::step(double until) {
  const double before = time_;
  const double dt = choose_step(until);
  sleep_.wake_near_bodies(particles_, *bodies_, before, time_);
  move(before);
  leave_and_enter(before);
  evaluate_due(due_particles(), dt);
  last_step_ = dt;
  ++steps_;
}

void World::evaluate() {
  matter_ = bounds_of(particles_[columns::position]);
  evaluate_due({}, 0);
}

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
  if (step > 0)
    clusters_.correct_velocities(particles_, {*bodies_, neighbourhood_.periodicity(), setup_.dimension, impulses_},
                                 static_cast<float>(step));
  load_bodies(step);
  sleep_.update(particles_, neighbourhood_, shared_.sound_speed, time_, static_cast<float>(step));
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
  emitters_->guide(particles_, *bodies_, from, time_);
  bodies_->rigid().advance(from, time_);
  bool stays = true;
  std::vector<std::uint8_t> moved;
  // Once more after the last actor has left, so that nothing of it stays.
  const bool any_sheets = sheets_.follow(particles_);
  if (const std::vector<Substeps::Actor> actors = substep_actors(from);
      !actors.empty() || any_sheets || substeps_.most() != 0) {
    stays = substeps_.advance(particles_, actors, substep_setting(), from, time_);
    moved.assign(substeps_.moved().begin(), substeps_.moved().end());
  }
  const Confinement confinement{*bodies_, neighbourhood_.periodicity(), setup_.dimension, impulses_};
  stays &=
      clusters_.advance(particles_, {confinement, setup_.support_ratio, friction_of_objects()}, moved, from, time_);
  stays &= drift(particles_, confinement, *pins_, moved, from, time_, matter_);
  if (!stays) throw_runaway(dt);
  impulses_.give_to(bodies_->rigid(), dt);
  parallel_blocks(particles_.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (const Active& active : behaviours_) active.behaviour->predict(particles_, begin, end, static_cast<float>(dt));
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

/// Coulomb's coefficient of the surface of each object.
std::vector<float> World::friction_of_objects() const {
  std::vector<float> friction(setup_.objects.size(), 0.0f);
  for (const Rubbing& of : rubbing_)
    friction[of.object] = std::max(friction[of.object], of.info->surface_friction(of.track, time_));
  return friction;
}

Substeps::Setting World::substep_setting() const {
  return {*neighbourhood_.loops().substeps,
          {*bodies_, neighbourhood_.periodicity(), setup_.dimension, impulses_},
          bodies_->rigid(),
          *pins_,
          setup_.support_ratio,
          setup_.step_factor,
          friction_of_objects(),
          sheets_.all().empty() ? nullptr : &sheets_,
          sheets_.up_to_date(near_sheets_) ? &near_sheets_ : nullptr};
}

Vec3 World::force_on_pin(Index pin) const {
  if (!(last_step_ > 0) || pin >= substeps_.pin_impulses().size()) return Vec3::Zero();
  return (substeps_.pin_impulses()[pin] / last_step_).cast<float>();
}

std::vector<Vec3> World::substep_accelerations() {
  const std::vector<Substeps::Actor> actors = substep_actors(time_);
  if (actors.empty()) return std::vector<Vec3>(particles_.size(), Vec3::Zero());
  return substeps_.accelerations(particles_, actors, substep_setting());
}

void World::leave_and_enter(double from) {
  const Stopwatch watch(phases_.rest);
  std::vector<std::uint8_t> marked;
  const Index all = particles_.size(), first_id = particles_.next_id();
  if (emitters_->mark_leaving(particles_, matter_, *bodies_, time_, marked) != 0) {
    sleep_.wake_around(particles_, marked);
    particles_.remove(marked);
  }
  exchange_mass(time_ - from);
  first_new_id_ = particles_.next_id();
  const Index before = particles_.size();
  const bool emitted = emitters_->emit(particles_, *bodies_, from, time_) != 0;
  if (particles_.size() != all || particles_.next_id() != first_id) matter_ = bounds_of(particles_[columns::position]);
  if (!emitted) return;
  initialise(before);
  const auto x = particles_[columns::position];
  const auto m = particles_[columns::mass];
  for (const auto& [body, i, velocity] : emitters_->recoils())
    bodies_->rigid().strike(body, (-m[i] * velocity).cast<double>(), x[i].cast<double>());
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
  std::vector<Substeps::Actor> actors;
  for (const Active& active : behaviours_)
    if (active.behaviour->info().substep_bonds && active.properties.active())
      actors.push_back({active.behaviour.get(), &active.properties});
  if (!actors.empty()) substeps_.find_energies(particles_, actors, substep_setting());
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
