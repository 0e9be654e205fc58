#pragma once
// One implicit step of an object whose forces along bonds are much faster than the step, in place of very many substeps
// (substeps.h). The velocities w at the end of the step satisfy
//
//   w = v* + dt f(x + dt w, w)/m,   v* = v + dt a
//
// with a the accelerations that are held (backward Euler). No stiffness is unstable and no energy is gained. Motions
// slower than the step are followed to first order, faster ones are damped to their static shape within a few steps.
//
// From w = v the forces are linearised, and w is sought by conjugate gradients in the product sum m a.b,
// preconditioned by the coarse levels of world/coarse_levels.h. There is no matrix, and no formula of its own: the
// derivative along a direction d is a difference of forces,
//
//   B d = d - dt (f(v + s d) - f(v))/(s m),   s such that nothing moves by more than a hundredth of its support.
//
// Pinned particles have the velocity of their pin, those that touch a body that of its surface along the normal, where
// the body is rough along the surface too. What touches is found on the way: what would enter a body is held, what
// would be pulled is let go, and the iterations go on.
//
// Each piece that nothing holds is given the rigid motion with which it has the momenta of v*, so both are exact
// however early the iterations end. Its rigid motion is of second order as in substeps: x + dt (w - g/2), with g the
// rigid part of w - v.
//
// `automatic` leaves a step to substeps where an implicit one would show: where something meets a body faster than it
// is thrown up by half a spacing, so that it bounces as it should; where the step changes elastic motions by more than
// a hundredth of a spacing, so that visible oscillations are not damped; and where it would take longer.

#include <functional>

#include "bodies/guard.h"
#include "particles/bond_slices.h"
#include "world/coarse_levels.h"
#include "world/pair_loops.h"

namespace fondue {

class StiffStep {
 public:
  struct Matter {
    const SubstepLoops& loops;
    const SubstepFormulas& formulas;
    /// As it is before the step. Velocities, displacements and accelerations are changed on the way.
    const SubstepSpace& space;
    SliceOrder::Part part;
    /// By place: the piece of the object that it belongs to.
    std::span<const Index> pieces;
    float dt, spacing, support;
    /// dt over the longest substep.
    float substeps;
  };
  /// Directions in which the velocity of a particle is given. It can be pulled off from the first `pressed` of them.
  struct Hold {
    Index place = 0;
    int count = 0, pressed = 0;
    Vec3 direction[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    float velocity[3] = {};
    Index body[3] = {};

    void add(Vec3 normal, const Vec3& its_velocity, bool presses, Index of);
  };
  /// Adds the bodies that a particle enters by a displacement, with the velocity that it has then.
  using FindHold = std::function<void(const Vec3& displacement, const Vec3& velocity, Hold& hold)>;

  /// `pinned` is held throughout, `near` (places) is what may meet bodies.
  StiffStep(const Matter& matter, std::vector<Hold> pinned, std::span<const Index> near, FindHold find);
  /// Leaves velocities at the end of the step and accelerations by formulas in the space, and displacements from which
  /// the motion with these velocities ends in the right place. False if substeps are better, with all as before.
  bool solve(bool automatic);
  int iterations() const { return iterations_; }
  /// After solve(): what is held, and the change of its velocity by that.
  std::span<const Hold> holds() const { return holds_; }
  Vec3 reaction(const Hold& hold) const { return -residual_[hold.place - first_]; }

 private:
  using Vectors = std::vector<Vec3>;
  struct RigidMotion {
    Vec3d velocity, spin, centre;
    Vec3 at(const Vec3d& x) const { return (velocity + spin.cross(x - centre)).cast<float>(); }
  };
  Vec3d place_of(std::size_t k) const;
  void show(const Vectors& velocity, const Vectors& displacement) const;
  void find_accelerations(const Vectors& velocity, Vectors& into);
  void apply(const Vectors& direction, Vectors& image);
  void precondition(const Vectors& from, Vectors& into);
  void prepare_levels();
  void leave_free(Vectors& values) const;
  void give_held_velocities(Vectors& to) const;
  bool hold_what_enters(const Vectors& velocity);
  bool let_go_what_is_pulled();
  double product(const Vectors& a, const Vectors& b) const;
  float largest(const Vectors& values) const;
  /// By piece, of what has these velocities; zero where something holds it.
  std::vector<RigidMotion> rigid_motions(const Vectors& velocity) const;
  void keep_momenta();
  bool meets_fast() const;
  bool iterate(bool automatic);
  bool converged() const;
  void finish();

  const Matter m_;
  const Index first_, size_;
  std::vector<Hold> holds_;
  const std::span<const Index> near_;
  const FindHold find_;
  int iterations_ = 0;
  /// Change of velocity by what is held, squares summed.
  double pushed_ = 0;
  /// By place of the part: displacement before the step; v and v* of the header, f(v), w, the residual, and of the
  /// iterations: residual where nothing holds, next direction, direction, image, and what is tried.
  Vectors displacement_, before_, pushed_to_, forces_, w_, residual_, free_, next_, direction_, image_, tried_;
  std::vector<float> mass_;
  CoarseLevels levels_;
  CoarseLevels::Matter level_matter_{};
  std::vector<Record> records_;
  std::vector<float> inverse_diagonal_, no_walls_, from_[3], into_[3];
};

}  // namespace fondue
