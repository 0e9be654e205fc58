#include "surface/grain_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace fondue {

GrainFlow::GrainFlow(GrainFlowSettings settings) : settings_(std::move(settings)), time_(settings_.start) {
  settings_.grains.check();
  if (settings_.substeps < 1 || settings_.relaxations < 0)
    throw InputError("flowing grains need at least one substep per frame and zero or more relaxations");
  if (!(settings_.fade_time > 0) || !(settings_.longest_flight > 0) || !(settings_.friction >= 0))
    throw InputError("flowing grains need a fade time and a longest flight above zero, and a friction of zero or more");
}

void GrainFlow::advance(const SandParticles& next, double dt) {
  SandFrame after(next);
  if (!before_) {
    start(after);
    before_ = std::move(after);
    return;
  }
  if (!(dt > 0)) throw InputError(fmt::format("a frame of sand must be later than the last one, not by {} s", dt));
  const int substeps = substeps_for(after, dt);
  find_resting(after, dt);
  const double begin = time_;
  for (int k = 0; k < substeps; ++k) {
    time_ = begin + dt * (k + 1) / substeps;
    move(SandField(between(*before_, after, dt, (k + 0.5) / substeps), settings_.grains),
         static_cast<float>(dt / substeps));
  }
  before_ = after;
  const SandField field(std::move(after), settings_.grains);
  const std::vector<float> crowded_by = crowding(field);
  relax(field, crowded_by);
  thin_out(field, crowded_by);
  fade(static_cast<float>(dt));
  fill_up(field, crowded_by);
  remove_buried();
}

void GrainFlow::start(const SandFrame& frame) {
  for (std::size_t p = 0; p < frame.ids.size(); ++p) {
    for (int which = 0; which < settings_.grains.per_particle; ++which) {
      grains_.push_back(fixed_grain(frame.view(), p, which, settings_.grains));
      grains_.back().id = next_id_++;
    }
  }
  states_.resize(grains_.size());
  parallel_for(grains_.size(), [&](std::size_t i) { collide(grains_[i], states_[i], 0); });
  remove_buried();
}

int GrainFlow::substeps_for(const SandFrame& next, double dt) const {
  if (next.ids.empty()) return settings_.substeps;
  // A few particles and grains that fall off an edge must not make all others take small steps.
  float fastest = 0;
  for (const std::vector<Vec3>* velocities : {&before_->velocities, &next.velocities}) {
    std::vector<float> speeds;
    for (const Vec3& v : *velocities) speeds.push_back(v.norm());
    if (speeds.empty()) continue;
    const auto spray = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() - 1 - speeds.size() / 100);
    std::ranges::nth_element(speeds, spray);
    fastest = std::max(fastest, *spray);
  }
  const float spacing = std::ranges::min(next.supports) / settings_.grains.support_ratio;
  const double needed = std::ceil(fastest * dt / (0.5 * spacing));
  return std::max(settings_.substeps, static_cast<int>(std::min<double>(needed, most_substeps)));
}

void GrainFlow::find_resting(const SandFrame& next, double dt) {
  std::vector<float> ways(next.ids.size());
  parallel_for(ways.size(), [&](std::size_t p) {
    const auto found = std::ranges::lower_bound(before_->ids, next.ids[p]);
    const bool known = found != before_->ids.end() && *found == next.ids[p];
    const auto q = static_cast<std::size_t>(found - before_->ids.begin());
    const float speed = std::max(next.velocities[p].norm(), known ? before_->velocities[q].norm() : infinity);
    ways[p] = speed * static_cast<float>(dt) * settings_.grains.support_ratio / next.supports[p];
  });
  const SandField field(next, settings_.grains);
  for_grains([&](std::size_t i, SandField::Surroundings& around) {
    State& state = states_[i];
    const Vec3& x = grains_[i].position;
    const bool calm = !state.flying && field.largest(x, ways, around) < resting_way;
    const auto sand = calm ? field.at(x, around) : std::nullopt;
    state.resting = sand && sand->within;
    if (state.resting) grains_[i].velocity = Vec3::Zero();
  });
}

void GrainFlow::move(Grain& grain, State& state, const SandField& field, SandField::Surroundings& around,
                     float h) const {
  const Vec3& g = settings_.gravity;
  const auto sand = field.at(grain.position + 0.5f * h * grain.velocity, around);
  state.flying = !sand || !sand->within;
  if (state.flying) {
    grain.position += h * (grain.velocity + 0.5f * h * g);
    grain.velocity += h * g;
  } else {
    grain.velocity = sand->velocity;
    grain.position += h * grain.velocity;
  }
  const bool touches = collide(grain, state, h);
  state.flight = state.flying && !touches ? state.flight + h : 0;
}

