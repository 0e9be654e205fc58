#include "world/world.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/xsph.h"
#include "core/error.h"
#include "core/parallel.h"
#include "shapes/filling.h"
#include "world/individual_steps.h"

namespace fondue {

World::World(WorldSetup setup, const PairLoops& loops) : World(std::move(setup), Particles{}, {}, loops) {
  fill_objects();
  evaluate();
}

World::World(WorldSetup setup, Particles particles, const std::map<std::string, std::vector<double>>& state,
             const PairLoops& loops)
    : setup_(std::move(setup)),
      particles_(std::move(particles)),
      neighbourhood_(Kernel(setup_.kernel, setup_.dimension), {setup_.periodic, setup_.domain.value_or(Box{})},
                     setup_.support_ratio, loops) {
  const Box extent = extent_of(setup_);
  expected_speed_ = fondue::expected_speed(setup_, extent);
  colliders_ = std::make_unique<Bodies>(setup_.colliders, setup_.wall_lattice(),
                                        setup_.domain.value_or(extent.grown(extent.size().maxCoeff())));
  emitters_ = std::make_unique<Emitters>(setup_);
  notes_ = colliders_->notes();
  make_behaviours();
  if (state.empty()) return;
  const std::vector<double>& clock = state.at("clock");
  time_ = clock.at(0);
  limit_ = clock.at(1);
  last_step_ = clock.at(2);
  steps_ = static_cast<std::uint64_t>(clock.at(3));
  evaluations_ = static_cast<std::uint64_t>(clock.at(4));
  interval_begin_ = clock.at(5);
  interval_end_ = clock.at(6);
  tick_ = static_cast<std::uint64_t>(clock.at(7));
  viscosity_is_solved_ = clock.at(8) != 0;
  emitters_->restore(state.at("emitters"));
  // Frames of version 0.1 have no poses: those of the keyframes.
  colliders_->move_to(time_);
  colliders_->restore(state);
}

World::~World() = default;

std::map<std::string, std::vector<double>> World::state() const {
  std::map<std::string, std::vector<double>> state = colliders_->state();
  state["clock"] = {time_,
                    limit_,
                    last_step_,
                    static_cast<double>(steps_),
                    static_cast<double>(evaluations_),
                    interval_begin_,
                    interval_end_,
                    static_cast<double>(tick_),
                    viscosity_is_solved_ ? 1.0 : 0.0};
  state["emitters"] = emitters_->state();
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
  for (const RegisteredBehaviour& entry : behaviour_registry()) {
    std::vector<std::vector<Track>> tracks(setup_.objects.size());
    std::size_t most = 0;
    for (std::size_t o = 0; o != setup_.objects.size(); ++o) {
      for (const Track& track : setup_.objects[o].tracks)
        if (track.behaviour == entry.info->name) tracks[o].push_back(track);
      most = std::max(most, tracks[o].size());
    }
    const std::size_t instances = entry.info->tracks_add ? most : std::min<std::size_t>(most, 1);
    for (std::size_t k = 0; k != instances; ++k) {
      std::vector<std::vector<Track>> own = tracks;
      if (entry.info->tracks_add)
        for (auto& list : own) list = k < list.size() ? std::vector<Track>{list[k]} : std::vector<Track>{};
      behaviours_.push_back({entry.make(), Properties(entry.info->parameters, std::move(own))});
      behaviours_.back().behaviour->require(particles_);
    }
  }
  for (const ObjectSetup& object : setup_.objects)
    if (object.temperature) particles_.require(columns::temperature);
  for (const EmitterSetup& emitter : setup_.emitters)
    if (emitter.temperature) particles_.require(columns::temperature);
  // What is wrapped in a periodic domain is suddenly elsewhere.
  if (colliders_->worth_remembering() && !neighbourhood_.periodicity().any()) particles_.require(columns::clearance);
  if (setup_.individual_steps) {
    particles_.require(columns::step_level);
    particles_.require(columns::step_begin);
  }
}

void World::fill_objects() {
  const Kernel& kernel = neighbourhood_.kernel();
  for (std::size_t o = 0; o != setup_.objects.size(); ++o) {
    const ObjectSetup& given = setup_.objects[o];
    if (!given.shape) continue;
    std::vector<Vec3> points = given.filling == Filling::lattice
                                   ? fill_lattice(*given.shape, given.spacing, setup_.dimension)
                                   : fill_blue_noise(*given.shape, given.spacing, setup_.dimension, setup_.seed);
    // Matter does not start inside a solid: a particle at a wall lies half a spacing from it.
    const std::size_t before = points.size();
    std::erase_if(points, [&](const Vec3& x) { return colliders_->distance(x, 0) < 0.4f * given.spacing; });
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
      if (given.temperature) particles_[columns::temperature][i] = at_place(*given.temperature, x);
      ++i;
    }
  }
  start_melted(0);
}

