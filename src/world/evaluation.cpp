// The evaluation of all behaviours at one moment: neighbours, sums, states, rates.

#include <algorithm>
#include <numeric>

#include "behaviours/fluid.h"
#include "core/error.h"
#include "core/parallel.h"
#include "world/world.h"

namespace fondue {

namespace {

/// The row as a behaviour of less than full weight sees it: kernels scaled by sqrt(w_i w_j), pairs it does not act on
/// left out.
struct WeightedRow {
  std::vector<Pair> pairs, walls;

  Row of(const Row& row, const Property<float>& weight) {
    pairs.clear();
    walls.clear();
    const float w_i = weight(row.i);
    const auto add = [](std::vector<Pair>& list, Pair pair, float w) {
      if (w <= 0) return;
      pair.W *= w;
      pair.gradW_factor *= w;
      list.push_back(pair);
    };
    for (const Pair& pair : row.pairs) add(pairs, pair, std::sqrt(w_i * weight(pair.j)));
    for (const Pair& wall : row.walls) add(walls, wall, w_i);
    return {row.i, pairs, walls};
  }
};

}  // namespace

std::vector<Index> World::all_rows() const {
  std::vector<Index> rows(particles_.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

void World::evaluate() { evaluate_rows(all_rows(), 0); }

void World::evaluate_rows(std::vector<Index> rows, double step) {
  evaluations_ += rows.size();
  // What was just made has not moved yet.
  elapsed_.assign(particles_.size(), 0.0f);
  for (const Index i : rows)
    if (particles_[columns::id][i] < first_new_id_)
      elapsed_[i] = static_cast<float>(setup_.individual_steps && step > 0 ? elapsed(i) : step);
  {
    const Stopwatch watch(phases_.neighbours);
    colliders_->move_to(time_);
    neighbourhood_.find(particles_, colliders_->walls(), std::move(rows));
  }
  int passes = 0;
  {
    const Stopwatch watch(phases_.rest);
    running_.clear();
    for (Active& active : behaviours_) {
      active.properties.update(time_, particles_);
      if (!active.properties.active()) continue;
      active.behaviour->begin({particles_, colliders_->walls(), active.properties, neighbourhood_.kernel(), time_,
                               expected_speed_, elapsed_, setup_.individual_steps});
      running_.push_back(&active);
      passes = std::max(passes, active.behaviour->sums());
    }
  }
  {
    const Stopwatch watch(phases_.sums);
    for (int pass = 0; pass != passes; ++pass)
      neighbourhood_.for_each_row([&](const Row& row) {
        for (Active* active : running_)
          if (pass < active->behaviour->sums() && active->properties.weight()(row.i) > 0)
            active->behaviour->sum(pass, row);
      });
    for (Active* active : running_) {
      const Property<float> weight = active->properties.weight();
      parallel_for(particles_.size(), [&](std::size_t i) {
        if (weight(static_cast<Index>(i)) > 0) active->behaviour->state(static_cast<Index>(i));
      });
    }
  }
  const Stopwatch watch(phases_.rates);
  rates_.resize(particles_.size());
  neighbourhood_.for_each_row([&](const Row& row) {
    Rates rates;
    add_rates(row, rates);
    if (setup_.dimension == 2) rates.acceleration.z() = rates.drift.z() = 0;
    rates_[row.i] = rates;
  });
  for (const Index i : neighbourhood_.rows())
    if (!rates_[i].acceleration.allFinite() || !rates_[i].drift.allFinite()) throw_not_finite(i);
}

void World::add_rates(const Row& row, Rates& rates) const {
  for (const Active* active : running_) {
    const Property<float> weight = active->properties.weight();
    if (weight(row.i) <= 0) continue;
    if (active->properties.full()) {
      active->behaviour->rates(row, rates);
    } else {
      WeightedRow weighted;
      active->behaviour->rates(weighted.of(row, weight), rates);
    }
  }
}

/// What the collider's boundary particles do to each particle, turned round: the rates with them less the rates
/// without.
Vec3 World::force_on(Index collider) {
  const Walls& walls = colliders_->walls();
  const auto m = particles_[columns::mass];
  std::vector<Vec3> force(particles_.size(), Vec3::Zero());
  neighbourhood_.for_each_row([&](const Row& row) {
    std::vector<Pair> own;
    for (const Pair& wall : row.walls)
      if (walls.collider[wall.j] == collider) own.push_back(wall);
    if (own.empty()) return;
    Rates with, without;
    add_rates({row.i, {}, own}, with);
    add_rates({row.i, {}, {}}, without);
    force[row.i] = -m[row.i] * (with.acceleration - without.acceleration);
  });
  const Vec3d total = parallel_reduce(
      force.size(), Vec3d(Vec3d::Zero()), [&](std::size_t i) { return Vec3d(force[i].cast<double>()); },
      [](const Vec3d& p, const Vec3d& q) { return Vec3d(p + q); });
  return total.cast<float>();
}

void World::throw_not_finite(Index i) const {
  std::string culprit = "the sum of all behaviours";
  neighbourhood_.for_each_row([&](const Row& row) {
    if (row.i != i) return;
    for (const Active* active : running_) {
      Rates rates;
      WeightedRow weighted;
      active->behaviour->rates(weighted.of(row, active->properties.weight()), rates);
      if (!rates.acceleration.allFinite() || !rates.drift.allFinite())
        culprit = std::string("behaviour '") + active->behaviour->info().name + "'";
    }
  });
  throw SimulationError(culprit + " gave particle " + std::to_string(particles_[columns::id][i]) + " of object '" +
                        setup_.objects[particles_[columns::object][i]].name +
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
  return particles_.size() * (particles_.bytes_per_particle() + sizeof(Rates)) + neighbourhood_.bytes();
}

}  // namespace fondue
