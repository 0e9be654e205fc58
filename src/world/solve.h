#pragma once
// The solve for velocities: forces that are linear in the velocities and too stiff for explicit steps (implicit
// viscosity, cf. Weiler 2018). The velocities v at the end of a step satisfy
//
//   v = v* + dt A(v),
//
// where v* is what all other forces lead to and A is the sum of the active formulas of Pass::solve. It is solved by
// conjugate gradients, preconditioned with the 3x3 blocks of the diagonal. No matrix is made: of a pair of particles
// one coefficient is kept, for all iterations. I - dt A must be symmetric and positive in the product sum m_i a_i.b_i;
// friction with walls only adds to its diagonal. Particles on which no such formula acts keep v*.
//
// The iteration starts from the velocities before the step and first minimises along two directions: the change of
// velocity in the step before, and the motion of each object as a whole. So what stands or falls takes hardly an
// iteration. The residual of the last iteration, v* + dt A(v) - v, is added to v* in the next step: together with this
// remainder velocities change by forces between pairs alone, momentum and angular momentum are kept to round-off
// however early the iterations end, and they may end early, at a fifth of the change that the other forces make,
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
  /// One vector for each slot, its components in arrays of their own.
  struct Vectors {
    std::vector<float> x, y, z;
    void resize(std::size_t count) {
      for (auto* component : {&x, &y, &z}) component->assign(count, 0.0f);
    }
    Vec3 operator[](std::size_t k) const { return {x[k], y[k], z[k]}; }
    void set(std::size_t k, const Vec3& value) {
      x[k] = value.x();
      y[k] = value.y();
      z[k] = value.z();
    }
  };
  void find_members(const Slots& slots, const PairFormulas& formulas);
  void start(const Neighbourhood& neighbourhood, const Particles& particles);
  std::vector<Vec3> mean_residuals(const Slots& slots, std::span<const Index> object) const;
  void find_coefficients(const Neighbourhood& neighbourhood, const PairFormulas& formulas);
  SolveCoefficients coefficients(std::size_t block);
  void find_preconditioner(float dt);
  void show(std::size_t slot, const Vec3& velocity);
  double product(const Block& block, const Vectors& p, const Vectors& q) const;
  template <class Body>
  Products sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body);
  void apply(const Neighbourhood& neighbourhood, std::size_t block);
  void search_anew(const Block& block, float conjugation);
  void precondition(const Block& block);
  Products minimise(const Neighbourhood& neighbourhood, float dt);

  /// Mean velocity.
  Vec3 frame_ = Vec3::Zero();
  /// What the loops read: positions and the velocities that the operator is applied to, in its own records.
  PairSpace space_{};
  std::vector<Record> records_;
  /// By slot, relative to the frame: velocities, residual, preconditioned residual, direction of search, its image. All
  /// but the velocities are zero for particles that do not take part.
  Vectors v_, residual_, preconditioned_, search_, image_;
  /// By slot; zero for particles that do not take part.
  std::vector<float> mass_;
  std::vector<std::uint8_t> member_;
  /// Coefficients of the operator (pair_loops.h): by block those of pairs, by slot the others.
  std::vector<std::vector<float>> pairs_;
  std::vector<float> walls_[6], drive_[3];
  /// Blocks of the diagonal, later their inverses: xx, yy, zz, xy, xz, yz.
  std::vector<float> diagonal_[6];
  std::vector<Products> partial_;
};

}  // namespace fondue
