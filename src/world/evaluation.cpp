// The evaluation of all behaviours at one moment: slots, neighbours and sums, rates, and the correction of velocities.

#include <algorithm>
#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/viscosity.h"
#include "behaviours/xsph.h"
#include "core/error.h"
#include "core/parallel.h"
#include "world/individual_steps.h"
#include "world/world.h"

namespace fondue {

namespace {

/// Steps between two sortings of the store; results do not depend on it.
constexpr std::uint64_t sorting_interval = 32;

}  // namespace

SharedStopwatch::~SharedStopwatch() {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const double first = static_cast<double>(spent_[0]), second = static_cast<double>(spent_[1]);
  const double share = first + second > 0 ? first / (first + second) : 1;
  *phases_[0] += share * seconds;
  *phases_[1] += (1 - share) * seconds;
}

void World::evaluate() { evaluate_due({}, 0); }

void World::evaluate_due(std::span<const std::uint8_t> due, double step) {
  evaluations_ += due.empty() ? particles_.size() : static_cast<std::uint64_t>(std::ranges::count(due, 1));
  put_into_slots(due, step > 0 && steps_ % sorting_interval == 0);
  const int passes = begin_behaviours(step);
  find_sums(passes);
  find_rates();
  if (setup_.individual_steps) raise_levels();
}

void World::put_into_slots(std::span<const std::uint8_t> due, bool sort_store) {
  const Stopwatch watch(phases_.sort);
  if (colliders_->move_to(time_) || !walls_sorted_) neighbourhood_.sort_walls(colliders_->walls());
  walls_sorted_ = true;
  const bool plain = neighbourhood_.loops().width == 1;
  if (sort_store && plain && due.empty())
    particles_.reorder(
        cell_order({particles_[columns::position], particles_[columns::support], particles_[columns::id], {}}));
  neighbourhood_.sort(particles_, due);
  if (sort_store && !plain) {
    particles_.reorder(neighbourhood_.slots().order);
    neighbourhood_.follow_reordering();
  }
  neighbourhood_.load_records(particles_);
}

int World::begin_behaviours(double step) {
  const Stopwatch watch(phases_.rest);
  const std::span<const Index> id = particles_[columns::id];
  elapsed_ = {.step = static_cast<float>(step), .id = id, .first_new_id = step > 0 ? first_new_id_ : 0};
  elapsed_.any_new = elapsed_.first_new_id != particles_.next_id();
  if (setup_.individual_steps) {
    elapsed_.begin = particles_[columns::step_begin];
    elapsed_.tick = tick_;
    elapsed_.tick_seconds = tick_seconds();
  }
  neighbourhood_.begin_pairs(fields_, shared_, particles_, colliders_->walls());
  hot_regions_.clear();
  for (const HotRegionSetup& region : setup_.hot_regions)
    if (region.on.at(time_) > 0.5f)
      hot_regions_.push_back(
          {region.shape.get(), region.position.at(time_), region.temperature.at(time_), region.rate.at(time_)});
  int passes = 0;
  running_.clear();
  formulas_ = {};
  formulas_.compression.volume = shared_.volume;
  for (Active& active : behaviours_) {
    active.properties.update(time_, particles_);
    if (!active.properties.active()) continue;
    active.behaviour->begin({particles_, active.properties, neighbourhood_.kernel(), setup_.support_ratio, time_,
                             expected_speed_, elapsed_, setup_.individual_steps, fields_, shared_,
                             neighbourhood_.records(), colliders_->walls(), hot_regions_});
    active.behaviour->join(formulas_);
    running_.push_back(&active);
    passes = std::max(passes, active.behaviour->sums());
  }
  neighbourhood_.set_one_material(fields_.all_the_same(), fields_.same_within_sizes());
  return passes;
}

/// Neighbours, and the sums over them that rates depend on.
void World::find_sums(int passes) {
  const PairSpace& space = neighbourhood_.pair_space();
  const PairLoops& loops = neighbourhood_.loops();
  const auto after = [&](int pass, const Block& block) {
    for (Active* active : running_)
      if (pass < active->behaviour->sums()) active->behaviour->after_sums(pass, neighbourhood_.slots(block));
  };
  {
    SharedStopwatch watch(phases_.lists, phases_.density);
    neighbourhood_.find(
        [&](Block& block) {
          loops.density(space, formulas_, block);
          after(0, block);
        },
        watch);
  }
  for (int pass = 1; pass < passes; ++pass) {
    const Stopwatch watch(phases_.density);
    parallel_for(
        neighbourhood_.blocks().size(),
        [&](std::size_t b) {
          const Block& block = neighbourhood_.blocks()[b];
          loops.again(space, formulas_, block);
          after(pass, block);
        },
        1);
  }
}

void World::find_rates() {
  const std::span<const Block> blocks = neighbourhood_.blocks();
  block_limits_.assign(blocks.size(), infinity);
  if (formulas_.implicit_viscosity.active) viscous_solve_.begin(particles_.size());
  std::atomic<const Block*> broken = nullptr;
  {
    SharedStopwatch watch(phases_.forces, phases_.integration);
    parallel_for(
        blocks.size(),
        [&](std::size_t b) {
          const auto begin = SharedStopwatch::Clock::now();
          const Block& block = blocks[b];
          const Slots slots = neighbourhood_.slots(block);
          const RateBuffer rates(block);
          neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas_, block, rates.arrays);
          for (const Active* active : running_) active->behaviour->add_rates(slots, rates.arrays);
          const auto middle = SharedStopwatch::Clock::now();
          if (!correct(slots, rates.arrays)) broken = &block;
          for (Active* active : running_) active->behaviour->advance(slots, rates.arrays);
          std::vector<float> limits(block.end - block.begin, infinity);
          limit_steps(slots, limits.data());
          if (setup_.individual_steps)
            choose_levels(slots, limits.data());
          else
            block_limits_[b] = *std::ranges::min_element(limits);
          watch.add(0, middle - begin);
          watch.add(1, SharedStopwatch::Clock::now() - middle);
        },
        1);
  }
  if (broken) throw_not_finite(*broken);
  viscosity_is_solved_ = formulas_.implicit_viscosity.active;
  viscous_result_ = {};
  if (viscosity_is_solved_) solve_viscosity();
  // An empty world waits for its emitters.
  const float wait = std::min(setup_.largest_step, 0.2f * setup_.spacing / std::max(expected_speed_, 1e-6f));
  limit_ = block_limits_.empty() ? wait : *std::ranges::min_element(block_limits_);
}

