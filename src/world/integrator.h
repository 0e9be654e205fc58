#pragma once
// The integrator: leapfrog with predicted velocity (DC96 9-10), written so that positions and velocities are both known
// at the end of every step.
//
// clang-format off
//   drift   x <- x + (v + drift) dt + a dt^2/2,   v <- v + a dt      motion, with the predicted velocity that the
//                                                                    forces are evaluated at
//           a' = sum of all behaviours at (x, v)                     one evaluation per step (world.cpp)
//   kick    v <- v + (a' - a) dt/2                                   correction
//
// A particle whose velocity is solved for (solve.h) moves by
//
//   drift   x <- x + (v + drift) dt
//   kick    v* = v + a' dt                                           then v <- the solution for v*
// clang-format on
//
// which is first order, as the solve is. Nothing is predicted: positions and the rate of shear, on which a viscosity
// depends, follow from velocities that the solve has made smooth, so a body whose weight its viscosity carries stands.
// Which of the two a particle does is decided by its column `solved`, so matter beside it keeps its second order.
//
// Second order in the step; reversible but for the prediction of velocity-dependent forces.

#include "behaviours/behaviour.h"
#include "bodies/bodies.h"
#include "world/emitters.h"
#include "world/impulses.h"
#include "world/neighbourhood.h"
#include "world/pins.h"
#include "world/sleep.h"

namespace fondue {

namespace columns {
inline constexpr Column<Index> solved{"solved", "1", "1 if its velocity was solved for in the last step", 0, true};
}

/// Longest step over sqrt(R/|a|): in one step an acceleration moves a particle by a thirtieth of its support at most.
inline constexpr float acceleration_step = 0.25f;

/// Particles whose velocity is given: no force changes it. They are pinned, in the opening of an emitter, or asleep.
class GivenMotion {
 public:
  explicit GivenMotion(Particles& particles)
      : pin_(optional_column(particles, columns::pin)),
        opening_(optional_column(particles, columns::opening)),
        sleep_(optional_column(particles, columns::sleep)) {}
  bool any() const { return !pin_.empty() || !opening_.empty() || !sleep_.empty(); }
  bool operator()(Index i) const {
    return (!pin_.empty() && pin_[i] != 0) || (!opening_.empty() && opening_[i] != 0) || sleeps(i);
  }
  bool sleeps(Index i) const { return !sleep_.empty() && sleep_[i] != 0; }

 private:
  std::span<const Index> pin_, opening_, sleep_;
};

/// What particles may not pass while they drift.
struct Confinement {
  const Bodies& bodies;
  const Periodicity& periodicity;
  int dimension;
  /// Where reactions of rigid bodies are collected.
  Impulses& impulses;
};

/// Moves all particles from one time to another but those moved already (by particle, non-zero; empty: none), and finds
/// the box around all; false if one of them goes 50 supports or more. Pinned particles follow their pins.
bool drift(Particles& particles, const Confinement& confinement, const Pins& pins, std::span<const std::uint8_t> moved,
           double from, double to, Box& matter);

/// Corrects the velocities of the particles in these slots whose step ends now, but not given ones; false if an
/// acceleration is not finite.
bool kick(Particles& particles, const Slots& slots, const Accelerations& now, const Elapsed& elapsed, int dimension);

}  // namespace fondue
