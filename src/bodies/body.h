#pragma once
// A body: a shape with a pose that matter cannot enter. Its pose and velocities are state, saved in frames by the
// body's name. Those of a kinematic body follow its keyframes; those of a rigid body are solved for (rigid_bodies.h),
// except while it is held: then it moves with its keyframes from where it was caught.

#include <map>
#include <memory>
#include <optional>
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
  /// Nothing of its boundary particles ever changes, neither place nor velocity nor slip.
  bool steady() const { return still_ && setup_.surface_velocity.constant() && setup_.slip.constant(); }
  /// How its shape changes over time; null for a rigid body.
  const MeshSequence* sequence() const { return sequence_.get(); }

  const BodyState& state() const { return state_; }
  bool rigid() const { return setup_.rigid.has_value(); }
  /// Its motion is solved for now.
  bool dynamic() const { return dynamic_; }
  /// Takes the state of its keyframes, unless its motion is solved for.
  void follow_keyframes(double time);
  /// The state that was solved for, at a time.
  void set_state(const BodyState& state, double time);
  /// Changes its velocities at once.
  void change_velocity(const BodyState& state) {
    state_.velocity = state.velocity, state_.angular_velocity = state.angular_velocity;
  }
  /// A step begins, in which its state will be solved for.
  void begin_step(double time);
  /// How it leaves the path that was solved for, from a time on: by a shift of its centre of mass and a small turn
  /// about it, which grow with these velocities.
  struct Deviation {
    double since = 0;
    Vec3d centre = Vec3d::Zero(), shift = Vec3d::Zero(), turn = Vec3d::Zero(), velocity = Vec3d::Zero(),
          angular_velocity = Vec3d::Zero();
  };
  void deviate(const Deviation& deviation) { deviation_ = deviation; }
  /// The step ends where that has led.
  void end_deviation();
  /// Lets go of a rigid body, or holds it where it is.
  void release();
  void hold(double time);
  /// The point that torques on it are about and that its keyframes turn it about: the origin of its frame.
  const Vec3d& reference_point() const { return state_.pose.position; }

  /// Where its keyframes say, or between the begin and the end of the last step.
  Pose pose_at(double time) const;
  /// Distance to its surface at a time, negative inside.
  float distance(const Vec3& x, double time) const;
  /// The part of its surface velocity along a surface with this normal, along the axes of the world.
  Vec3d surface_velocity(const Pose& pose, const Vec3d& normal, double time) const;
  bool has_surface_velocity() const { return has_surface_velocity_; }

  /// Under "body.<name>": position, quaternion (w, x, y, z), velocity, angular velocity. Of a rigid body also under
  /// "held.<name>": whether it is held, and where it was caught.
  void save(NamedNumbers& numbers) const;
  /// Takes what save() gave; nothing happens if there is none under its name. InputError if it is no state of a body.
  void restore(const NamedNumbers& numbers);

 private:
  ColliderSetup setup_;
  float spacing_;
  std::shared_ptr<const MeshSequence> sequence_;
  bool still_, has_surface_velocity_, dynamic_ = false;
  BodyState state_;
  /// Where it was when it was caught, relative to its keyframes.
  Pose caught_;
  /// The last step of a body that is solved for.
  Pose before_;
  double step_begin_ = 0, step_end_ = 0;
  std::optional<Deviation> deviation_;
};

/// What a frame has saved of a collider, or its keyframes where there is nothing (version 0.1).
BodyState saved_body(const NamedNumbers& numbers, const ColliderSetup& collider, double time);
inline Pose saved_pose(const NamedNumbers& numbers, const ColliderSetup& collider, double time) {
  return saved_body(numbers, collider, time).pose;
}

}  // namespace fondue
