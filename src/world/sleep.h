#pragma once
// Matter that has come to rest sleeps: it is neither moved nor evaluated until something disturbs it, so what lies
// still costs little. Which matter may sleep its behaviours say (BehaviourInfo::at_rest): one must hold it in its
// place, and none may go on at rest. Water does not sleep.
//
// clang-format off
//   calm      |v| < 0.004 sqrt(a R), within 0.01 R of where it became calm;  a: the acceleration its whole object has
//   at rest   calm for 4 sqrt(R/a)
//   awake     not at rest, or a neighbour is not; moved and evaluated as ever
//   drowsy    at rest with all its neighbours, and a neighbour is awake: evaluated, so that the force on what is awake
//             is exact, and not moved
//   asleep    the others: keeps its state
// clang-format on
//
// A disturbance goes on by one neighbourhood per step, faster than sound. What lets it begin: particles that move or
// arrive, the removal of one that was at rest, a body that moves within reach or whose motion is solved for, a
// parameter that changes, also between a saved run and its continuation, and a speed of sound that has changed by 2 %.
//
// Falling asleep takes out what is left of the velocity, at most 0.004 sqrt(a R), which is the speed of a fall through
// a hundred thousandth of R. Matter that is awake feels drowsy matter like a wall that presses with the exact stress.
//
// With individual time steps nothing sleeps: `fondue check` says so.
//
// Decided after an evaluation from its neighbour lists, with marks that any thread may set: the same for any number of
// threads. Which particles share a list depends on places and ids only. All of it is state.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "behaviours/behaviour.h"
#include "bodies/bodies.h"
#include "world/neighbourhood.h"
#include "world/setup.h"

namespace fondue {

namespace columns {
inline constexpr Column<Index> sleep{"sleep", "1", "0 awake, 1 drowsy (not moved), 2 asleep (not evaluated)", 0, true};
inline constexpr Column<float> calm_time{"calm_time", "s", "how long it has been calm", 0, true, MergeRule::keep};
inline constexpr Column<Vec3> calm_place{"calm_place", "m", "where it became calm", 0, true, MergeRule::keep};
}  // namespace columns

/// Whether the matter of an object may sleep: its tracks hold it in its place, and nothing goes on when it is there.
bool comes_to_rest(const ObjectSetup& object, std::span<const RegionSetup> regions);

class Sleep {
 public:
  /// Values of the column `sleep`.
  enum : Index { awake, drowsy, asleep };

  explicit Sleep(const WorldSetup& setup);

  /// Some object may sleep.
  bool possible() const { return possible_; }
  /// By object: non-zero if it may sleep.
  std::span<const std::uint8_t> by_object() const { return may_sleep_; }
  void require(Particles& particles) const;
  /// Before a step: bodies that move wake what is near them.
  void wake_near_bodies(Particles& particles, const Bodies& bodies, double from, double to) const;
  /// Particles are about to be removed (by particle, non-zero): those around what was at rest wake up.
  void wake_around(Particles& particles, std::span<const std::uint8_t> removed) const;
  /// Non-zero for particles that are evaluated; empty: all are.
  std::vector<std::uint8_t> evaluated(const Particles& particles) const;
  /// After the evaluation of a step: what has come to rest falls asleep, what was disturbed wakes up.
  void update(Particles& particles, const Neighbourhood& neighbourhood, const Field& sound_speed, double time,
              float step);

  void save(std::map<std::string, std::vector<double>>& state) const;
  void restore(const std::map<std::string, std::vector<double>>& state);

 private:
  /// What the matter of an object fell asleep with; when it changes the object wakes up.
  struct Circumstances {
    /// Of the values of all parameters.
    double fingerprint = 0;
    float sound_speed = 0;
  };
  Circumstances present(Index object, const Neighbourhood& neighbourhood, std::span<const Index> object_of,
                        const Field& sound_speed, double time) const;
  bool find_rest(Particles& particles, const Slots& slots, double time, float step);
  void mark_neighbours(const Neighbourhood& neighbourhood, std::span<const std::uint8_t> quiet,
                       std::vector<std::uint8_t>& marked) const;

  const WorldSetup& setup_;
  bool possible_ = false;
  /// By object.
  std::vector<std::uint8_t> may_sleep_;
  std::vector<Circumstances> circumstances_;
  /// By slot, of the last update: at rest; a neighbour is not; awake.
  std::vector<std::uint8_t> at_rest_, disturbed_, beside_awake_;
};

}  // namespace fondue
