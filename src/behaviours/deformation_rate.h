#pragma once
// The rate of deformation D = grad v + grad v^T and its intensity sqrt(1/2 tr(D^2)), which is the shear rate of a
// simple shear (P06 3, P09 3; the sources print tr(D)^2, which vanishes for every incompressible flow).
//
// The gradient of velocity_gradient.h is exact for linear velocities everywhere, so a body that turns as a whole is
// seen not to deform. Where too few neighbours are left to invert M, its mean is used. Boundary particles take part as
// far as they grip, with the velocity continued beyond the surface (no-slip): without them the rate at a wall would be
// that of the flow one spacing away from it.
//
// The same sums tell how far the friction of pairs (viscous_weight.h) falls short of the viscosity it stands for, here
// and in the flow of this moment: its dissipation in a linear flow is chi times the true one,
//
//   chi_i = k/4 sum_j V_j (x_ij.D' x_ij)^2 / R^2 (-W'/r) / (D':D') / completeness,   completeness = min(tr M / (0.9 d),
//   1),
//
// with the deviator D' of D, since pure dilation says nothing of shear. For any D' it follows from the fourth moments
// of the neighbourhood. The completeness leaves free surfaces, which lack neighbours, as they are.

#include "behaviours/behaviour.h"
#include "behaviours/velocity_gradient.h"

namespace fondue {

struct DeformationRate : Formula {
  static constexpr Pass pass = Pass::gradient;
  Field volume;
  /// k of viscous_weight.h.
  float weight_constant = 0;
  /// Results, by slot; the tensor (xx, yy, zz, xy, xz, yz) only where it is asked for.
  float *intensity = nullptr, *chi = nullptr;
  float* tensor[6] = {};
  /// tr M / d of a neighbourhood that lacks nothing; in disorder it falls to this.
  static constexpr float complete = 0.9f;
  /// Bounds of chi: beyond them the neighbourhood is no sample of a fluid.
  static constexpr float least_chi = 0.5f, largest_chi = 1.5f;

  template <class F>
  struct Sums : GradientSums<F> {
    /// Fourth moments over R^2, also with W'/r, which is negative: of the squares xx, yy, zz with xx, yy, zz, xy, xz,
    /// yz.
    F xx[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}, yy[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
      zz[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  };

  /// Adds one neighbour, w = V_j W'/r.
  template <class F, class L>
  FONDUE_INLINE static void add(Sums<L>& sums, const F& w, const LaneVector<F>& x, const LaneVector<F>& v, const F& R) {
    sums.GradientSums<L>::add(w, x, v);
    const F over = w / (R * R);
    const F xx = x.x * x.x, yy = x.y * x.y, zz = x.z * x.z, xy = x.x * x.y, xz = x.x * x.z, yz = x.y * x.z;
    const F wxx = over * xx, wyy = over * yy, wzz = over * zz;
    add_product(sums.xx[0], wxx, xx);
    add_product(sums.xx[1], wxx, yy);
    add_product(sums.xx[2], wxx, zz);
    add_product(sums.xx[3], wxx, xy);
    add_product(sums.xx[4], wxx, xz);
    add_product(sums.xx[5], wxx, yz);
    add_product(sums.yy[0], wyy, yy);
    add_product(sums.yy[1], wyy, zz);
    add_product(sums.yy[2], wyy, xy);
    add_product(sums.yy[3], wyy, xz);
    add_product(sums.yy[4], wyy, yz);
    add_product(sums.zz[0], wzz, zz);
    add_product(sums.zz[1], wzz, xy);
    add_product(sums.zz[2], wzz, xz);
    add_product(sums.zz[3], wzz, yz);
  }

  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    const auto w = p.j(volume) * p.gradW_factor();
    add(sums, w, p.x_ij, p.v_ij(), p.mean_R());
  }

  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    add(sums, b.grip() * b.volume() * b.gradW_factor(), b.x_ij, continued_beyond_surface(b) * b.v_ij(), b.R());
  }

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
    const L B[6] = {entry(aa, alone), entry(bb, alone), entry(cc, alone),
                    entry(dd, 0.0f),  entry(ee, 0.0f),  entry(ff, 0.0f)};
    const LaneVector<L> rows[3] = {sums.row(0, B), sums.row(1, B), sums.row(2, B)};
    const L D[6] = {rows[0].x + rows[0].x, rows[1].y + rows[1].y, rows[2].z + rows[2].z,
                    rows[0].y + rows[1].x, rows[0].z + rows[2].x, rows[1].z + rows[2].y};
    const L square = 0.5f * (D[0] * D[0] + D[1] * D[1] + D[2] * D[2]) + D[3] * D[3] + D[4] * D[4] + D[5] * D[5];
    FONDUE_ISA::store(intensity + first, square_root(square), count);
    const L completeness = min(max(mean, L(0.1f)) * (1 / complete), L(1.0f));
    const L ratio = dissipation(sums, D, dimension) / completeness;
    FONDUE_ISA::store(chi + first, select(good, min(max(ratio, L(least_chi)), L(largest_chi)), L(1.0f)), count);
    if (tensor[0])
      for (int k = 0; k != 6; ++k) FONDUE_ISA::store(tensor[k] + first, D[k], count);
  }

  /// chi times the completeness: 1 where nothing is deformed.
  template <class L>
  FONDUE_INLINE L dissipation(const Sums<L>& sums, const L (&D)[6], int dimension) const {
    const L third = dimension == 3 ? (D[0] + D[1] + D[2]) * (1.0f / 3) : 0.5f * (D[0] + D[1]);
    const L x = D[0] - third, y = D[1] - third, z = dimension == 3 ? D[2] - third : L(0.0f);
    const L square = x * x + y * y + z * z + 2 * (D[3] * D[3] + D[4] * D[4] + D[5] * D[5]);
    // x_ij.D' x_ij = x xx + y yy + z zz + xy xy + xz xz + yz yz, squared and summed.
    const L xy = 2 * D[3], xz = 2 * D[4], yz = 2 * D[5];
    const auto &xx = sums.xx, &yy = sums.yy, &zz = sums.zz;
    const L pure = x * x * xx[0] + y * y * yy[0] + z * z * zz[0] + (2 * x * y + xy * xy) * xx[1] +
                   (2 * x * z + xz * xz) * xx[2] + (2 * y * z + yz * yz) * yy[1];
    const L mixed = x * (xy * xx[3] + xz * xx[4]) + y * (xy * yy[2] + yz * yy[4]) + z * (xz * zz[2] + yz * zz[3]) +
                    (x * yz + xy * xz) * xx[5] + (y * xz + xy * yz) * yy[3] + (z * xy + xz * yz) * zz[1];
    constexpr float nothing = 1e-20f;
    return (nothing - 0.25f * weight_constant * (pure + 2 * mixed)) / (square + nothing);
  }
};

}  // namespace fondue
