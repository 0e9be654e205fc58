#pragma once
// Coarse levels for the solve (solve.h): what a residual that varies little from particle to particle asks for.
//
// Divided by its diagonal a residual changes velocities within the support of the kernel only, so that a push travels
// through a block of wax by one support per iteration. Here it is also averaged over ever larger cells, and every level
// adds what its own diagonal makes of that (Bramble, Pasciak & Xu 1990):
//
// clang-format off
//   d = r/D + sum over levels l of Z_l D_l^-1 Z_l^T m r
//   Z_l      trilinear interpolation from the nodes of a grid; cells are twice as wide from level to level
//   D_l      its diagonal as that of a continuum: mass + dt (80/9 m nu/width^2 + friction with walls), sums over the
//            particles around a node
//   nu       kinematic viscosity in a linear flow, m nu (2 D:D + (tr D)^2) being what it dissipates
// clang-format on
//
// The coarsest level has few nodes and is solved exactly, with the continuum's matrix: it contains rigid motions, which
// no friction within the matter resists and a diagonal knows nothing of. Where matter is so soft that its mass decides,
// the others add nothing.
//
// All this only proposes directions; how far to go, and when it is enough, the solve decides from the forces
// themselves. It is symmetric, as the method of conjugate residuals asks. There are no levels in periodic domains.

#include <Eigen/Cholesky>
#include <array>
#include <span>
#include <vector>

#include "behaviours/pair.h"
#include "core/vec.h"

namespace fondue {

class CoarseLevels {
 public:
  /// By slot; those without mass do not take part.
  struct Matter {
    std::span<const Record> records;
    const float* mass;
    /// The diagonal of I - dt A is one over this.
    const float* inverse_diagonal;
    /// Friction with walls, in it times dt: xx, yy, zz, xy, xz, yz.
    std::array<const float*, 6> walls;
    float dt, support;
  };
  void prepare(const Matter& matter);
  /// Adds what the levels make of m times the residual to the direction.
  void add(const Matter& matter, const float* const* residual, float* const* direction);

 private:
  struct Level {
    int nodes[3];
    float width;
    /// One over the diagonal; zero where there is no stiff matter.
    std::vector<float> inverse_diagonal;
    /// The residual at nodes, then the correction.
    std::vector<Vec3> values;
    std::size_t node(int i, int j, int k) const { return (static_cast<std::size_t>(k) * nodes[1] + j) * nodes[0] + i; }
  };
  void lay_grid(const Matter& matter);
  void sort_into_cells(const Matter& matter);
  template <class Value>
  void gather(Value&& value);
  void restrict_to(std::size_t coarser);
  void prolong_from(std::size_t coarser);
  void prepare_coarsest(const Matter& matter);
  void solve_coarsest();
  /// Of the corners of a cell at a particle.
  struct Weights {
    float of_corner[8];
  };
  Weights weights(const Record& record, std::size_t cell) const;

  Vec3 origin_ = Vec3::Zero();
  /// Cells of the finest level; they have one more node than cells along each axis.
  int cells_[3] = {};
  std::vector<Level> levels_;
  /// Slots by cell, and the weights there.
  std::vector<Index> slots_, cell_of_slot_;
  std::vector<Weights> weights_;
  struct Cell {
    Index cell, begin, end;
  };
  std::vector<Cell> occupied_;
  /// Sums at the corners of occupied cells.
  struct Corners {
    float x[8], y[8], z[8];
  };
  std::vector<Corners> corners_;
  Eigen::LDLT<Eigen::MatrixXd> coarsest_;
};

}  // namespace fondue
