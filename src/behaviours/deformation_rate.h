#pragma once
// The rate of deformation D = grad v + grad v^T and its intensity sqrt(1/2 tr(D^2)), which is the shear rate of a
// simple shear (P06 3, P09 3; the sources print tr(D)^2, which vanishes for every incompressible flow).
//
//   G_i = sum_j V_j (v_j - v_i) (x) grad W,   M_i = sum_j V_j (x_j - x_i) (x) grad W,   grad v_i = G_i M_i^-1
//
// M corrects what is missing at free surfaces (Bonet & Lok 1999): linear velocities are measured exactly everywhere, so
// a body that turns as a whole is seen not to deform. Where too few neighbours are left to invert M, its mean is used.

#include "behaviours/behaviour.h"

namespace fondue {

struct DeformationRate : Formula {
  static constexpr Pass pass = Pass::gradient;
  Field volume;
  /// Results, by slot; the tensor (xx, yy, zz, xy, xz, yz) only where it is asked for.
  float* intensity = nullptr;
  float* tensor[6] = {};

  template <class F>
  struct Sums {
    /// M and G without their minus signs: sums of x (x) x and of v_ij (x) x_ij.
    F m[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    LaneVector<F> g[3] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
  };

  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    const auto w = p.j(volume) * p.gradW_factor();
    const auto& x = p.x_ij;
    const auto wx = w * x;
    add_product(sums.m[0], wx.x, x.x);
    add_product(sums.m[1], wx.y, x.y);
    add_product(sums.m[2], wx.z, x.z);
    add_product(sums.m[3], wx.x, x.y);
    add_product(sums.m[4], wx.x, x.z);
    add_product(sums.m[5], wx.y, x.z);
    const auto v = p.v_ij();
    const auto add_row = [&](LaneVector<L>& row, auto component) {
      add_product(row.x, component, wx.x);
      add_product(row.y, component, wx.y);
      add_product(row.z, component, wx.z);
    };
    add_row(sums.g[0], v.x);
    add_row(sums.g[1], v.y);
    add_row(sums.g[2], v.z);
  }

  /// Walls do not take part: M corrects for what is missing there.
  template <class B, class L>
  FONDUE_INLINE void wall(const B&, Sums<L>&) const {}

  /// Solves for the gradient and writes the results of a group.
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace& space, Index first, Index count) const {
    const int dimension = space.dimension;
    const L a = -sums.m[0], b = -sums.m[1], c = dimension == 3 ? -sums.m[2] : L(1.0f);
    const L d = -sums.m[3], e = -sums.m[4], f = -sums.m[5];
    // The inverse of a symmetric matrix: its cofactors over its determinant.
    const L aa = b * c - f * f, bb = a * c - e * e, cc = a * b - d * d;
    const L dd = e * f - d * c, ee = d * f - b * e, ff = d * e - a * f;
    const L determinant = a * aa + d * dd + e * ee;
    const L mean = dimension == 3 ? (a + b + c) * (1.0f / 3) : 0.5f * (a + b);
    const L volume_of_mean = dimension == 3 ? mean * mean * mean : mean * mean;
    const auto good = determinant > 0.02f * volume_of_mean + 1e-6f;
    const L over = 1 / select(good, determinant, L(1.0f)), alone = 1 / max(mean, L(0.1f));
    const auto entry = [&](L cofactor, L otherwise) { return select(good, cofactor * over, otherwise); };
    const L i0 = entry(aa, alone), i1 = entry(bb, alone), i2 = entry(cc, alone);
    const L i3 = entry(dd, 0.0f), i4 = entry(ee, 0.0f), i5 = entry(ff, 0.0f);
    LaneVector<L> rows[3];
    for (int k = 0; k != 3; ++k) {
      const LaneVector<L>& g = sums.g[k];
      rows[k] = {-(g.x * i0 + g.y * i3 + g.z * i4), -(g.x * i3 + g.y * i1 + g.z * i5),
                 -(g.x * i4 + g.y * i5 + g.z * i2)};
    }
    const L D[6] = {rows[0].x + rows[0].x, rows[1].y + rows[1].y, rows[2].z + rows[2].z,
                    rows[0].y + rows[1].x, rows[0].z + rows[2].x, rows[1].z + rows[2].y};
    const L square = 0.5f * (D[0] * D[0] + D[1] * D[1] + D[2] * D[2]) + D[3] * D[3] + D[4] * D[4] + D[5] * D[5];
    FONDUE_ISA::store(intensity + first, square_root(square), count);
    if (tensor[0])
      for (int k = 0; k != 6; ++k) FONDUE_ISA::store(tensor[k] + first, D[k], count);
  }
};

}  // namespace fondue
