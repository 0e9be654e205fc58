#pragma once
// All bodies of a world. They act on matter twice: by their boundary particles (boundary_particles.h) and by the guard
// against passing through them (guard.h). Rigid ones feel what they do to matter, and each other (rigid_bodies.h).

#include "bodies/boundary_particles.h"
#include "bodies/guard.h"
#include "bodies/rigid_bodies.h"

namespace fondue {

class Bodies {
 public:
  /// Lattice: of the finest matter. Region: where boundary particles are needed on shapes without end.
  Bodies(const std::vector<ColliderSetup>& setups, const Lattice& lattice, const Box& region,
         const ProgressReport& report = {}, const std::vector<JointSetup>& joints = {});
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  std::size_t size() const { return bodies_.size(); }
  const Body& operator[](std::size_t b) const { return bodies_[b]; }
  /// What the user should know about them.
  std::vector<std::string> notes() const;

  /// Those whose motion is solved for; to be moved before the matter, from the begin to the end of a step.
  RigidBodies& rigid() { return rigid_; }
  const RigidBodies& rigid() const { return rigid_; }
  /// Moves rigid bodies that overlap at the start apart; adds to the notes.
  void relax();

  /// Poses, velocities and boundary particles of a time; false if no boundary particle has changed since the last call.
  bool move_to(double time);
  const Walls& walls() const { return boundary_.walls(); }
  /// By body: whether its boundary particles stay as they are.
  std::vector<std::uint8_t> steady() const {
    std::vector<std::uint8_t> all;
    for (const Body& body : bodies_) all.push_back(body.steady());
    return all;
  }

  /// The state of every body, by name (body.h).
  NamedNumbers state() const;
  void restore(const NamedNumbers& numbers);

  /// The guard of guard.h.
  using Interval = CollisionGuard::Interval;
  Interval interval(double from, double to) const { return guard_.interval(from, to); }
  using Nearby = CollisionGuard::Nearby;
  Nearby all(const Interval& interval) const { return guard_.all(interval); }
  bool free_of_bodies(const Interval& interval, const Box& box) const { return guard_.free_of_bodies(interval, box); }
  void find_close(const Nearby& nearby, const Box& box, std::vector<Index>& close) const {
    guard_.find_close(nearby, box, close);
  }
  Nearby nearby(const Interval& interval, const Box& starts, float path) const {
    return guard_.nearby(interval, starts, path);
  }
  void guard(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float distance = 0,
             Impacts* impacts = nullptr) const {
    guard_.guard(nearby, start, x, v, distance, impacts);
  }
  void guard(const Nearby& nearby, std::span<const Index> close, const Vec3& start, Vec3& x, Vec3& v,
             Impacts* impacts) const {
    guard_.guard(nearby, close, start, x, v, impacts);
  }
  void guard_with_clearance(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float& clearance,
                            float distance = 0, Impacts* impacts = nullptr) const {
    guard_.guard_with_clearance(nearby, start, x, v, clearance, distance, impacts);
  }
  bool stop(const Nearby& nearby, const Vec3& x, Vec3& v, float distance, Impacts* impacts = nullptr,
            float friction = 0, std::vector<Touch>* touches = nullptr) const {
    return guard_.stop(nearby, x, v, distance, impacts, friction, touches);
  }
  bool worth_remembering() const { return guard_.worth_remembering(); }

  /// Distance to the nearest body at a time, negative inside one.
  float distance(const Vec3& x, double time) const;

 private:
  float finest_spacing_;
  std::vector<Body> bodies_;
  RigidBodies rigid_;
  BoundaryParticles boundary_;
  CollisionGuard guard_;
  std::vector<std::string> relaxed_;
  double time_ = 0;
};

}  // namespace fondue
