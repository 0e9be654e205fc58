#pragma once
// Velocities of rigid bodies that touch or are joined, and the motion that follows: a linear complementarity problem
// with friction cones as pyramids, solved by ODE (Smith). A world of ODE is made anew for every call, so the result is
// a function of the arguments: nothing is remembered from step to step, no bodies fall asleep, no threads are used.
//
//   contact   v_n >= -gap/h          bodies may approach by the gap that is left; where they overlap they are driven
//                                    apart by a fifth of the overlap per step, at 0.5 m/s at most
//             v_n >= -e v_n(before)  where they meet faster than resting bodies do
//             |f_t| <= mu f_n        along the motion that impends, and across
//
// Few constraints are solved directly. Many (a large heap) are solved by iteration: its cost is in proportion to their
// number, and a heap creeps by a little more.

#include <vector>

#include "bodies/contact_search.h"
#include "bodies/rigid_motion.h"

namespace fondue {

/// A body as the solver sees it; what is not dynamic moves at its velocity.
struct SolverBody {
  bool dynamic = false;
  MassProperties properties;
  RigidState state;
  /// All known forces, about the centre of mass.
  Load load;
};

struct SolverContact {
  /// Indices of SolverBody; the normal points from the second to the first.
  Index first, second;
  Vec3d point, normal;
  double gap;
  double friction, restitution;
  /// Slower impacts do not bounce [m/s].
  double least_bounce;
  /// Velocity of the surface of the second relative to the first beyond their motion (conveyors).
  Vec3d surface_velocity = Vec3d::Zero();
};

struct SolverJoint {
  JointKind kind;
  /// Index of the body, and of what it is joined to; -1: the world.
  int body, to;
  /// As it was when the joint took hold: states of both, and where the joint was.
  RigidState body_then, to_then;
  Vec3d anchor, axis;
  std::optional<double> speed;
  double strength;
};

/// Advances the dynamic ones of some bodies.
void solve_bodies(std::vector<SolverBody>& bodies, const std::vector<SolverContact>& contacts,
                  const std::vector<SolverJoint>& joints, double seconds, int dimension);

}  // namespace fondue
