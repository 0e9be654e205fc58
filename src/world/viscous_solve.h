#pragma once
// Implicit viscosity (cf. Weiler 2018): the velocities v at the end of a step that satisfy
//
//   v = v* + dt L(v),
//
// v* being what all other forces lead to and L the viscous acceleration of the pair formula, with the viscosities of
// the present rates of shear. It is solved by conjugate gradients, preconditioned with the 3x3 blocks of the diagonal,
// on the neighbour lists of the step: no matrix is made. I - dt L is symmetric and positive in the product sum m_i
// a_i.b_i for viscosities that vary in space, and friction with walls only adds to its diagonal.
//
// The solution is begun with the viscous acceleration of the step before, so that what stands costs an iteration or
// two. At the end the residual is added to the solution, v + (v* + dt L(v) - v) = v* + dt L(v): velocities then change
// by forces between pairs alone, and momentum and angular momentum are kept to round-off however early the iterations
// end.

#include <span>
#include <vector>

#include "behaviours/viscosity.h"
#include "world/neighbourhood.h"

namespace fondue {

class ViscousSolve {
 public:
  struct Result {
    int iterations = 0;
    /// Of the residual, over the change of velocity in the step.
    double error = 0;
  };
  /// Velocities of the particles are v*, their viscous accelerations those of the step before. The velocities in the
  /// neighbourhood's records are used as working space.
  Result solve(Neighbourhood& neighbourhood, const ViscousForce& force, const Particles& particles, float dt);
  /// The solution, by slot.
  std::span<const Vec3> velocities() const { return v_; }

 private:
  struct Products {
    double first = 0, second = 0;
  };
  void find_preconditioner(const Neighbourhood& neighbourhood, const PairFormulas& formulas, float dt);
  void apply(const Neighbourhood& neighbourhood, const PairFormulas& formulas);
  template <class Body>
  Products sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body);

  std::vector<Vec3> v_, residual_, search_, image_;
  std::vector<float> mass_, diagonal_[6];
  std::vector<Products> partial_;
};

}  // namespace fondue