void World::start_melted(Index first) {
  const auto melted = optional_column(particles_, columns::melted);
  if (melted.empty()) return;
  const auto T = particles_[columns::temperature];
  const auto object = particles_[columns::object];
  std::vector<std::optional<ThermalMaterial>> materials;
  for (const ObjectSetup& given : setup_.objects) materials.push_back(thermal_material(given.tracks));
  for (Index i = first; i != particles_.size(); ++i)
    if (const auto& material = materials[object[i]]) melted[i] = material->melted_at(T[i]);
}

void World::step(double until) {
  const double before = time_;
  const double dt = setup_.individual_steps ? individual_step(until) : global_step(until);
  move(before, dt);
  enter_and_leave(before);
  if (setup_.individual_steps)
    evaluate_due(due_particles(), dt);
  else
    evaluate_due({}, dt);
  last_step_ = dt;
  ++steps_;
}

/// The largest stable step that divides what is left into equal parts.
double World::global_step(double until) {
  const double left = until - time_;
  const double parts = std::max(1.0, std::ceil(left / limit_ - 1e-6));
  const double dt = left / parts;
  time_ = parts == 1 ? until : time_ + dt;
  return dt;
}

void World::move(double from, double seconds) {
  const Stopwatch watch(phases_.integration);
  const auto x = particles_[columns::position], v = particles_[columns::velocity];
  const auto a = particles_[columns::acceleration];
  const auto drift = optional_column(particles_, columns::drift);
  const auto s = optional_column(particles_, columns::compression);
  const auto s_rate = optional_column(particles_, columns::compression_rate);
  const auto R = particles_[columns::support];
  const Bodies::Interval interval = colliders_->interval(from, time_);
  const Periodicity& periodicity = neighbourhood_.periodicity();
  const bool flat = setup_.dimension == 2, periodic = periodicity.any(), solids = !setup_.colliders.empty();
  const auto clearance = optional_column(particles_, columns::clearance);
  const float dt = static_cast<float>(seconds);
  // Where viscosity is solved for nothing is predicted.
  const float predicted = viscosity_is_solved_ ? 0 : dt;
  std::atomic<bool> runaway = false;
  parallel_blocks(particles_.size(), 1024, [&](std::size_t begin, std::size_t end) {
    bool far = false;
    for (std::size_t i = begin; i != end; ++i) {
      const Vec3 start = x[i];
      Vec3 at = start + dt * (v[i] + 0.5f * predicted * a[i]), speed = v[i] + predicted * a[i];
      if (!drift.empty()) at += dt * drift[i];
      if (!s_rate.empty()) s[i] += dt * s_rate[i];
      if (!clearance.empty())
        colliders_->guard(interval, start, at, speed, clearance[i]);
      else if (solids)
        colliders_->guard(interval, start, at, speed);
      if (flat) at.z() = speed.z() = 0;
      if (periodic) at = periodicity.wrapped(at);
      x[i] = at;
      v[i] = speed;
      const float most = 50 * R[i];
      far |= !(dt * dt * speed.squaredNorm() < most * most);
    }
    if (far) runaway = true;
  });
  if (runaway) throw_runaway(dt);
}

void World::enter_and_leave(double from) {
  const Stopwatch watch(phases_.rest);
  std::vector<std::uint8_t> marked;
  if (emitters_->mark_leaving(particles_, time_, marked) != 0) particles_.remove(marked);
  first_new_id_ = particles_.next_id();
  const Index before = particles_.size();
  const Index made = emitters_->emit(particles_, *colliders_, from, time_);
  if (made != 0) start_melted(before);
  if (made != 0 && setup_.individual_steps) start_levels(before);
}

}  // namespace fondue
