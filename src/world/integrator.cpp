#include "world/integrator.h"

#include <atomic>
#include <cmath>
#include <optional>

#include "core/parallel.h"

namespace fondue {

bool drift(Particles& particles, const Confinement& confinement, const Pins& pins, std::span<const std::uint8_t> moved,
           double from, double to) {
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
  const float dt = static_cast<float>(to - from);
  const Bodies::Nearby all_bodies = bodies.all(interval);
  /// The bodies that these particles may meet.
  const auto nearby = [&](std::size_t begin, std::size_t end) {
    Box starts;
    float speed = 0, acceleration = 0, extra = 0;
    for (std::size_t i = begin; i != end; ++i) {
      starts.add(positions[i]);
      speed = std::max(speed, velocities[i].squaredNorm());
      acceleration = std::max(acceleration, accelerations[i].squaredNorm());
      if (!additional.empty()) extra = std::max(extra, additional[i].squaredNorm());
    }
    return bodies.nearby(interval, starts,
                         dt * (std::sqrt(speed) + 0.5f * dt * std::sqrt(acceleration) + std::sqrt(extra)));
  };
  std::atomic<bool> runaway = false;
  parallel_blocks(particles.size(), 1024, [&](std::size_t begin, std::size_t end) {
    bool far = false;
    Impacts impacts;
    std::optional<Bodies::Nearby> selected;
    if (interval.worth_selecting) selected.emplace(nearby(begin, end));
    const Bodies::Nearby& near = selected ? *selected : all_bodies;
    // Of this block's own, and copies are handed to what is not inlined: so all of it stays in registers.
    const std::span<Vec3> x = positions, v = velocities;
    const std::span<const Vec3> a = accelerations;
    for (std::size_t i = begin; i != end; ++i) {
      if ((!moved.empty() && moved[i]) || given.sleeps(static_cast<Index>(i))) continue;
      const Vec3 start = x[i];
      if (!pin.empty() && pin[i] != 0) {
        x[i] = pin_poses[pin[i] - 1].to_world(pin_place[i]);
        v[i] = (x[i] - start) / dt;
        continue;
      }
      const float predicted = !solved.empty() && solved[i] ? 0 : dt;
      Vec3 at = start + dt * (v[i] + 0.5f * predicted * a[i]), velocity = v[i] + predicted * a[i];
      if (!additional.empty() && !(any_given && given(i))) at += dt * additional[i];
      if (!clearance.empty()) {
        Vec3 place = at, deflected = velocity;
        bodies.guard_with_clearance(near, x[i], place, deflected, clearance[i], 0, &impacts);
        at = place;
        velocity = deflected;
      } else if (solids) {
        bodies.guard(near, start, at, velocity, 0, &impacts);
      }
      if (!impacts.empty()) confinement.impulses.add(impacts, id[i], m[i]);
      if (flat) at.z() = velocity.z() = 0;
      if (periodic) at = confinement.periodicity.wrapped(at);
      x[i] = at;
      v[i] = velocity;
      const float most = 50 * R[i];
      far |= !(dt * dt * velocity.squaredNorm() < most * most);
    }
    if (far) runaway = true;
  });
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
