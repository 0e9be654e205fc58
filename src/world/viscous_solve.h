#pragma once
// Implicit viscosity (cf. Weiler 2018): the velocities v at the end of a step that satisfy
//
//   v = v* + dt L(v),
//
// v* being what all other forces lead to and L the viscous acceleration of the pair formula, with the viscosities of
// the present rates of shear. It is solved by conjugate gradients, preconditioned with the 3x3 blocks of the diagonal,
// on the neighbour lists of the step: no matrix is made. I - dt L is symmetric and positive in the product
// sum m_i a_i.b_i for viscosities that vary in space, and friction with walls only adds to its diagonal.
//
// The solution is begun with the velocities before the step and moved along two directions as far as each helps: the
// change of velocity in the step before, and the motion of each object as a whole. So what stands or falls costs hardly
// an iteration. What the iterations leave over, v* + dt L(v) - v, is given to the particles in the next step: together
// with this remainder velocities change by forces between pairs alone, momentum and angular momentum are kept to
// round-off however early the iterations end, and they may end early, at a tenth of the change that the other forces
// make, without any drift. (Adding the remainder at once would be exact at every moment, but rough: L would make much
// of it in the next step.)
//
// Rounding: a velocity is known to 6e-8 of itself, and dt L makes that larger by dt eta/(rho dx^2), 10^4 for a wax that
// stands. Velocities are therefore taken relative to their mean, and residuals are not followed below what is left.

#include <span>
#include <vector>

#include "behaviours/viscosity.h"
#include "world/neighbourhood.h"

namespace fondue {

class ViscousSolve {
 public:
  struct Result {
    int iterations = 0;
    /// Of the residual, over the change of velocity that the other forces made in the step.
    double error = 0;
  };
  /// Before the solve every particle is to be started with the velocity it had before the step.
  void begin(std::size_t particles) { start_.resize(particles); }
  void start(Index i, const Vec3& velocity) { start_[i] = velocity; }
  /// Velocities of the particles are v*; those in the neighbourhood's records are used as working space.
  Result solve(Neighbourhood& neighbourhood, const ViscousForce& force, const Particles& particles, float dt);
  /// The solution, by slot, and what is left for the next step.
  Vec3 velocity(std::size_t slot) const { return v_[slot] + frame_; }
  Vec3 change(std::size_t slot, Index i) const { return velocity(slot) - start_[i]; }
  const Vec3& remainder(std::size_t slot) const { return residual_[slot]; }

 private:
  struct Products {
    double first = 0, second = 0;
  };
  std::vector<Vec3> mean_residuals(const Slots& slots, std::span<const Index> object) const;
  void find_preconditioner(const Neighbourhood& neighbourhood, const PairFormulas& formulas, float dt);
  void apply(const Neighbourhood& neighbourhood, const PairFormulas& formulas);
  template <class Body>
  Products sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body);

  /// By particle.
  std::vector<Vec3> start_;
  /// Mean velocity.
  Vec3 frame_ = Vec3::Zero();
  /// By slot, velocities relative to the frame.
  std::vector<Vec3> v_, residual_, search_, image_;
  std::vector<float> mass_;
  /// Inverse blocks of the diagonal: xx, yy, zz, xy, xz, yz.
  std::vector<float> diagonal_[6];
  std::vector<Products> partial_;
};

}  // namespace fondue
