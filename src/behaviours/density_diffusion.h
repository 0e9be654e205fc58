#pragma once
// Diffusion of the continuity density (Molteni & Colagrossi 2009 eq. 5, without the hydrostatic part as in Fourtakas
// 2019 eq. 9-13): it smooths the noise of the scale of particles that a density of its own equation collects, so that
// a pressure can be read at a point.
//
// clang-format off
//   ds_i/dt += sum_j V_j delta_ij c_ij R_ij D_ij (x_j - x_i).grad W / r^2
//   D_ij     = (P_j - P_i - (f_i + f_j)/2 . (x_j - x_i)) / K_ij,   P = K (s - 1),  K = rho0 c^2,  f = rho0 g
// clang-format on
//
// This is Molteni & Colagrossi's 2 delta h c with h = R/2, and V the rest volume. Fluids that meet have the same
// pressure, not the same compression, so differences of pressure are diffused, with the mean K of both; for a single
// fluid this is the same. What gravity g makes of the pressure at rest, f.x, is left out of the difference: a tank at
// rest has no flux, and the surface needs no correction. The smaller delta c of two particles counts: a particle whose
// density follows from a sum takes no part. Nothing passes through walls.
//
// The flux of a pair is antisymmetric: sum V_i s_i is conserved to round-off. With s at the beginning of the step it is
// stable for dt <= 2 / (2 delta c R sum V |W'|/r), where the sum is at most 18/R^2 for the kernels of core/kernel.h:
// dt <= R / (18 delta c).

#include "behaviours/formula.h"

namespace fondue {

struct DensityDiffusion : Formula {
  static constexpr Pass pass = Pass::gradient;
  /// Step times c over R and delta (see above).
  static constexpr float largest_step = 1.0f / 18;
  /// V of the particles the fluid acts on, 0 of others; delta c; K; P; rho0 g.
  Field volume, speed, stiffness, pressure, weight_x, weight_y, weight_z;
  /// Result, by slot.
  float* rate = nullptr;

  template <class L>
  struct Sums {
    L rate = 0.0f;
  };
  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    // Twice the mean weight times x_i - x_j, which is minus what the hydrostatic pressure differs by.
    const auto f_x = (p.i(weight_x) + p.j(weight_x)) * p.x_ij.x + (p.i(weight_y) + p.j(weight_y)) * p.x_ij.y +
                     (p.i(weight_z) + p.j(weight_z)) * p.x_ij.z;
    const auto difference = (2 * (p.j(pressure) - p.i(pressure)) + f_x) / (p.i(stiffness) + p.j(stiffness));
    const auto scale = p.j(volume) * min(p.i(speed), p.j(speed)) * p.mean_R();
    sums.rate -= folded(scale * difference * p.gradW_factor());
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B&, Sums<L>&) const {}
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(rate + first, sums.rate, count);
  }
};

}  // namespace fondue
