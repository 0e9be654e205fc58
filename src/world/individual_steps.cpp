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

double World::elapsed(Index i) const {
  const double ticks = static_cast<double>(tick_ - particles_[columns::step_begin][i]);
  return ticks / static_cast<double>(ticks_a_frame) * (interval_end_ - interval_begin_);
}

std::vector<Index> World::due_rows() const {
  const auto level = particles_[columns::step_level], begin = particles_[columns::step_begin];
  std::vector<Index> due;
  for (Index i = 0; i != particles_.size(); ++i)
    if (tick_ % length(level[i]) == 0 || begin[i] == tick_) due.push_back(i);
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
void World::choose_levels() {
  const auto level = particles_[columns::step_level], begin = particles_[columns::step_begin];
  const std::span<const Index> rows = neighbourhood_.rows();
  parallel_for(rows.size(), [&](std::size_t k) {
    const Index i = rows[k];
    const double limit = std::max(static_cast<double>(stable_step(i)), 1e-30);
    const double wanted = std::ceil(std::log2(setup_.frame_seconds / limit) - 1e-6);
    const auto desired = static_cast<Index>(std::clamp(wanted, 0.0, static_cast<double>(finest_level)));
    while (level[i] > desired && tick_ % length(level[i] - 1) == 0) --level[i];
    level[i] = std::max(level[i], desired);
    begin[i] = static_cast<Index>(tick_);
  });
  neighbourhood_.for_each_row([&](const Row& row) {
    if (level[row.i] < largest_contrast) return;
    const Index least = level[row.i] - largest_contrast;
    for (const Pair& pair : row.pairs) raise_to(level[pair.j], least);
  });
}

}  // namespace fondue
