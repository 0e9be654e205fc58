#include "bodies/rigid_solver.h"

#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace fondue {

namespace {

static_assert(sizeof(dReal) == sizeof(double));

/// Rows of constraints up to which they are solved directly: the cost grows with their third power.
constexpr std::size_t most_direct_rows = 400;
constexpr int iterations = 60;
/// Of an error of position that is corrected in one step, and the fastest correction of an overlap [m/s].
constexpr double corrected_part = 0.2, fastest_correction = 0.5;

/// ODE has to be initialised once per process.
void initialise_ode() {
  static const struct Library {
    Library() { dInitODE2(0); }
    ~Library() { dCloseODE(); }
  } library;
}

/// The order of ODE's iterations is random; its generator is shared by all worlds of the process.
std::mutex& iteration_mutex() {
  static std::mutex mutex;
  return mutex;
}

struct DestroyWorld {
  void operator()(dxWorld* world) const { dWorldDestroy(world); }
};
struct DestroyGroup {
  void operator()(dxJointGroup* group) const { dJointGroupDestroy(group); }
};

void set_pose(dBodyID body, const RigidState& state) {
  const Eigen::Quaterniond& q = state.rotation;
  const dQuaternion rotation = {q.w(), q.x(), q.y(), q.z()};
  dBodySetPosition(body, state.centre.x(), state.centre.y(), state.centre.z());
  dBodySetQuaternion(body, rotation);
}

void set_velocity(dBodyID body, const RigidState& state) {
  const Vec3d &v = state.velocity, &w = state.angular_velocity;
  dBodySetLinearVel(body, v.x(), v.y(), v.z());
  dBodySetAngularVel(body, w.x(), w.y(), w.z());
}

Vec3d vector(const dReal* numbers) { return {numbers[0], numbers[1], numbers[2]}; }

class Island {
 public:
  Island(std::vector<SolverBody>& bodies, double seconds, int dimension)
      : bodies_(bodies),
        seconds_(seconds),
        dimension_(dimension),
        world_(dWorldCreate()),
        group_(dJointGroupCreate(0)) {
    dWorldSetAutoDisableFlag(world_.get(), 0);
    dWorldSetERP(world_.get(), corrected_part);
    dWorldSetContactMaxCorrectingVel(world_.get(), fastest_correction);
    double heaviest = 0;
    for (const SolverBody& body : bodies_) {
      add(body);
      if (body.dynamic) heaviest = std::max(heaviest, body.properties.mass);
    }
    // Far below the smallest inverse mass, but enough to make redundant constraints solvable.
    if (heaviest > 0) dWorldSetCFM(world_.get(), 1e-7 * seconds_ / heaviest);
  }

  void add(const SolverContact& contact);
  void add(const SolverJoint& joint);
  void solve();

 private:
  void add(const SolverBody& body);
  Vec3d velocity_at(Index body, const Vec3d& x) const;

