#pragma once
// All bodies of a world. They act on matter twice: by their boundary particles (boundary_particles.h) and by the guard
// against passing through them (guard.h).

#include "bodies/boundary_particles.h"
#include "bodies/guard.h"

namespace fondue {

class Bodies {
 public:
  /// Region: where boundary particles are needed on shapes without end.
  Bodies(const std::vector<ColliderSetup>& setups, const Lattice& lattice, const Box& region);
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  std::size_t size() const { return bodies_.size(); }
  const Body& operator[](std::size_t b) const { return bodies_[b]; }

  /// Moves boundary particles to where they are at a time; false if they have not moved since the last call.
  bool move_to(double time) { return boundary_.move_to(time); }
  const Walls& walls() const { return boundary_.walls(); }

  /// The guard of guard.h.
  using Interval = CollisionGuard::Interval;
  Interval interval(double from, double to) const { return guard_.interval(from, to); }
  void guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v) const {
    guard_.guard(interval, start, x, v);
  }
  void guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float& clearance) const {
    guard_.guard(interval, start, x, v, clearance);
  }
  bool worth_remembering() const { return guard_.worth_remembering(); }

  /// Distance to the nearest body at a time, negative inside one.
  float distance(const Vec3& x, double time) const;

 private:
  std::vector<Body> bodies_;
  BoundaryParticles boundary_;
  CollisionGuard guard_;
};

}  // namespace fondue