/// v <- v + (a' - a) dt/2 for every particle whose step ends now; false if some rate is not a number.
bool World::correct(const Slots& slots, const RateArrays& rates) {
  const auto v = particles_[columns::velocity], a = particles_[columns::acceleration];
  const auto drift = optional_column(particles_, columns::drift);
  const auto s_rate = optional_column(particles_, columns::compression_rate);
  const auto left = optional_column(particles_, columns::viscous_remainder);
  const bool solves = formulas_.implicit_viscosity.active;
  const float flat = setup_.dimension == 2 ? 0.0f : 1.0f;
  bool finite = true;
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    if (!slots.due(slot)) continue;
    const Index i = slots.particle(slot), k = slot - slots.begin;
    const Vec3 now(rates.ax[k], rates.ay[k], flat * rates.az[k]);
    const Vec3 moves(rates.dx[k], rates.dy[k], flat * rates.dz[k]);
    // One sum is not finite if any of its parts is not.
    if (!std::isfinite(now.sum() + moves.sum() + rates.heat[k])) {
      finite = false;
      continue;
    }
    if (solves) viscous_solve_.start(i, v[i]);
    // From the predicted velocity, or from the one before the step.
    v[i] += elapsed_(i) * (viscosity_is_solved_ ? now : Vec3(0.5f * (now - a[i])));
    a[i] = now;
    if (!left.empty()) {
      if (solves) v[i] += left[i];
      left[i].setZero();
    }
    if (!drift.empty()) drift[i] = moves;
    if (!s_rate.empty()) s_rate[i] = rates.compression[k];
  }
  return finite;
}

void World::solve_viscosity() {
  const Stopwatch watch(phases_.solve);
  const auto v = particles_[columns::velocity], a = particles_[columns::acceleration];
  const auto left = particles_[columns::viscous_remainder], change = particles_[columns::viscous_change];
  viscous_result_ = viscous_solve_.solve(neighbourhood_, formulas_.implicit_viscosity, particles_, elapsed_.step);
  const float inverse_step = 1 / elapsed_.step;
  const Slots slots = neighbourhood_.slots();
  parallel_for(slots.end, [&](std::size_t k) {
    const Index i = slots.particle(static_cast<Index>(k));
    const Vec3 now = viscous_solve_.velocity(k);
    a[i] += inverse_step * (now - v[i]);
    v[i] = now;
    change[i] = viscous_solve_.change(k, i);
    left[i] = viscous_solve_.remainder(k);
  });
}

