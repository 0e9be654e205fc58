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

namespace {

/// Steps between two sortings of the store; results do not depend on it.
constexpr std::uint64_t sorting_interval = 32;

}  // namespace

World::World(WorldSetup setup) : World(std::move(setup), Particles{}, {}) {
  fill_objects();
  evaluate();
  correct();
}

World::World(WorldSetup setup, Particles particles, const std::map<std::string, std::vector<double>>& state)
    : setup_(std::move(setup)),
      particles_(std::move(particles)),
      neighbourhood_(Kernel(setup_.kernel, setup_.dimension), {setup_.periodic, setup_.domain.value_or(Box{})}) {
  const Box extent = extent_of(setup_);
  expected_speed_ = fondue::expected_speed(setup_, extent);
  colliders_ = std::make_unique<Colliders>(setup_, setup_.domain.value_or(extent.grown(extent.size().maxCoeff())));
  emitters_ = std::make_unique<Emitters>(setup_);
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
  emitters_->restore(state.at("emitters"));
}

World::~World() = default;

std::map<std::string, std::vector<double>> World::state() const {
  return {{"clock",
           {time_, limit_, last_step_, static_cast<double>(steps_), static_cast<double>(evaluations_), interval_begin_,
            interval_end_, static_cast<double>(tick_)}},
          {"emitters", emitters_->state()}};
}

/// One instance of every behaviour that some object has; where tracks add up, one for each track.
void World::make_behaviours() {
  particles_.require(columns::position);
  particles_.require(columns::velocity);
  particles_.require(columns::acceleration);
  particles_.require(columns::drift);
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
      if (given.temperature) particles_[columns::temperature][i] = *given.temperature;
      ++i;
    }
  }
}

void World::step(double until) {
  const double before = time_;
  const double dt = setup_.individual_steps ? individual_step(until) : global_step(until);
  move(before, dt);
  enter_and_leave(before);
  keep_in_order();
  evaluate_rows(setup_.individual_steps ? due_rows() : all_rows(), dt);
  correct();
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
  const Stopwatch watch(phases_.motion);
  const auto x = particles_[columns::position], v = particles_[columns::velocity];
  const auto a = particles_[columns::acceleration], drift = particles_[columns::drift];
  const bool compresses = particles_.has(columns::compression.name);
  const auto s = compresses ? particles_[columns::compression] : std::span<float>{};
  const auto s_rate = compresses ? particles_[columns::compression_rate] : std::span<float>{};
  const auto R = particles_[columns::support];
  const Colliders::Interval interval = colliders_->interval(from, time_);
  const Periodicity periodicity{setup_.periodic, setup_.domain.value_or(Box{})};
  const float dt = static_cast<float>(seconds);
  std::atomic<bool> runaway = false;
  parallel_for(particles_.size(), [&](std::size_t i) {
    const Vec3 start = x[i];
    x[i] += dt * (v[i] + drift[i] + 0.5f * dt * a[i]);
    v[i] += dt * a[i];
    if (compresses) s[i] += dt * s_rate[i];
    colliders_->guard(interval, start, x[i], v[i]);
    if (setup_.dimension == 2) x[i].z() = v[i].z() = 0;
    if (periodicity.any()) x[i] = periodicity.wrapped(x[i]);
    if (!(dt * v[i].norm() < 50 * R[i])) runaway = true;
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
  if (made != 0 && setup_.individual_steps) start_levels(before);
}

void World::keep_in_order() {
  if (steps_ % sorting_interval != 0) return;
  const Stopwatch watch(phases_.neighbours);
  particles_.reorder(
      cell_order({particles_[columns::position], particles_[columns::support], particles_[columns::id], {}}));
}

/// v <- v + (a' - a) dt/2 for every particle whose step ends now, and the step it may take next.
void World::correct() {
  const Stopwatch watch(phases_.motion);
  const auto v = particles_[columns::velocity], a = particles_[columns::acceleration],
             drift = particles_[columns::drift];
  const bool compresses = particles_.has(columns::compression.name);
  const auto s_rate = compresses ? particles_[columns::compression_rate] : std::span<float>{};
  const std::span<const Index> rows = neighbourhood_.rows();
  parallel_for(rows.size(), [&](std::size_t k) {
    const Index i = rows[k];
    const Rates& rates = rates_[i];
    v[i] += 0.5f * elapsed_[i] * (rates.acceleration - a[i]);
    a[i] = rates.acceleration;
    drift[i] = rates.drift;
    if (compresses) s_rate[i] = rates.compression;
  });
  if (setup_.individual_steps) return choose_levels();
  // An empty world waits for its emitters.
  const float wait = std::min(setup_.largest_step, 0.2f * setup_.spacing / std::max(expected_speed_, 1e-6f));
  limit_ = parallel_reduce(
      particles_.size(), particles_.size() == 0 ? wait : infinity,
      [&](std::size_t i) { return stable_step(static_cast<Index>(i)); },
      [](float p, float q) { return std::min(p, q); });
}

float World::stable_step(Index i) const {
  const float R = particles_[columns::support][i], a = particles_[columns::acceleration][i].norm();
  float dt = 0.25f * std::sqrt(R / std::max(a, 1e-20f));
  for (const Active* active : running_)
    if (active->properties.weight()(i) > 0) dt = std::min(dt, active->behaviour->largest_step(i));
  return std::min(setup_.largest_step, setup_.step_factor * dt);
}

}  // namespace fondue
