#include "world/individual_steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "world/world.h"

namespace fondue {

namespace {

constexpr std::uint64_t ticks_a_frame = std::uint64_t{1} << finest_level;
/// A particle's step is at most this many powers of two longer than its neighbours'.
constexpr Index largest_contrast = 2;

std::uint64_t length(Index level) { return ticks_a_frame >> level; }

/// The largest of two levels wins, whoever writes first.
void raise_to(Index& level, Index least) {
  std::atomic_ref<Index> shared(level);
  Index seen = shared.load(std::memory_order_relaxed);
  while (seen < least && !shared.compare_exchange_weak(seen, least, std::memory_order_relaxed)) {
  }
}

}  // namespace

/// Goes on to the next tick at which some particle's step ends.
double World::individual_step(double until) {
  const auto level = particles_[columns::step_level], begin = particles_[columns::step_begin];
  if (tick_ == 0 || tick_ == ticks_a_frame) {
    tick_ = 0;
    interval_begin_ = time_;
    interval_end_ = until;
    std::fill(begin.begin(), begin.end(), 0);
  }
  const Index finest = parallel_reduce(
      level.size(), Index{0}, [&](std::size_t i) { return level[i]; }, [](Index a, Index b) { return std::max(a, b); });
  tick_ = (tick_ / length(finest) + 1) * length(finest);
  const double before = time_;
  const double fraction = static_cast<double>(tick_) / static_cast<double>(ticks_a_frame);
  time_ = tick_ == ticks_a_frame ? interval_end_ : interval_begin_ + fraction * (interval_end_ - interval_begin_);
  return time_ - before;
}

bool World::synchronised() const { return !setup_.individual_steps || tick_ == ticks_a_frame; }

double World::tick_seconds() const { return (interval_end_ - interval_begin_) / static_cast<double>(ticks_a_frame); }

/// Non-zero for particles that are evaluated now: whose step ends, or which do not sleep; empty: all are.
std::vector<std::uint8_t> World::due_particles() const {
  if (!setup_.individual_steps) return sleep_.evaluated(particles_);
  const auto level = particles_[columns::step_level], begin = particles_[columns::step_begin];
  std::vector<std::uint8_t> due(particles_.size());
  parallel_for(due.size(), [&](std::size_t i) { due[i] = tick_ % length(level[i]) == 0 || begin[i] == tick_; });
  return due;
}

/// What was just made is evaluated now and then steps like the fastest.
void World::start_levels(Index first) {
  const auto level = particles_[columns::step_level], begin = particles_[columns::step_begin];
  const Index finest = first == 0 ? 0 : *std::max_element(level.begin(), level.begin() + first);
  for (Index i = first; i != particles_.size(); ++i) {
    level[i] = finest;
    begin[i] = static_cast<Index>(tick_);
  }
}

/// A step may become shorter whenever it ends, and longer when the longer one would begin now as well.
void World::choose_levels(const Slots& slots, const float* limits) {
  const auto level = particles_[columns::step_level], begin = particles_[columns::step_begin];
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    if (!slots.due(slot)) continue;
    const Index i = slots.particle(slot);
    const double limit = std::max(static_cast<double>(limits[slot - slots.begin]), 1e-30);
    const double wanted = std::ceil(std::log2(setup_.frame_seconds / limit) - 1e-6);
    const auto desired = static_cast<Index>(std::clamp(wanted, 0.0, static_cast<double>(finest_level)));
    while (level[i] > desired && tick_ % length(level[i] - 1) == 0) --level[i];
    level[i] = std::max(level[i], desired);
    begin[i] = static_cast<Index>(tick_);
  }
}

/// Particles beside one with a much smaller step are woken early.
void World::raise_levels() {
  const auto level = particles_[columns::step_level];
  const auto x = particles_[columns::position];
  const auto R = particles_[columns::support];
  const Slots slots = neighbourhood_.slots();
  // What was decided for the particles due now, before it spreads.
  const std::vector<Index> chosen(level.begin(), level.end());
  parallel_for(
      neighbourhood_.blocks().size(),
      [&](std::size_t b) {
        const Block& block = neighbourhood_.blocks()[b];
        for (Index g = 0; g != block.group_count; ++g) {
          const Group& group = block.groups[g];
          for (Index lane = 0; lane != group.count; ++lane) {
            const Index i = slots.particle(group.first + lane);
            if (!slots.due(group.first + lane) || chosen[i] < largest_contrast) continue;
            const Index least = chosen[i] - largest_contrast;
            for (Index k = group.pairs_begin; k != group.pairs_end; ++k) {
              const Index j = slots.particle(block.pairs.data()[k]);
              if (chosen[j] >= least) continue;
              const float reach = std::max(R[i], R[j]);
              if (neighbourhood_.periodicity().shortest(x[i] - x[j]).squaredNorm() < reach * reach)
                raise_to(level[j], least);
            }
          }
        }
      },
      1);
}

}  // namespace fondue
