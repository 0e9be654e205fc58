#pragma once
// All rigid bodies of a world and the joints between them. In a step from t to t' they move under the load of matter at
// t, which is held, in substeps short enough for contacts:
//
//   contacts within reach are found (contact_search.h);
//   a body that touches nothing moves freely (rigid_motion.h);
//   bodies that touch or are joined are solved for together, island by island (rigid_solver.h).
//
// When matter has been evaluated at t', velocities are corrected by half of what the load has changed, as those of the
// particles are (world/integrator.h): what matter gives away is what bodies get, so momentum is exact.
//
// Matter that is stopped by a body pushes it with impulses, J in all, while it moves. The body takes them for a force
// J/dt that is held in the next step and corrected at its end by what was pushed then. So the surface that matter meets
// moves with the velocity of the middle of the step, and what it does to matter is what matter does to the body. (With
// impulses at the end of steps alone, each of them would create the energy J^2/(2 m).)
//
// Matter that moves in substeps (world/substeps.h) pushes in each of them. The body leaves the path that was solved for
// by what is pushed more than was expected: the same rule with the substep in place of the step. On springs with which
// it oscillates by a radians in a substep its amplitude grows by the factor 1 + a^4/7 then, which is little: for
// a = 0.35 by 0.2 %, less than the least damping of matter takes.

#include <map>
#include <string>

#include "bodies/contact_search.h"
#include "bodies/rigid_motion.h"
#include "bodies/rigid_solver.h"

namespace fondue {

class RigidBodies {
 public:
  RigidBodies(std::vector<Body>& bodies, std::vector<JointSetup> joints, int dimension);

  /// Indices of all rigid bodies.
  const std::vector<Index>& indices() const { return indices_; }
  const MassProperties& properties(Index body) const { return properties_[body]; }
  /// Where the centre of mass is.
  Vec3d centre(Index body) const;

  /// Bodies that overlap at the start are moved apart; returns a note per pair.
  std::vector<std::string> relax();
  /// Moves all from one time to another.
  void advance(double from, double to);
  /// All impulses of matter in a step of this length, and their moment about the origin, at its end; and the mass of
  /// the matter in substeps that it touched.
  void push(Index body, const Vec3d& impulse, const Vec3d& moment, double touched, double step);
  /// Changes the velocities of a body at once, by an impulse at a point.
  void strike(Index body, const Vec3d& impulse, const Vec3d& at);
  /// Before the substeps of a step, after each of them, and after the last: what was pushed since, while forces acted
  /// on matter for `kicked` seconds.
  void begin_substeps(double from);
  void push_within(Index body, const Vec3d& impulse, const Vec3d& moment, double to, double kicked);
  void end_substeps();
  /// How much shorter substeps have to be because a light body touches much matter.
  double substep_factor() const;
  /// The load of matter now, by rigid body in the order of indices(), about its centre of mass, at the end of a step of
  /// this length (0: no step).
  void set_loads(const std::vector<Load>& loads, double step);

  /// Under "load.<name>" the load of the last evaluation, that of impulses and the length of their step; under
  /// "joint.<name>" whether a joint holds, and the poses in which it took hold.
  void save(NamedNumbers& numbers) const;
  void restore(const NamedNumbers& numbers);

 private:
  struct Joint {
    JointSetup setup;
    bool on = false;
    /// Of the body and of what it is joined to when it took hold.
    Pose body, to;
  };
  void release_and_catch(double time);
  void update_joints(double time);
  std::vector<std::pair<Index, Index>> joined() const;
  Index substeps(double from, double to) const;
  void substep(double from, double to);
  std::vector<ContactSearch::Moving> moving(double from, double to, std::vector<ShapePtr>& shapes) const;
  Load load(Index body, double time) const;
  void advance_island(std::span<const Index> members, std::span<const BodyContact> contacts,
                      std::span<const ContactSearch::Moving> all, double from, double to);
  SolverContact solver_contact(const BodyContact& contact, double from, double seconds) const;

  std::vector<Body>& bodies_;
  int dimension_;
  std::vector<Index> indices_;
  /// By body; of those that are not rigid they are empty.
  std::vector<MassProperties> properties_;
  std::vector<Load> loads_, pushes_;
  /// By body: mass of the matter in substeps that it touched in the last step.
  std::vector<double> touched_;
  /// By body, during substeps: how it leaves its path, and by which velocities it should.
  struct Pushed {
    Body::Deviation path;
    Vec3d velocity = Vec3d::Zero(), angular_velocity = Vec3d::Zero();
  };
  std::vector<Pushed> pushed_;
  /// Length of the step in which bodies were pushed.
  double pushed_for_ = 0;
  std::vector<Joint> joints_;
  ContactSearch search_;
};

}  // namespace fondue
