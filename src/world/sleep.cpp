#include "world/sleep.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "core/parallel.h"
#include "particles/neighbours.h"
#include "world/integrator.h"

namespace fondue {

namespace {

/// Of what is calm: speed over sqrt(a R) and way over R; and after which time over sqrt(R/a) it is at rest.
constexpr float calm_speed = 4e-3f, calm_way = 1e-2f, time_to_rest = 4;
/// A speed of sound that changes by more than this part wakes matter up.
constexpr float sound_change = 0.02f;
const std::string state_key = "sleep";

/// Mixes numbers into one that changes when any of them does (FNV-1a on their bits).
struct Fingerprint {
  std::uint64_t bits = 0xcbf29ce484222325;
  void add(double value) {
    bits = (bits ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
    bits ^= bits >> 29;
  }
  void add(float value) { add(static_cast<double>(value)); }
  void add(const Vec3& value) {
    for (const float component : value) add(component);
  }
  /// The value at a time, or the whole curve if it runs over an attribute.
  template <class T>
  void add(const Keyable<T>& keyable, double time) {
    if (!keyable.over_attribute()) return add(keyable.at(time));
    for (const double key : keyable.curve().keys()) add(key);
    for (const T& value : keyable.values()) add(value);
  }
  /// Exact in a double.
  double number() const { return static_cast<double>(bits >> 12); }
};

double fingerprint_of(std::span<const Track> tracks, double time) {
  Fingerprint all;
  for (const Track& track : tracks) {
    for (const char letter : track.behaviour) all.add(static_cast<double>(letter));
    all.add(track.weight, time);
    for (const auto& [name, number] : track.values.numbers()) all.add(number, time);
    for (const auto& [name, vector] : track.values.vectors()) all.add(vector, time);
  }
  return all.number();
}

/// Any thread may set it, always to the same value.
void set(std::uint8_t& mark) { std::atomic_ref<std::uint8_t>(mark).store(1, std::memory_order_relaxed); }

void disturb(Index& sleep, float& calm_time) {
  sleep = Sleep::awake;
  calm_time = 0;
}

}  // namespace

bool comes_to_rest(const ObjectSetup& object, std::span<const RegionSetup> regions) {
  bool held = false;
  if (object.sheet()) return false;
  for (const RegisteredBehaviour& entry : behaviour_registry())
    for (const Track& track : tracks_of(object.tracks, *entry.info)) {
      if (!track.weight.constant() || !entry.info->at_rest) return false;
      if (std::ranges::any_of(regions, [&](const RegionSetup& r) { return r.behaviour == entry.info->name; }))
        return false;
      if (!(track.weight.at(0) > 0)) continue;
      const AtRest at_rest = entry.info->at_rest(track);
      if (at_rest == AtRest::goes_on) return false;
      held |= at_rest == AtRest::holds;
    }
  return held;
}

Sleep::Sleep(const WorldSetup& setup) : setup_(setup), circumstances_(setup.objects.size()) {
  for (const ObjectSetup& object : setup.objects) {
    may_sleep_.push_back(!setup.individual_steps && comes_to_rest(object, setup.regions));
    possible_ |= may_sleep_.back() != 0;
  }
}

void Sleep::require(Particles& particles) const {
  if (possible_) {
    particles.require(columns::sleep);
    particles.require(columns::calm_time);
    particles.require(columns::calm_place);
  }
  // What slept in a saved run and may not do so any more.
  const auto sleep = optional_column(particles, columns::sleep);
  for (Index i = 0; i != sleep.size(); ++i)
    if (!may_sleep_[particles[columns::object][i]]) sleep[i] = awake;
}

void Sleep::wake_near_bodies(Particles& particles, const Bodies& bodies, double from, double to) const {
  if (!possible_) return;
  const auto sleep = particles[columns::sleep];
  const auto calm_time = particles[columns::calm_time];
  const auto x = particles[columns::position];
  const auto R = particles[columns::support];
  const Bodies::Interval interval = bodies.interval(from, to);
  for (std::size_t b = 0; b != bodies.size(); ++b) {
    const float moved = interval.shift[b] + interval.turn[b];
    const bool moves = moved > 0 || bodies[b].dynamic() || interval.swept[b] || !interval.carry[b].isZero(0);
    if (!moves) continue;
    const Box& reach = interval.reach[b];
    parallel_for(particles.size(), [&](std::size_t i) {
      if (calm_time[i] == 0 || !reach.grown(R[i]).contains(x[i])) return;
      const auto distance = [&](const Pose& pose) { return bodies[b].setup().shape->distance(pose.to_local(x[i])); };
      const float far = interval.swept[b] ? 0 : std::min(distance(interval.from[b]), distance(interval.to[b]));
      if (far < R[i]) disturb(sleep[i], calm_time[i]);
    });
  }
}

void Sleep::wake_around(Particles& particles, std::span<const std::uint8_t> removed) const {
  if (!possible_) return;
  const auto sleep = particles[columns::sleep];
  const auto calm_time = particles[columns::calm_time];
  const auto x = particles[columns::position];
  const auto R = particles[columns::support];
  std::vector<Vec3> places;
  float reach = 0;
  for (Index i = 0; i != particles.size(); ++i) {
    if (removed[i] && calm_time[i] > 0) places.push_back(x[i]);
    reach = std::max(reach, R[i]);
  }
  if (places.empty()) return;
  NeighbourList around;
  find_around({x, R, particles[columns::id], {}}, places, reach, around);
  for (std::size_t k = 0; k != places.size(); ++k)
    for (const Index i : around.of(k)) disturb(sleep[i], calm_time[i]);
}

std::vector<std::uint8_t> Sleep::evaluated(const Particles& particles) const {
  if (!possible_) return {};
  const auto sleep = particles[columns::sleep];
  if (std::ranges::none_of(sleep, [](Index state) { return state == asleep; })) return {};
  std::vector<std::uint8_t> result(sleep.size());
  parallel_for(sleep.size(), [&](std::size_t i) { result[i] = sleep[i] != asleep; });
  return result;
}

Sleep::Circumstances Sleep::present(Index object, const Neighbourhood& neighbourhood, std::span<const Index> object_of,
                                    const Field& sound_speed, double time) const {
  Circumstances result{fingerprint_of(setup_.objects[object].tracks, time), 0};
  const auto order = neighbourhood.slots().order;
  const auto first = std::ranges::find_if(order, [&](Index i) { return object_of[i] == object; });
  if (first != order.end()) result.sound_speed = sound_speed.values[(first - order.begin()) * sound_speed.stride];
  return result;
}

/// How long each particle has been calm, and by slot whether it is at rest; false if none is.
bool Sleep::find_rest(Particles& particles, const Slots& slots, double time, float step) {
  const auto sleep = particles[columns::sleep], object = particles[columns::object];
  const auto calm_time = particles[columns::calm_time];
  const auto place = particles[columns::calm_place];
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto R = particles[columns::support];
  const GivenMotion given(particles);
  std::vector<float> acceleration;
  for (const ObjectSetup& setup : setup_.objects)
    acceleration.push_back(common_acceleration(setup.tracks, time, setup_.dimension).norm());
  // In the order of the store, so that what it reads and writes lies side by side.
  disturbed_.resize(x.size());
  std::vector<std::uint8_t>& rests = disturbed_;
  parallel_for(x.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at), o = object[i];
    rests[i] = sleep[i] != awake;
    if (sleep[i] != awake || !may_sleep_[o]) return;
    const bool calm = v[i].squaredNorm() < calm_speed * calm_speed * acceleration[o] * R[i] &&
                      (x[i] - place[i]).squaredNorm() < calm_way * calm_way * R[i] * R[i] && !given(i);
    calm_time[i] = calm ? calm_time[i] + step : 0;
    if (!calm) place[i] = x[i];
    rests[i] = calm_time[i] * calm_time[i] * acceleration[o] > time_to_rest * time_to_rest * R[i];
  });
  if (std::ranges::find(rests, 1) == rests.end()) return false;
  at_rest_.resize(x.size());
  parallel_for(x.size(), [&](std::size_t slot) { at_rest_[slot] = rests[slots.particle(static_cast<Index>(slot))]; });
  return true;
}