void GrainFlow::move(const SandField& field, float h) {
  const float spacing = field.frame().ids.empty() ? infinity : field.spacing(0);
  for_grains([&](std::size_t i, SandField::Surroundings& around) {
    Grain& grain = grains_[i];
    State& state = states_[i];
    if (state.resting) return;
    // What falls fast must not fall through anything.
    const float way = state.flying ? h * grain.velocity.norm() : 0;
    const int steps = std::clamp(static_cast<int>(way / (0.5f * spacing)) + 1, 1, most_substeps);
    const float step = h / static_cast<float>(steps);
    for (int k = 0; k != steps; ++k) move(grain, state, field, around, step);
  });
}

bool GrainFlow::far_from_solids(const Grain& grain, const State& state) const {
  return settings_.still && state.clearance - (grain.position - state.seen_at).norm() >= grain.radius;
}

/// Moves a grain out of the colliders; returns whether it touched one.
bool GrainFlow::collide(Grain& grain, State& state, float h) const {
  if (!settings_.collider || far_from_solids(grain, state)) return false;
  const auto distance = [&](const Vec3& x, double time) { return settings_.collider(x, time); };
  constexpr int most_tries = 8;
  bool touches = false;
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    const float d = distance(grain.position, time_);
    state.clearance = d;
    state.seen_at = grain.position;
    // A small tolerance, so that a grain already moved out is not detected again because of round-off.
    if (!(d < 0.999f * grain.radius)) break;
    touches = true;
    const float width = 0.25f * grain.radius;
    Vec3 normal;
    for (int a = 0; a < 3; ++a) {
      const Vec3 aside = width * Vec3::Unit(a);
      normal[a] = distance(grain.position + aside, time_) - distance(grain.position - aside, time_);
    }
    if (settings_.grains.dimension == 2) normal.z() = 0;
    normal = normal.isZero(0) ? Vec3(-settings_.gravity.normalized()) : normal.stableNormalized();
    grain.position += (grain.radius - d) * normal;
    // Velocity of the surface towards the grain.
    const float comes = h > 0 ? (distance(grain.position, time_ - h) - distance(grain.position, time_)) / h : 0;
    const float into = comes - grain.velocity.dot(normal);
    if (!(into > 0)) continue;
    grain.velocity += into * normal;
    const Vec3 along = grain.velocity - grain.velocity.dot(normal) * normal;
    const float speed = along.norm();
    if (speed > 0) grain.velocity -= std::min(1.0f, settings_.friction * into / speed) * along;
  }
  return touches;
}

void GrainFlow::fade(float dt) {
  const float change = dt / static_cast<float>(settings_.fade_time);
  parallel_for(grains_.size(), [&](std::size_t i) {
    if (states_[i].flight > settings_.longest_flight) states_[i].dying = true;
    grains_[i].opacity = std::clamp(grains_[i].opacity + (states_[i].dying ? -change : change), 0.0f, 1.0f);
  });
  keep_only([&](std::size_t i) { return !states_[i].dying || grains_[i].opacity > 0; });
}

/// Removes grains that could not be moved out of a collider, in a wedge or between two closing ones.
void GrainFlow::remove_buried() {
  if (!settings_.collider) return;
  std::vector<std::uint8_t> free(grains_.size());
  parallel_for(grains_.size(), [&](std::size_t i) {
    free[i] = far_from_solids(grains_[i], states_[i]) || settings_.collider(grains_[i].position, time_) >= 0;
  });
  keep_only([&](std::size_t i) { return free[i] != 0; });
}

template <class Keep>
void GrainFlow::keep_only(Keep&& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < grains_.size(); ++i) {
    if (!keep(i)) continue;
    grains_[kept] = grains_[i];
    states_[kept] = states_[i];
    ++kept;
  }
  grains_.resize(kept);
  states_.resize(kept);
}

std::vector<Vec3> GrainFlow::positions() const {
  std::vector<Vec3> result(grains_.size());
  parallel_for(grains_.size(), [&](std::size_t i) { result[i] = grains_[i].position; });
  return result;
}

float GrainFlow::largest_radius() const {
  float largest = 0;
  for (const Grain& grain : grains_) largest = std::max(largest, grain.radius);
  return largest;
}

}  // namespace fondue
