#pragma once
// A body: a shape with a pose that matter cannot enter. Its pose and velocities are state. Those of a kinematic body,
// the only kind so far, follow its keyframes; a body whose pose is solved for would set its state instead.

#include <memory>
#include <vector>

#include "bodies/collider_setup.h"
#include "shapes/mesh_sequence.h"

namespace fondue {

struct BodyState {
  Pose pose;
  /// Of the origin of the body's frame [m/s], and of its rotation [rad/s].
  Vec3d velocity = Vec3d::Zero(), angular_velocity = Vec3d::Zero();
};

class Body {
 public:
  explicit Body(ColliderSetup setup);

  const ColliderSetup& setup() const { return setup_; }
  const BodyState& state() const { return state_; }
  /// Neither moves nor changes its shape.
  bool still() const { return still_; }
  /// How its shape changes over time; null for a rigid body.
  const MeshSequence* sequence() const { return sequence_.get(); }

  Pose pose_at(double time) const { return fondue::pose_at(setup_.motion, time); }
  /// Distance to its surface at a time, negative inside.
  float distance(const Vec3& x, double time) const;

 private:
  ColliderSetup setup_;
  std::shared_ptr<const MeshSequence> sequence_;
  bool still_;
  BodyState state_;
};

}  // namespace fondue
