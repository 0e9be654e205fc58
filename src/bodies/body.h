#pragma once
// A body: a shape with a pose that matter cannot enter. Its pose and velocities are state, saved in frames by the
// body's name. Those of a kinematic body, the only kind so far, follow its keyframes; a body whose motion is solved for
// sets its state instead.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bodies/collider_setup.h"
#include "shapes/mesh_sequence.h"

namespace fondue {

/// Lists of numbers by name, as frames save them.
using NamedNumbers = std::map<std::string, std::vector<double>>;

class Body {
 public:
  /// Finest spacing: of all matter, for a body that gives none of its own.
  Body(ColliderSetup setup, float finest_spacing);

  const ColliderSetup& setup() const { return setup_; }
  /// Distance between its boundary particles [m].
  float spacing() const { return spacing_; }
  /// Neither moves nor changes its shape.
  bool still() const { return still_; }
  /// How its shape changes over time; null for a rigid body.
  const MeshSequence* sequence() const { return sequence_.get(); }

  const BodyState& state() const { return state_; }
  void follow_keyframes(double time) { state_ = state_at(setup_.motion, time); }
  /// The point that torques on it are about and that its keyframes turn it about: the origin of its frame.
  const Vec3d& reference_point() const { return state_.pose.position; }

  Pose pose_at(double time) const { return fondue::pose_at(setup_.motion, time); }
  /// Distance to its surface at a time, negative inside.
  float distance(const Vec3& x, double time) const;
  /// The part of its surface velocity along a surface with this normal, along the axes of the world.
  Vec3d surface_velocity(const Pose& pose, const Vec3d& normal, double time) const;
  bool has_surface_velocity() const { return has_surface_velocity_; }

  /// Under "body.<name>": position, quaternion (w, x, y, z), velocity, angular velocity.
  void save(NamedNumbers& numbers) const;
  /// Takes what save() gave; nothing happens if there is none under its name. InputError if it is no state of a body.
  void restore(const NamedNumbers& numbers);

 private:
  ColliderSetup setup_;
  float spacing_;
  std::shared_ptr<const MeshSequence> sequence_;
  bool still_, has_surface_velocity_;
  BodyState state_;
};

/// The pose that a frame has saved of a collider, or that of its keyframes where there is none (version 0.1).
Pose saved_pose(const NamedNumbers& numbers, const ColliderSetup& collider, double time);

}  // namespace fondue
