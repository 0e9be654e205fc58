// The evaluation of all behaviours at one moment: slots, neighbours and sums, rates, and the correction of velocities.

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "particles/bonds_of.h"
#include "particles/bounds.h"
#include "particles/sheets.h"
#include "world/individual_steps.h"
#include "world/integrator.h"
#include "world/world.h"

namespace fondue {

/// A box that contains all that particles may have for neighbours.
Box World::reach_of_matter() const {
  if (neighbourhood_.periodicity().any()) return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  const auto R = particles_[columns::support];
  const float farthest = parallel_reduce(
      R.size(), 0.0f, [&](std::size_t i) { return R[i]; }, [](float a, float b) { return std::max(a, b); });
  return matter_.grown(farthest);
}

void World::put_into_slots(std::span<const std::uint8_t> due, bool sort_store) {
  const Stopwatch watch(phases_.sort);
  if (bodies_->move_to(time_) || !walls_sorted_)
    neighbourhood_.sort_walls(bodies_->walls(), bodies_->steady(), reach_of_matter());
  walls_sorted_ = true;
  const bool plain = neighbourhood_.loops().width == 1;
  if (sort_store && plain && due.empty())
    particles_.reorder(
        cell_order({particles_[columns::position], particles_[columns::support], particles_[columns::id], {}}));
  neighbourhood_.sort(particles_, matter_, due);
  if (sort_store && !plain) {
    particles_.reorder(neighbourhood_.slots().order);
    neighbourhood_.follow_reordering();
  }
}

/// Evaluates all weights; particles whose weight has risen from zero enter the behaviour, those whose weight has fallen
/// to zero leave it.
void World::update_weights() {
  const Stopwatch watch(phases_.rest);
  const auto id = particles_[columns::id];
  const bool any_unseen = first_unseen_id_ != particles_.next_id();
  for (Active& active : behaviours_) {
    active.properties.update(time_, particles_);
    const bool remembers = active.remembers;
    if (!remembers && !any_unseen) continue;
    const Property<float> weight = active.properties.weight();
    const std::span<Index> memory = remembers ? memory_of(active) : std::span<Index>{};
    std::vector<Index> entered, left;
    for (Index i = 0; i != particles_.size(); ++i) {
      const bool acts = weight(i) > 0;
      const bool unseen = id[i] >= first_unseen_id_;
      const bool acted = remembers ? memory[i] != 0 : acts && !unseen;
      if (acts && !acted) entered.push_back(i);
      if (!acts && acted) left.push_back(i);
      if (remembers) memory[i] = acts;
    }
    if (!entered.empty()) active.behaviour->entered(particles_, active.properties, entered);
    if (!left.empty()) active.behaviour->left(particles_, left);
  }
  dissolve_sheets();
  first_unseen_id_ = particles_.next_id();
}

/// Where a behaviour with a rest density has taken over from those of sheets, a sheet is matter like any other: its
/// triangles go.
void World::dissolve_sheets() {
  const auto of_sheets = [](const Active& a) { return a.behaviour->info().of_sheets; };
  if (std::ranges::none_of(behaviours_, [&](const Active& a) { return of_sheets(a) && a.remembers; })) return;
  const auto thickness = particles_[columns::thickness];
  std::vector<Index> loose;
  for (Index i = 0; i != particles_.size(); ++i) {
    if (!(thickness[i] > 0)) continue;
    bool held = false, melted = false;
    for (const Active& active : behaviours_) {
      const bool acts = active.properties.weight()(i) > 0;
      held |= acts && of_sheets(active);
      melted |= acts && active.behaviour->info().rest_density;
    }
    if (held || !melted) continue;
    thickness[i] = 0;
    loose.push_back(i);
  }
  if (!loose.empty()) remove_bonds_of(particles_.bonds(sheets::bond_set), loose);
}

/// Those of a behaviour that are on.
std::vector<Region> World::regions_of(const Active& active) const {
  std::vector<Region> regions;
  for (const RegionSetup& region : setup_.regions)
    if (region.behaviour == active.name() && region.on.at(time_) > 0.5f) {
      const BodyState state = state_at(region.motion, time_);
      regions.push_back({region.shape.get(), state.pose.position.cast<float>(), &region.values,
                         state.pose.rotation.cast<float>(), state.velocity.cast<float>(),
                         state.angular_velocity.cast<float>()});
    }
  return regions;
}

void World::begin_behaviours(double step) {
  const Stopwatch watch(phases_.rest);
  neighbourhood_.load_records(particles_);
  elapsed_ = {
      .step = static_cast<float>(step), .id = particles_[columns::id], .first_new_id = step > 0 ? first_new_id_ : 0};
  elapsed_.any_new = elapsed_.first_new_id != particles_.next_id();
  if (setup_.individual_steps) {
    elapsed_.begin = particles_[columns::step_begin];
    elapsed_.tick = tick_;
    elapsed_.tick_seconds = tick_seconds();
  }
  const Index objects = static_cast<Index>(setup_.objects.size());
  neighbourhood_.begin_fields(fields_, shared_, particles_, objects, bodies_->walls());
  Vec3 largest_acceleration = Vec3::Zero();
  for (const ObjectSetup& object : setup_.objects)
    if (const Vec3 a = common_acceleration(object.tracks, time_, setup_.dimension);
        a.squaredNorm() > largest_acceleration.squaredNorm())
      largest_acceleration = a;
  running_.clear();
  formulas_ = {};
  shared_.modulus = shared_.left_free = shared_.sheet_gap = {};
  shared_.own_density = own_density_;
  shared_.sleeps = sleep_.by_object();
  if (sheets_.follow(particles_)) {
    near_sheets_ = sheets_.near(
        particles_, setup_.support_ratio,
        SheetTriangles::expected_reach(particles_, setup_.support_ratio, step > 0 ? static_cast<float>(step) : 0),
        step);
    shared_.sheet_gap = near_sheets_.gap;
  }
  std::vector<Property<float>> fluids;
  for (const Active& active : behaviours_)
    if (active.behaviour->info().rest_density && active.properties.active())
      fluids.push_back(active.properties.weight());
  for (Active& active : behaviours_) {
    if (!active.properties.active()) continue;
    active.regions = regions_of(active);
    fields_.made_for(active.properties.acts_on());
    active.behaviour->begin({particles_, active.properties, neighbourhood_.kernel(), setup_.support_ratio, time_,
                             expected_speed_, largest_acceleration, elapsed_, setup_.individual_steps, fields_, shared_,
                             neighbourhood_.records(), bodies_->walls(), active.regions, fluids});
    active.behaviour->add_formulas(formulas_);
    running_.push_back(&active);
  }
  neighbourhood_.set_kinds(fields_, formulas_, objects);
  if (formulas_.any<Pass::bonds>()) neighbourhood_.find_slots();
}

/// Neighbours, and the sums over them that rates depend on.
void World::sum_over_neighbours() {
  const PairSpace& space = neighbourhood_.pair_space();
  const PairLoops& loops = neighbourhood_.loops();
  const auto after = [&](Pass pass, const Block& block) {
    for (Active* active : running_) active->behaviour->after_pass(pass, neighbourhood_.slots(block));
  };
  {
    SharedStopwatch watch(phases_.lists, phases_.density);
    neighbourhood_.find(
        [&](Block& block) {
          loops.density(space, formulas_, block);
          after(Pass::density, block);
        },
        watch);
  }
  if (!formulas_.any<Pass::gradient>()) return;
  const Stopwatch watch(phases_.density);
  parallel_for(
      neighbourhood_.blocks().size(),
      [&](std::size_t b) {
        const Block& block = neighbourhood_.blocks()[b];
        loops.gradient(space, formulas_, block);
        after(Pass::gradient, block);
      },
      1);
}

/// Block by block: accelerations, corrected velocities, what behaviours advance themselves, and stable steps.
void World::find_rates_and_kick() {
  const std::span<const Block> blocks = neighbourhood_.blocks();
  block_limits_.assign(blocks.size(), infinity);
  std::atomic<const Block*> broken = nullptr;
  {
    SharedStopwatch watch(phases_.forces, phases_.integration);
    parallel_for(
        blocks.size(),
        [&](std::size_t b) {
          const auto begin = SharedStopwatch::Clock::now();
          const Slots slots = neighbourhood_.slots(blocks[b]);
          const AccelerationBuffer rates(blocks[b]);
          find_rates(blocks[b], rates.arrays);
          const auto middle = SharedStopwatch::Clock::now();
          if (!kick(particles_, slots, rates.arrays, elapsed_, setup_.dimension) || !advance(slots))
            broken = &blocks[b];
          std::vector<float> limits(slots.end - slots.begin);
          limit_steps(slots, limits, [](const char*) {});
          block_limits_[b] = *std::ranges::min_element(limits);
          if (setup_.individual_steps) choose_levels(slots, limits.data());
          watch.add(0, middle - begin);
          watch.add(1, SharedStopwatch::Clock::now() - middle);
        },
        1);
  }
  if (broken) throw_not_finite(*broken);
  if (setup_.individual_steps) raise_levels();
}

void World::find_rates(const Block& block, const Accelerations& out) const {
  neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas_, block, out);
  if (formulas_.any<Pass::bonds>())
    neighbourhood_.loops().bonds(neighbourhood_.pair_space(), neighbourhood_.slot_order(), formulas_, block, out);
  const Slots slots = neighbourhood_.slots(block);
  for (const Active* active : running_)
    if (acts_in(slots, *active)) active->behaviour->add_rates(slots, out);
}

