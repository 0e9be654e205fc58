#pragma once
// All bodies of a world. They act on matter twice: by their boundary particles (boundary_particles.h) and by the guard
// against passing through them (guard.h).

#include "bodies/boundary_particles.h"
#include "bodies/guard.h"

namespace fondue {

class Bodies {
 public:
  /// Lattice: of the finest matter. Region: where boundary particles are needed on shapes without end.
  Bodies(const std::vector<ColliderSetup>& setups, const Lattice& lattice, const Box& region,
         const ProgressReport& report = {});
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  std::size_t size() const { return bodies_.size(); }
  const Body& operator[](std::size_t b) const { return bodies_[b]; }
  /// What the user should know about them.
  std::vector<std::string> notes() const;

  /// Poses, velocities and boundary particles of a time; false if no boundary particle has changed since the last call.
  bool move_to(double time);
  const Walls& walls() const { return boundary_.walls(); }

  /// The state of every body, by name (body.h).
  NamedNumbers state() const;
  void restore(const NamedNumbers& numbers);

  /// The guard of guard.h.
  using Interval = CollisionGuard::Interval;
  Interval interval(double from, double to) const { return guard_.interval(from, to); }
  void guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float distance = 0) const {
    guard_.guard(interval, start, x, v, distance);
  }
  void guard_with_clearance(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float& clearance,
                            float distance = 0) const {
    guard_.guard_with_clearance(interval, start, x, v, clearance, distance);
  }
  bool stop(const Interval& interval, const Vec3& x, Vec3& v, float distance) const {
    return guard_.stop(interval, x, v, distance);
  }
  bool worth_remembering() const { return guard_.worth_remembering(); }

  /// Distance to the nearest body at a time, negative inside one.
  float distance(const Vec3& x, double time) const;

 private:
  float finest_spacing_;
  std::vector<Body> bodies_;
  BoundaryParticles boundary_;
  CollisionGuard guard_;
};

}  // namespace fondue
