#include "world/integrator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>

#include "core/parallel.h"
#include "particles/bounds.h"

namespace fondue {

namespace {

/// Particles that one thread moves, and how many of them at a time: where none of these comes near a body, none is
/// looked at.
constexpr std::size_t moved_by_one = 1024, moved_together = 64;

/// The drift of particles without anything special: number by number, so that several are worked on at a time.
void fly(std::span<Vec3> x, std::span<Vec3> v, std::span<const Vec3> a, float dt) {
  float* const at = x.data()->data();
  float* const velocity = v.data()->data();
  const float* const acceleration = a.data()->data();
  for (std::size_t k = 0; k != 3 * x.size(); ++k) {
    at[k] += dt * (velocity[k] + 0.5f * dt * acceleration[k]);
    velocity[k] += dt * acceleration[k];
  }
}

/// Whether one of these particles goes 50 supports or more, or to nowhere.
bool some_run_away(std::span<const Vec3> v, std::span<const float> R, float dt) {
  // The sum of all is no smaller than the largest, and so far below the bound that it nearly always settles it.
  float sums[3] = {0, 0, 0}, least = infinity;
  for (const Vec3& velocity : v)
    for (int c = 0; c != 3; ++c) sums[c] += velocity[c] * velocity[c];
  for (const float support : R) least = std::min(least, support);
  const auto within = [&](float speed2, float support) { return dt * dt * speed2 < 50 * support * (50 * support); };
  if (within(sums[0] + sums[1] + sums[2], least)) return false;
  for (std::size_t k = 0; k != v.size(); ++k)
    if (!within(v[k].squaredNorm(), R[k])) return true;
  return false;
}

}  // namespace

bool drift(Particles& particles, const Confinement& confinement, const Pins& pins, std::span<const std::uint8_t> moved,
           double from, double to, Box& matter) {
  const auto positions = particles[columns::position], velocities = particles[columns::velocity];
  const auto accelerations = particles[columns::acceleration];
  const auto additional = optional_column(particles, columns::drift);
  const auto solved = optional_column(particles, columns::solved);
  const auto R = particles[columns::support], m = particles[columns::mass];
  const auto id = particles[columns::id];
  const auto clearance = optional_column(particles, columns::clearance);
  const auto pin = optional_column(particles, columns::pin);
  const auto pin_place = optional_column(particles, columns::pin_place);
  const std::vector<Pose> pin_poses = pins.poses(to);
  const GivenMotion given(particles);
  const bool any_given = given.any();
  const Bodies& bodies = confinement.bodies;
  const Bodies::Interval interval = bodies.interval(from, to);
  const bool flat = confinement.dimension == 2, periodic = confinement.periodicity.any();
  const bool solids = bodies.size() != 0;
  const bool nothing_special = additional.empty() && solved.empty() && !any_given;
  const float dt = static_cast<float>(to - from);
  const Bodies::Nearby all_bodies = bodies.all(interval);
  /// The bodies that particles may meet on their ways from here to their places.
  const auto nearby = [&](std::span<const Vec3> starts, std::span<const Vec3> ends) {
    float longest = 0;
    for (std::size_t k = 0; k != starts.size(); ++k) longest = std::max(longest, (ends[k] - starts[k]).squaredNorm());
    return bodies.nearby(interval, box_around(starts), 1.001f * std::sqrt(longest));
  };
  /// Free flight, of the particles that do fly: not of those whose motion is known.
  const auto fly_one = [&](std::size_t i) {
    if ((!moved.empty() && moved[i]) || given.sleeps(static_cast<Index>(i))) return false;
    Vec3 &x = positions[i], &v = velocities[i];
    const Vec3& a = accelerations[i];
    if (!pin.empty() && pin[i] != 0) {
      const Vec3 start = x;
      x = pin_poses[pin[i] - 1].to_world(pin_place[i]);
      v = (x - start) / dt;
      return false;
    }
    const float predicted = !solved.empty() && solved[i] ? 0 : dt;
    x += dt * (v + 0.5f * predicted * a);
    v += predicted * a;
    if (!additional.empty() && !(any_given && given(static_cast<Index>(i)))) x += dt * additional[i];
    return true;
  };
  std::atomic<bool> runaway = false;
  std::vector<Box> boxes((particles.size() + moved_by_one - 1) / moved_by_one);
  parallel_blocks(particles.size(), moved_by_one, [&](std::size_t begin, std::size_t end) {
    const std::size_t size = end - begin;
    std::array<Vec3, moved_by_one> starts;
    std::array<bool, moved_by_one> flies;
    std::array<Box, moved_by_one / moved_together> ends, paths;
    const auto part_of = [&](std::size_t first, const auto& all) {
      return all.subspan(begin + first, std::min(moved_together, size - first));
    };
    Box all_paths;
    for (std::size_t first = 0; first < size; first += moved_together) {
      const std::span<Vec3> x = part_of(first, positions), v = part_of(first, velocities);
      std::ranges::copy(x, starts.begin() + first);
      std::fill_n(flies.begin() + first, x.size(), true);
      if (nothing_special && (moved.empty() || std::ranges::count(part_of(first, moved), 0) == std::ssize(x)))
        fly(x, v, part_of(first, accelerations), dt);
      else
        for (std::size_t k = first; k != first + x.size(); ++k) flies[k] = fly_one(begin + k);
      Box& end_box = ends[first / moved_together] = box_around(x);
      Box& path_box = paths[first / moved_together] = box_around(std::span(starts).subspan(first, x.size()));
      path_box.add(end_box);
      all_paths.add(path_box);
    }

    Impacts impacts;
    std::optional<Bodies::Nearby> selected;
    const bool guarded = solids && !(clearance.empty() && bodies.free_of_bodies(interval, all_paths));
    if (guarded && interval.worth_selecting)
      selected.emplace(nearby(std::span(starts).first(size), positions.subspan(begin, size)));
    const Bodies::Nearby& near = selected ? *selected : all_bodies;
    std::vector<Index> close;
    bool far = false;
    for (std::size_t first = 0; first < size; first += moved_together) {
      const std::span<Vec3> x = part_of(first, positions), v = part_of(first, velocities);
      Box& end_box = ends[first / moved_together];
      if (guarded) bodies.find_close(near, paths[first / moved_together], close);
      if (!close.empty() || (guarded && !clearance.empty()) || flat || periodic) {
        for (std::size_t k = 0; k != x.size(); ++k) {
          if (!flies[first + k]) continue;
          const std::size_t i = begin + first + k;
          Vec3 at = x[k], velocity = v[k];
          if (guarded && !clearance.empty())
            bodies.guard_with_clearance(near, starts[first + k], at, velocity, clearance[i], 0, &impacts);
          else if (!close.empty())
            bodies.guard(near, close, starts[first + k], at, velocity, &impacts);
          if (!impacts.empty()) confinement.impulses.add(impacts, id[i], m[i]);
          if (flat) at.z() = velocity.z() = 0;
          if (periodic) at = confinement.periodicity.wrapped(at);
          x[k] = at;
          v[k] = velocity;
        }
        end_box = box_around(x);
      }
      boxes[begin / moved_by_one].add(end_box);
      far |= some_run_away(v, part_of(first, R), dt);
    }
    if (far) runaway = true;
  });
  matter = {};
  for (const Box& box : boxes) matter.add(box);
  return !runaway;
}

bool kick(Particles& particles, const Slots& slots, const Accelerations& rates, const Elapsed& elapsed, int dimension) {
  const auto v = particles[columns::velocity], a = particles[columns::acceleration];
  const auto solved = optional_column(particles, columns::solved);
  const GivenMotion given(particles);
  const bool any_given = given.any();
  const float flat = dimension == 2 ? 0.0f : 1.0f;
  bool finite = true;
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    if (!slots.due(slot)) continue;
    const Index i = slots.particle(slot), k = slot - slots.begin;
    if (any_given && given(i)) {
      a[i].setZero();
      continue;
    }
    const Vec3 now(rates.x[k], rates.y[k], flat * rates.z[k]);
    if (!std::isfinite(now.sum())) {
      finite = false;
      continue;
    }
    // From the predicted velocity, or from the one before the step.
    v[i] += elapsed(i) * (!solved.empty() && solved[i] ? now : Vec3(0.5f * (now - a[i])));
    a[i] = now;
  }
  return finite;
}

}  // namespace fondue