bool World::advance(const Slots& slots) {
  bool finite = true;
  for (Active* active : running_)
    if (acts_in(slots, *active)) finite &= active->behaviour->advance(slots);
  return finite;
}

void World::solve_for_velocities(double step) {
  solve_result_ = {};
  if (!solves_ || !(step > 0)) return;
  const Stopwatch watch(phases_.solve);
  VelocitySolve::carry_over(particles_);
  if (formulas_.any<Pass::solve>())
    solve_result_ = solve_.solve(neighbourhood_, formulas_, particles_, static_cast<float>(step));
  if (const float longest = setup_.step_factor * solve_result_.longest_step; longest < limit_.seconds)
    limit_ = {longest, "acceleration", particles_[columns::object][solve_result_.fastest]};
}

/// The largest stable step of each particle of the slots; after(cause) is called when a cause has lowered them.
template <class After>
void World::limit_steps(const Slots& slots, std::vector<float>& limits, After&& after) const {
  const Field& R = shared_.support;
  const auto a = particles_[columns::acceleration];
  const auto solved = optional_column(particles_, columns::solved);
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    // What is solved for follows the solution and not the forces before it (solve_for_velocities).
    const float a2 = !solved.empty() && solved[i] ? 0 : a[i].squaredNorm();
    limits[slot - slots.begin] = R.of(slot) * R.of(slot) / std::max(a2, 1e-37f);
  }
  // sqrt(R/|a|), without waiting for the roots of each particle.
  for (float& limit : limits) limit = acceleration_step * std::sqrt(std::sqrt(limit));
  after("acceleration");
  // What moves as one meets colliders at the ends of steps only: it goes a quarter of a spacing at most.
  if (const auto rigidity = optional_column(particles_, columns::rigidity); !rigidity.empty()) {
    const auto v = particles_[columns::velocity];
    for (Index slot = slots.begin; slot != slots.end; ++slot) {
      const Index i = slots.particle(slot);
      if (!(rigidity[i] > 0)) continue;
      float& limit = limits[slot - slots.begin];
      limit = std::min(limit, 0.25f * R.of(slot) / (setup_.support_ratio * std::max(v[i].norm(), 1e-30f)));
    }
    after(clusters::bond_set.c_str());
  }
  for (const Active* active : running_) {
    if (!acts_in(slots, *active)) continue;
    active->behaviour->limit_steps(slots, limits.data());
    after(active->name());
  }
  for (float& limit : limits) limit = std::min(setup_.largest_step, setup_.step_factor * limit);
}