  std::vector<SolverBody>& bodies_;
  double seconds_;
  int dimension_;
  std::unique_ptr<dxWorld, DestroyWorld> world_;
  std::unique_ptr<dxJointGroup, DestroyGroup> group_;
  std::vector<dBodyID> ids_;
  std::size_t rows_ = 0;
};

void Island::add(const SolverBody& body) {
  const dBodyID id = dBodyCreate(world_.get());
  ids_.push_back(id);
  set_pose(id, body.state);
  set_velocity(id, body.state);
  if (!body.dynamic) {
    dBodySetKinematic(id);
    return;
  }
  const Eigen::Matrix3d& I = body.properties.inertia;
  dMass mass;
  dMassSetParameters(&mass, body.properties.mass, 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  dBodySetMass(id, &mass);
  dBodySetFiniteRotationMode(id, 1);
  const Vec3d &F = body.load.force, &T = body.load.torque;
  dBodyAddForce(id, F.x(), F.y(), F.z());
  dBodyAddTorque(id, T.x(), T.y(), T.z());
  if (dimension_ == 2) {
    dJointAttach(dJointCreatePlane2D(world_.get(), group_.get()), id, nullptr);
    rows_ += 3;
  }
}

/// With what its load will add in the step.
Vec3d Island::velocity_at(Index index, const Vec3d& x) const {
  const SolverBody& body = bodies_[index];
  RigidState state = body.state;
  if (body.dynamic) state.push(body.properties, seconds_ * body.load.force, seconds_ * body.load.torque);
  return state.velocity + state.angular_velocity.cross(x - state.centre);
}

void Island::add(const SolverContact& contact) {
  const Vec3d& n = contact.normal;
  const Vec3d approach = velocity_at(contact.first, contact.point) - velocity_at(contact.second, contact.point);
  dContact c{};
  c.surface.mode = dContactApprox1 | dContactFDir1 | dContactMu2;
  c.surface.mu = contact.friction;
  c.surface.mu2 = dimension_ == 2 ? 0 : contact.friction;
  // The pyramid of friction is exact along its axes: one of them is the direction of sliding.
  const Vec3d sliding = approach - contact.surface_velocity;
  Vec3d along = sliding - sliding.dot(n) * n;
  if (dimension_ == 2) along = Vec3d(-n.y(), n.x(), 0);
  if (!(along.norm() > 1e-9)) along = n.unitOrthogonal();
  along.normalize();
  const Vec3d across = n.cross(along);
  for (int a = 0; a != 3; ++a) {
    c.fdir1[a] = along[a];
    c.geom.pos[a] = contact.point[a];
    c.geom.normal[a] = n[a];
  }
  if (!contact.surface_velocity.isZero(0)) {
    c.surface.mode |= dContactMotion1 | dContactMotion2;
    c.surface.motion1 = contact.surface_velocity.dot(along);
    c.surface.motion2 = contact.surface_velocity.dot(across);
  }
  const bool bounces = contact.restitution > 0 && -approach.dot(n) > contact.least_bounce;
  if (bounces && contact.gap + approach.dot(n) * seconds_ < 0) {
    c.surface.mode |= dContactBounce;
    c.surface.bounce = contact.restitution;
    c.surface.bounce_vel = 0;
  } else if (contact.gap > 0) {
    c.surface.mode |= dContactMotionN;
    c.surface.motionN = -contact.gap / seconds_;
  }
  c.geom.depth = std::max(-contact.gap, 0.0);
  const dJointID joint = dJointCreateContact(world_.get(), group_.get(), &c);
  dJointAttach(joint, ids_[contact.first], ids_[contact.second]);
  rows_ += 3;
}

/// ODE takes the poses of the moment as those in which a joint is at rest.
void Island::add(const SolverJoint& joint) {
  const dBodyID body = ids_[static_cast<std::size_t>(joint.body)];
  const dBodyID to = joint.to < 0 ? nullptr : ids_[static_cast<std::size_t>(joint.to)];
  set_pose(body, joint.body_then);
  if (to) set_pose(to, joint.to_then);
  dWorldID world = world_.get();
  dJointGroupID group = group_.get();
  const Vec3d &anchor = joint.anchor, &axis = joint.axis;
  switch (joint.kind) {
    case JointKind::fixed: {
      const dJointID id = dJointCreateFixed(world, group);
      dJointAttach(id, body, to);
      dJointSetFixed(id);
      rows_ += 6;
      break;
    }
    case JointKind::ball: {
      const dJointID id = dJointCreateBall(world, group);
      dJointAttach(id, body, to);
      dJointSetBallAnchor(id, anchor.x(), anchor.y(), anchor.z());
      rows_ += 3;
      break;
    }
    case JointKind::hinge: {
      const dJointID id = dJointCreateHinge(world, group);
      dJointAttach(id, body, to);
      dJointSetHingeAnchor(id, anchor.x(), anchor.y(), anchor.z());
      dJointSetHingeAxis(id, axis.x(), axis.y(), axis.z());
      if (joint.speed) {
        dJointSetHingeParam(id, dParamFMax, joint.strength);
        dJointSetHingeParam(id, dParamVel, *joint.speed);
      }
      rows_ += 6;
      break;
    }
    case JointKind::slider: {
      const dJointID id = dJointCreateSlider(world, group);
      dJointAttach(id, body, to);
      dJointSetSliderAxis(id, axis.x(), axis.y(), axis.z());
      if (joint.speed) {
        dJointSetSliderParam(id, dParamFMax, joint.strength);
        dJointSetSliderParam(id, dParamVel, *joint.speed);
      }
      rows_ += 6;
      break;
    }
  }
  set_pose(body, bodies_[static_cast<std::size_t>(joint.body)].state);
  if (to) set_pose(to, bodies_[static_cast<std::size_t>(joint.to)].state);
}

void Island::solve() {
  if (rows_ <= most_direct_rows) {
    dWorldStep(world_.get(), seconds_);
  } else {
    const std::lock_guard lock(iteration_mutex());
    dRandSetSeed(0);
    dWorldSetQuickStepNumIterations(world_.get(), iterations);
    dWorldQuickStep(world_.get(), seconds_);
  }
  for (std::size_t b = 0; b != bodies_.size(); ++b) {
    if (!bodies_[b].dynamic) continue;
    RigidState& state = bodies_[b].state;
    const dReal* q = dBodyGetQuaternion(ids_[b]);
    state.centre = vector(dBodyGetPosition(ids_[b]));
    state.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
    state.velocity = vector(dBodyGetLinearVel(ids_[b]));
    state.angular_velocity = vector(dBodyGetAngularVel(ids_[b]));
  }
}

}  // namespace

void solve_bodies(std::vector<SolverBody>& bodies, const std::vector<SolverContact>& contacts,
                  const std::vector<SolverJoint>& joints, double seconds, int dimension) {
  initialise_ode();
  Island island(bodies, seconds, dimension);
  for (const SolverJoint& joint : joints) island.add(joint);
  for (const SolverContact& contact : contacts) island.add(contact);
  island.solve();
}

}  // namespace fondue
