// The stage in which behaviours exchange mass between particles (behaviours/exchange.h).

#include "behaviours/exchange.h"

#include "core/parallel.h"
#include "world/matter_checks.h"
#include "world/world.h"

namespace fondue {

namespace {
/// Mass moves slowly beside sound: an exchange serves for so many steps.
constexpr std::uint64_t steps_per_exchange = 8;
}  // namespace

/// Takes back the half of the predicted kick that the next evaluation replaces: so what is exchanged has the velocity
/// of the middle of the step, and the forces of before, which belong to other masses, are not needed any more.
void World::unpredict(float step) {
  const auto v = particles_[columns::velocity], a = particles_[columns::acceleration];
  const auto solved = optional_column(particles_, columns::solved);
  parallel_for(v.size(), [&](std::size_t i) {
    if (solved.empty() || !solved[i]) v[i] -= 0.5f * step * a[i];
    a[i].setZero();
  });
}

void World::exchange_mass(double step) {
  if (std::ranges::find(exchanges_, 1) == exchanges_.end()) return;
  if (time_ > 0 && steps_ % steps_per_exchange != 0) return;
  unpredict(static_cast<float>(step));
  const double seconds = time_ - exchanged_at_;
  exchanged_at_ = time_;
  if (particles_.size() == 0) return;
  const MatterOutline matter = outline_of(setup_);
  for (const Active& active : behaviours_) active.behaviour->prepare_exchange(particles_, setup_.dimension);
  for (Active& active : behaviours_) {
    if (!active.behaviour->info().exchanges) continue;
    active.properties.update(time_, particles_);
    if (!active.properties.active()) continue;
    active.regions = regions_of(active);
    std::vector<std::uint8_t> marked(particles_.size(), 0);
    std::vector<Birth> births;
    active.behaviour->exchange({particles_, active.properties, matter, neighbourhood_.kernel(), setup_.support_ratio,
                                time_, seconds, expected_speed_, neighbourhood_.periodicity(), active.regions,
                                [&](const Vec3& x) { return bodies_->distance(x, time_); }, marked, births});
    if (std::ranges::find(marked, 1) != marked.end()) particles_.remove(marked);
    give_birth(births);
  }
}

void World::give_birth(std::span<const Birth> births) {
  if (births.empty()) return;
  const Index first = particles_.create(static_cast<Index>(births.size()));
  Index i = first;
  for (const Birth& birth : births) {
    particles_[columns::position][i] = birth.position;
    particles_[columns::velocity][i] = birth.velocity;
    particles_[columns::object][i] = birth.object;
    particles_[columns::mass][i] = birth.mass;
    particles_[columns::volume][i] = birth.volume;
    particles_[columns::density][i] = birth.mass / birth.volume;
    particles_[columns::support][i] = birth.support;
    for (const InitialValues::Entry& entry : setup_.objects[birth.object].initial.entries())
      particles_[*entry.column][i] = at_place(entry.value, birth.position);
    ++i;
  }
  if (setup_.individual_steps) start_levels(first);
}

}  // namespace fondue