/// The smallest of all steps, and what it is due to.
void World::find_limit(double step) {
  // An empty world waits for its emitters.
  const float wait = std::min(setup_.largest_step, 0.2f * setup_.spacing / std::max(expected_speed_, 1e-6f));
  limit_ = {wait, "largest_step", 0};
  if (block_limits_.empty()) return;
  if (step == 0)
    if (const std::vector<Substeps::Actor> actors = substep_actors(time_); !actors.empty())
      substeps_.find_limit(particles_, actors, substep_setting());
  const auto smallest = std::ranges::min_element(block_limits_);
  const Slots slots = neighbourhood_.slots(neighbourhood_.blocks()[smallest - block_limits_.begin()]);
  std::vector<float> limits(slots.end - slots.begin);
  float least = infinity;
  limit_steps(slots, limits, [&](const char* cause) {
    const auto now = std::ranges::min_element(limits);
    if (!(*now < least)) return;
    least = *now;
    const Index particle = slots.particle(slots.begin + static_cast<Index>(now - limits.begin()));
    limit_ = {least, cause, particles_[columns::object][particle]};
  });
  limit_.seconds = *smallest;
  if (setup_.largest_step < setup_.step_factor * least) limit_.cause = "largest_step";
  if (const Substeps::Limit& substeps = substeps_.limit(); substeps.seconds < limit_.seconds)
    limit_ = {substeps.seconds, "substeps", substeps.object};
}

