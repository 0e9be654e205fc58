#pragma once
// How strongly a pair of particles resists its relative motion along the line between them, and what that is worth as a
// viscosity. The friction of a pair has the form of dissipative particle dynamics (Espanol & Warren 1995),
//
//   a_i = sum_j m_j eta_ij / (rho_i rho_j) k / R^2 (v_ij.x_ij) grad W,      k = 2 d R^2 / <r^2>,
//
// <r^2> being the mean square distance under the kernel W. Any weight of the pairs conserves linear and angular
// momentum; k follows from the integral of the dissipation in a linear flow (Marsh, Backx & Ernst 1997). The customary
// weight (Monaghan 2005, Weiler 2018) divides by r^2 and has 2 (d + 2) instead of k/R^2. It leaves nearly everything to
// the nearest neighbours, which lie in few directions: with R = 2 dx its dissipation in rows that slide past each other
// is 0.66 to 0.84 of the true one (3D 0.71 to 0.91), in a stretched lattice up to 1.36 (3D 1.48). Without that division
// it is 0.96 to 1.05 (3D 0.92 to 1.06) and up to 1.08 (3D 1.18).

#include "core/kernel.h"

namespace fondue {

/// k of the formula above.
inline float viscous_weight(KernelShape shape, int dimension) {
  constexpr int parts = 400;
  double square = 0, all = 0;
  for (int n = 0; n != parts; ++n) {
    const double q = (n + 0.5) / parts, shell = dimension == 3 ? q * q : q;
    const double W = shell * kernel_shape::value(shape, dimension, q);
    square += W * q * q;
    all += W;
  }
  return static_cast<float>(2 * dimension * all / square);
}

}  // namespace fondue
