#pragma once
// The solve for velocities: forces that are linear in the velocities and too stiff for explicit steps (implicit
// viscosity, cf. Weiler 2018). The velocities v at the end of a step satisfy
//
//   v = v* + dt A(v),
//
// where v* is what all other forces lead to and A is the sum of the active formulas of Pass::solve. It is solved by
// conjugate gradients, preconditioned with the 3x3 blocks of the diagonal, on the neighbour lists of the step: no
// matrix is made. I - dt A must be symmetric and positive in the product sum m_i a_i.b_i; friction with walls only adds
// to its diagonal. Particles on which no such formula acts keep v*.
//
// The iteration starts from the velocities before the step and first minimises along two directions: the change of
// velocity in the step before, and the motion of each object as a whole. So what stands or falls takes hardly an
// iteration. The residual of the last iteration, v* + dt A(v) - v, is added to v* in the next step: together with this
// remainder velocities change by forces between pairs alone, momentum and angular momentum are kept to round-off
// however early the iterations end, and they may end early, at a tenth of the change that the other forces make,
// without any drift. (Adding the remainder at once would be exact at every moment, but rough: A would amplify it in the
// next step.)
//
// Rounding: a velocity is known to 6e-8 of itself, and dt A multiplies that by dt eta/(rho dx^2), 10^4 for a wax that
// stands. Velocities are therefore taken relative to their mean, and residuals are not followed below what is left.

#include <span>
#include <vector>

#include "behaviours/registry.h"
#include "world/neighbourhood.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec3> solve_change{"solve_change", "m/s", "change of velocity in the last solved step", 0,
                                           true};
inline constexpr Column<Vec3> solve_remainder{"solve_remainder", "m/s", "residual that the next step takes over", 0,
                                              true};
}  // namespace columns

class VelocitySolve {
 public:
  struct Result {
    int iterations = 0;
    /// Norm of the residual over that of the change of velocity that the other forces made in the step.
    double error = 0;
  };
  /// Adds the columns it needs, among them `solved` (integrator.h).
  static void require(Particles& particles);
  /// Adds the remainder of the step before to the velocities. To be called in every step, before solve().
  static void carry_over(Particles& particles);
  /// Takes v* from the particles' velocities, and the velocities before the step from the neighbourhood's records.
  /// Sets velocity, acceleration, and the columns above.
  Result solve(const Neighbourhood& neighbourhood, const PairFormulas& formulas, Particles& particles, float dt);
  /// What `apply` reads to give the forces at the solution, those of walls included.
  PairSpace space_at_solution(const Neighbourhood& neighbourhood);

 private:
  struct Products {
    double first = 0, second = 0;
  };
  void find_members(const Slots& slots, const PairFormulas& formulas);
  void start(const Neighbourhood& neighbourhood, const Particles& particles);
  std::vector<Vec3> mean_residuals(const Slots& slots, std::span<const Index> object) const;
  void find_preconditioner(const Neighbourhood& neighbourhood, const PairFormulas& formulas, float dt);
  Vec3 preconditioned(std::size_t slot, const Vec3& residual) const;
  void apply(const Neighbourhood& neighbourhood, const PairFormulas& formulas);
  void show(std::size_t slot, const Vec3& velocity);
  double product(std::size_t slot, const Vec3& p, const Vec3& q) const;
  template <class Body>
  Products sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body);
  template <class Direction>
  Products minimise_along(const Neighbourhood& neighbourhood, const PairFormulas& formulas, float dt,
                          Direction&& direction);

  /// Mean velocity.
  Vec3 frame_ = Vec3::Zero();
  /// What the loops read: positions and the velocities that the operator is applied to, in its own records.
  PairSpace space_{};
  std::vector<Record> records_;
  /// By slot, velocities relative to the frame.
  std::vector<Vec3> v_, residual_, search_, image_;
  /// By slot; zero for particles that do not take part.
  std::vector<float> mass_;
  std::vector<std::uint8_t> member_;
  /// Inverse blocks of the diagonal: xx, yy, zz, xy, xz, yz.
  std::vector<float> diagonal_[6];
  std::vector<Products> partial_;
};

}  // namespace fondue