/// Marks the neighbours of every group in which some particle is not quiet.
void Sleep::mark_neighbours(const Neighbourhood& neighbourhood, std::span<const std::uint8_t> quiet,
                            std::vector<std::uint8_t>& marked) const {
  marked.assign(quiet.size(), 0);
  parallel_for(
      neighbourhood.blocks().size(),
      [&](std::size_t b) {
        const Block& block = neighbourhood.blocks()[b];
        for (const Group& group : std::span(block.groups, block.group_count)) {
          const auto own = quiet.subspan(group.first, group.count);
          if (std::ranges::all_of(own, [](std::uint8_t is) { return is != 0; })) continue;
          for (Index k = group.pairs_begin; k != group.pairs_end; ++k) set(marked[block.pairs.data()[k]]);
        }
      },
      1);
}

void Sleep::update(Particles& particles, const Neighbourhood& neighbourhood, const Field& sound_speed, double time,
                   float step) {
  if (!possible_ || !(step > 0)) return;
  const auto sleep = particles[columns::sleep], object = particles[columns::object];
  const auto calm_time = particles[columns::calm_time];
  const Slots slots = neighbourhood.slots();
  std::vector<std::uint8_t> changed(may_sleep_.size(), 0);
  for (Index o = 0; o != may_sleep_.size(); ++o) {
    if (!may_sleep_[o]) continue;
    const Circumstances now = present(o, neighbourhood, object, sound_speed, time);
    Circumstances& before = circumstances_[o];
    const bool same_sound = std::abs(now.sound_speed - before.sound_speed) <= sound_change * before.sound_speed;
    if (now.fingerprint == before.fingerprint && same_sound) continue;
    before = now;
    changed[o] = 1;
  }
  if (std::ranges::find(changed, 1) != changed.end())
    parallel_for(sleep.size(), [&](std::size_t i) {
      if (changed[object[i]]) disturb(sleep[i], calm_time[i]);
    });

  if (!find_rest(particles, slots, time, step)) return;
  mark_neighbours(neighbourhood, at_rest_, disturbed_);
  // From here on, at_rest_ says who does not move.
  parallel_for(sleep.size(), [&](std::size_t slot) { at_rest_[slot] &= !disturbed_[slot]; });
  mark_neighbours(neighbourhood, at_rest_, beside_awake_);
  const auto v = particles[columns::velocity], a = particles[columns::acceleration];
  const auto clearance = optional_column(particles, columns::clearance);
  parallel_for(sleep.size(), [&](std::size_t slot) {
    const Index i = slots.particle(static_cast<Index>(slot)), before = sleep[i];
    sleep[i] = !at_rest_[slot] ? awake : beside_awake_[slot] ? drowsy : asleep;
    if (before == awake && sleep[i] != awake) {
      v[i].setZero();
      a[i].setZero();
      // Bodies may come nearer while it sleeps.
      if (!clearance.empty()) clearance[i] = 0;
    }
  });
}

void Sleep::save(std::map<std::string, std::vector<double>>& state) const {
  if (!possible_) return;
  for (const Circumstances& of : circumstances_) {
    state[state_key].push_back(of.fingerprint);
    state[state_key].push_back(of.sound_speed);
  }
}

void Sleep::restore(const std::map<std::string, std::vector<double>>& state) {
  const auto saved = state.find(state_key);
  if (saved == state.end()) return;
  for (std::size_t o = 0; o != circumstances_.size() && 2 * o + 1 < saved->second.size(); ++o)
    circumstances_[o] = {saved->second[2 * o], static_cast<float>(saved->second[2 * o + 1])};
}

}  // namespace fondue
