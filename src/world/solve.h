#pragma once
// The solve for velocities: forces that are linear in the velocities and too stiff for explicit steps (implicit
// viscosity, cf. Weiler 2018). The velocities v at the end of a step satisfy
//
//   v = v* + dt A(v),
//
// where v* is what all other forces lead to and A is the sum of the active formulas of Pass::solve. I - dt A must be
// symmetric and positive in the product sum m_i a_i.b_i; friction with walls only adds to its diagonal. No matrix is
// made: of a pair of particles one coefficient is kept, for all iterations. Particles on which no such formula acts
// keep v*, those whose velocity is given (integrator.h) keep that.
//
// The method is that of conjugate residuals (Stiefel 1955; Saad 2003, 6.8), preconditioned with the diagonal D. From
// the velocities before the step it goes along directions p, each as far as makes the residual r = v* + dt A(v) - v
// smallest in the norm sum m r^2/D:
//
// clang-format off
//   w = (I - dt A) d,   d = r/D                 one multiplication
//   beta = -<w, q>/<q, q>,   p <- d + beta p,   q <- w + beta q          so that images q are orthogonal
//   alpha = <r, q>/<q, q>,   v <- v + alpha p,   r <- r - alpha q
// clang-format on
//
// No iteration makes the residual larger, as those of conjugate gradients do, so they may end after one or two. The
// second direction is the mean residual of each object where that is a good part of the residual: what falls as a whole
// takes no more than that.
//
// Large bodies need more, because a push travels by one support per iteration. When the first few iterations show that
// many would follow, coarse levels take the place of 1/D (coarse_levels.h): d = P r, and products <a, b> are
// sum m a.(P b), so that it is sum m r.(P r) that no iteration makes larger. The next steps begin with the levels at
// once; then it is asked again. Where matter is torn or soft in part the levels do not save what they cost, and steps
// do without them for as long.
//
// The residual that is left is added to v* in the next step: together with this remainder velocities change by forces
// between pairs alone, momentum and angular momentum are kept to round-off however early the iterations end, and a
// steady flow has the velocities of the exact solution, because the remainder does not change in it. Only changes come
// late: a fall by r/g, the slow acceleration of something that melts by more of its steps. The iterations end when the
// residual is a fifth of what the other forces change in the step, so a longer step, as a lower speed of sound allows,
// does not make them more. At least one is made, for the few soft particles that a mean over all does not notice.
// (Adding the remainder at once would be exact at every moment, but rough: A would amplify it in the next step.)
//
// Rounding: a velocity is known to 6e-8 of itself, and dt A multiplies that by dt eta/(rho dx^2), 10^4 for a wax that
// stands. Velocities are therefore taken relative to their mean, and residuals are not followed below what is left.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "behaviours/registry.h"
#include "world/neighbourhood.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec3> solve_remainder{"solve_remainder", "m/s", "residual that the next step takes over", 0,
                                              true};
}  // namespace columns

class VelocitySolve {
 public:
  struct Result {
    int iterations = 0;
    /// Norm of the residual over that of the change of velocity that the other forces made in the step.
    double error = 0;
    /// The longest step by what velocities really changed by (acceleration_step in integrator.h), and the particle it
    /// comes from.
    float longest_step = infinity;
    Index fastest = 0;
  };
  VelocitySolve();
  VelocitySolve(VelocitySolve&&) noexcept;
  VelocitySolve& operator=(VelocitySolve&&) noexcept;
  ~VelocitySolve();
  /// Adds the columns it needs, among them `solved` (integrator.h).
  static void require(Particles& particles);
  /// Adds the remainder of the step before to the velocities. To be called in every step, before solve().
  static void carry_over(Particles& particles);
  /// Takes v* from the particles' velocities, and the velocities before the step from the neighbourhood's records.
  /// Sets velocity, acceleration, and the columns above.
  Result solve(const Neighbourhood& neighbourhood, const PairFormulas& formulas, Particles& particles, float dt);
  /// What the next solve takes over from the last.
  void save(std::map<std::string, std::vector<double>>& state) const;
  void restore(const std::map<std::string, std::vector<double>>& state);
  /// What `apply` reads to give the forces at the solution, those of walls included.
  PairSpace space_at_solution(const Neighbourhood& neighbourhood);

 private:
  /// A number for each component of a vector and each slot.
  struct Vectors {
    std::vector<float> x, y, z;
    void resize(std::size_t count) {
      for (auto* component : {&x, &y, &z}) component->resize(count);
    }
    Vec3 operator[](std::size_t k) const { return {x[k], y[k], z[k]}; }
    void set(std::size_t k, const Vec3& value) {
      x[k] = value.x();
      y[k] = value.y();
      z[k] = value.z();
    }
  };
  /// Sums over particles, of the square of: the residual, the change of velocity by other forces, and what rounding of
  /// the velocities leaves of a residual.
  struct Squares {
    double residual = 0, change = 0, rounding = 0;
  };
  /// What is the same in all iterations.
  struct Problem {
    const Neighbourhood& neighbourhood;
    const PairFormulas& formulas;
    Particles& particles;
    float dt;
  };
  void find_members(const Problem& problem);
  void choose_frame(const Problem& problem);
  Squares start(const Problem& problem);
  Squares start(const Problem& problem, std::size_t block);
  /// How far to go along the direction, and how much of the last search it takes over.
  struct Search {
    double along = 0, conjugation = 0;
  };
  Search next_search(const SolveProducts& products);
  double minimise(const Problem& problem);
  void take_mean_motion(const Problem& problem, double worthwhile);
  /// The levels for these velocities, and the direction they make of the residual.
  void begin_levels(const Problem& problem);
  /// minimise() with the levels.
  double minimise_with_levels(const Problem& problem);
  /// Hands the solution over.
  void finish(const Problem& problem, Result& result) const;
  SolveCoefficients coefficients(std::size_t block);
  SolveVectors vectors();

  /// Mean velocity.
  Vec3 frame_ = Vec3::Zero();
  /// Positions and the velocities that the operator is applied to.
  std::vector<Record> records_;
  /// By slot: velocities relative to the frame, the residual, and what SolveVectors says.
  Vectors v_, residual_, direction_, image_, search_, search_image_;
  /// <q, q> of the image of the last search; 0: there was none.
  double search_square_ = 0;
  /// By slot; zero for particles that do not take part.
  std::vector<float> mass_;
  std::vector<std::uint8_t> member_;
  /// Coefficients of the operator (pair_loops.h): by block those of pairs, by slot the others.
  std::vector<std::vector<float>> pairs_;
  std::vector<float> walls_[6], drive_[3];
  /// Of the operator, then one over that of I - dt A.
  std::vector<float> diagonal_;
  struct Levels;
  std::unique_ptr<Levels> levels_;
  /// So many more steps begin with the levels; negative: do without.
  int steps_with_levels_ = 0;
  /// How many iterations without levels they were to save when they were chosen.
  double iterations_saved_ = 0;
};

}  // namespace fondue