void World::limit_steps(const Slots& slots, float* limits) const {
  const auto R = particles_[columns::support];
  const auto a = particles_[columns::acceleration];
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    limits[slot - slots.begin] = R[i] * R[i] / std::max(a[i].squaredNorm(), 1e-37f);
  }
  // 0.25 sqrt(R/|a|), without waiting for the roots of each particle.
  for (Index k = 0; k != slots.end - slots.begin; ++k) limits[k] = 0.25f * std::sqrt(std::sqrt(limits[k]));
  for (const Active* active : running_) active->behaviour->limit_steps(slots, limits);
  for (Index k = 0; k != slots.end - slots.begin; ++k)
    limits[k] = std::min(setup_.largest_step, setup_.step_factor * limits[k]);
}

/// What the collider's boundary particles do to the particles, turned round.
Vec3 World::force_on(Index collider) {
  const auto m = particles_[columns::mass];
  const std::span<const Block> blocks = neighbourhood_.blocks();
  const std::span<const WallRecord> walls = neighbourhood_.walls();
  std::vector<Vec3d> force(blocks.size(), Vec3d::Zero());
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        const Block& block = blocks[b];
        Block own;
        own.begin = block.begin;
        own.end = block.end;
        own.reserve_groups(block.group_count);
        own.group_count = block.group_count;
        Index count = 0;
        for (Index g = 0; g != block.group_count; ++g) {
          const Group& group = block.groups[g];
          own.groups[g] = {group.first, group.count, 0, 0, count, count, group.one_size};
          own.walls.reserve(count + group.walls_end - group.walls_begin);
          for (Index k = group.walls_begin; k != group.walls_end; ++k)
            if (const Index wall = block.walls.data()[k]; walls[wall].collider == collider)
              own.walls.data()[count++] = wall;
          own.groups[g].walls_end = count;
        }
        if (count == 0) return;
        const RateBuffer rates(block);
        neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas_, own, rates.arrays);
        for (Index k = 0; k != block.end - block.begin; ++k)
          force[b] -= static_cast<double>(m[neighbourhood_.slots().particle(block.begin + k)]) *
                      Vec3d(rates.arrays.ax[k], rates.arrays.ay[k], rates.arrays.az[k]);
      },
      1);
  Vec3d total = Vec3d::Zero();
  for (const Vec3d& part : force) total += part;
  return total.cast<float>();
}

void World::throw_not_finite(const Block& block) const {
  const Slots slots = neighbourhood_.slots(block);
  std::string culprit = "the sum of all behaviours";
  Index broken = slots.particle(slots.begin);
  const auto find_broken = [&](const RateArrays& rates) {
    for (Index k = 0; k != block.end - block.begin; ++k)
      if (!std::isfinite(rates.ax[k] + rates.ay[k] + rates.az[k] + rates.dx[k] + rates.dy[k] + rates.dz[k] +
                         rates.heat[k])) {
        broken = slots.particle(block.begin + k);
        return true;
      }
    return false;
  };
  const RateBuffer all(block);
  neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas_, block, all.arrays);
  for (const Active* active : running_) active->behaviour->add_rates(slots, all.arrays);
  find_broken(all.arrays);
  for (const Active* active : running_) {
    PairFormulas formulas;
    active->behaviour->join(formulas);
    const RateBuffer rates(block);
    neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas, block, rates.arrays);
    active->behaviour->add_rates(slots, rates.arrays);
    if (!find_broken(rates.arrays)) continue;
    culprit = std::string("behaviour '") + active->behaviour->info().name + "'";
    break;
  }
  throw SimulationError(culprit + " gave particle " + std::to_string(particles_[columns::id][broken]) + " of object '" +
                        setup_.objects[particles_[columns::object][broken]].name +
                        "' a value that is not a number at time " + std::to_string(time_) +
                        " s; a smaller time.step_factor may help");
}

void World::throw_runaway(float dt) const {
  const auto v = particles_[columns::velocity];
  const auto R = particles_[columns::support];
  Index worst = 0;
  for (Index i = 0; i != particles_.size(); ++i)
    if (!(dt * v[i].norm() < 50 * R[i])) worst = i;
  throw SimulationError("particle " + std::to_string(particles_[columns::id][worst]) + " of object '" +
                        setup_.objects[particles_[columns::object][worst]].name + "' ran away with " +
                        std::to_string(v[worst].norm()) + " m/s at time " + std::to_string(time_) +
                        " s; a higher speed_of_sound or a smaller time.step_factor may help");
}

std::size_t World::bytes() const {
  return particles_.size() * particles_.bytes_per_particle() + neighbourhood_.bytes() + fields_.bytes();
}

}  // namespace fondue