/// Evaluates the behaviours of a block one by one to find the one that is to blame.
void World::throw_not_finite(const Block& block) {
  const Slots slots = neighbourhood_.slots(block);
  std::string culprit = "the sum of all behaviours";
  Index broken = slots.particle(slots.begin);
  const auto find_broken = [&](const Accelerations& rates) {
    for (Index k = 0; k != block.end - block.begin; ++k)
      if (!std::isfinite(rates.x[k] + rates.y[k] + rates.z[k])) {
        broken = slots.particle(block.begin + k);
        return true;
      }
    return false;
  };
  const AccelerationBuffer all(block);
  find_rates(block, all.arrays);
  find_broken(all.arrays);
  for (Active* active : running_) {
    PairFormulas formulas;
    active->behaviour->add_formulas(formulas);
    Block own;
    own.begin = block.begin;
    own.end = block.end;
    own.group_count = block.group_count;
    own.reserve_groups(block.group_count);
    Index pairs = 0, walls = 0;
    for (Index g = 0; g != block.group_count; ++g) {
      own.groups[g] = block.groups[g];
      pairs = std::max(pairs, block.groups[g].pairs_end);
      walls = std::max(walls, block.groups[g].walls_end);
      own.groups[g].formulas &= formulas.active_bits();
    }
    own.pairs.assign(block.pairs.data(), pairs);
    own.walls.assign(block.walls.data(), walls);
    const AccelerationBuffer rates(block);
    neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas, own, rates.arrays);
    if (formulas.any<Pass::bonds>())
      neighbourhood_.loops().bonds(neighbourhood_.pair_space(), neighbourhood_.slot_order(), formulas, own,
                                   rates.arrays);
    active->behaviour->add_rates(slots, rates.arrays);
    if (!find_broken(rates.arrays) && active->behaviour->advance(slots)) continue;
    culprit = std::string("behaviour '") + active->name() + "'";
    break;
  }
  throw SimulationError(culprit + " gave particle " + std::to_string(particles_[columns::id][broken]) + " of object '" +
                        setup_.objects[particles_[columns::object][broken]].name +
                        "' a value that is not a number at time " + std::to_string(time_) +
                        " s; a smaller time.step_factor may help");
}

void World::throw_runaway(double dt) const {
  const auto v = particles_[columns::velocity];
  const auto R = particles_[columns::support];
  Index worst = 0;
  for (Index i = 0; i != particles_.size(); ++i)
    if (!(static_cast<float>(dt) * v[i].norm() < 50 * R[i])) worst = i;
  throw SimulationError("particle " + std::to_string(particles_[columns::id][worst]) + " of object '" +
                        setup_.objects[particles_[columns::object][worst]].name + "' ran away with " +
                        std::to_string(v[worst].norm()) + " m/s at time " + std::to_string(time_) +
                        " s; a higher speed_of_sound or a smaller time.step_factor may help");
}

}  // namespace fondue
