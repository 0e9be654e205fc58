#pragma once
// The forces of cloth, along bonds between the particles of a sheet. Distances count and orientations do not (L09
// 4.4.2), so it folds freely but for its bending stiffness. With x_ij = x_j - x_i, r = |x_ij|, e = x_ij/r:
//
// clang-format off
//   stretch   f_i = sum_j [k_ij (r - L_ij) + d_ij v_ij.e] e,   d_ij = 2 damping sqrt(k_ij m_i m_j/(m_i + m_j))
//
//   k_ij = 4/3 n g_ij (k_warp cos^2(2 a) + 2 G sin^2(2 a)),    a: angle between the bond and the warp at rest
//   G = 3/8 shear S,   k_warp = (S - 2 G + sqrt(S^2 + 4 G^2))/2
//
//   bending   l_i = sum_j c_ij x_ij / A_i                      curvature: the sum of both, along the normal
//             M_i = [B (|l_i| - |l_i|rest)/|l_i| + b l_i.dl_i/dt/(l_i^2 + 4e-4/A_i)] l_i,   b = damping A_i sqrt(S m_i)/16
//             f_i = sum_j c_ij (M_i - M_j)
// clang-format on
//
// g_ij is the area of the triangles at the edge over L^2, n normalises them, c_ij are the cotangent weights (Pinkall &
// Polthier 1993), which see no curvature in what is flat; there l is rounding without a direction, so bending is damped
// only where the radius is below 50 spacings. S is the force per width over the strain along the warp and
// the weft, G the shear modulus: on a square lattice both are exact, and a shear of 1 makes any sheet isotropic with
// Poisson's ratio 1/3. The forces but for damping are minus the gradient of
//
//   E = sum_(bonds) k_ij (r - L)^2/2 + sum_i A_i B (|l_i| - |l_i|rest)^2/2.
//
// Both are central or depend on l through its length only: they conserve momentum and angular momentum.

#include "behaviours/substep_formula.h"

namespace fondue {

struct ClothForce {
  /// Floats per record of what forces need of a particle: M and v.
  static constexpr Index record = 8;

  bool active = false;
  SliceRows rows;
  /// By entry: L, k, d, c; where there is no bond zero, but L.
  const float *length = nullptr, *stiffness = nullptr, *damping = nullptr, *cotangent = nullptr;
  /// By place: 1/A, B and b times the behaviour's weight (zero at the edge of a sheet), curvature at rest.
  const float *inverse_area = nullptr, *bending = nullptr, *bending_damping = nullptr, *rest_curvature = nullptr;
  float* records = nullptr;

  template <class F>
  struct Sums {
    LaneVector<F> l{0.0f, 0.0f, 0.0f}, rate{0.0f, 0.0f, 0.0f};
  };

  template <class F>
  FONDUE_INLINE void gather(const SliceBond<F>& b, Sums<F>& sums) const {
    const F c = b.of(cotangent);
    sums.l += c * b.x_ij;
    sums.rate += c * b.v_ij();
  }

  template <class F>
  FONDUE_INLINE void finish(const Sums<F>& sums, const SubstepSpace& space, Index place) const {
    const auto at = [&](const float* values) __attribute__((always_inline)) {
      return FONDUE_ISA::load<F>(values + place);
    };
    const F inverse = at(inverse_area);
    const LaneVector<F> l = inverse * sums.l, rate = inverse * sums.rate;
    const F size = square_root(max(dot(l, l), F(1e-20f)));
    const F damped = at(bending_damping) * dot(l, rate) / (size * size + 4e-4f * inverse);
    const LaneVector<F> M = (at(bending) * (size - at(rest_curvature)) / size + damped) * l;
    F values[record] = {M.x, M.y, M.z, at(space.v[0]), at(space.v[1]), at(space.v[2]), 0.0f, 0.0f};
    store_eight(records, record, place, values);
  }

  template <class F>
  struct Own {
    LaneVector<F> M, v;
  };
  template <class F, class Which>
  FONDUE_INLINE Own<F> values_of(const Which& which) const {
    F values[8];
    load_eight(records, record, which, values);
    return {{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
  }
  template <class F>
  FONDUE_INLINE Own<F> own(Index place) const {
    return values_of<F>(place);
  }

  template <class F>
  FONDUE_INLINE void bond(const SliceBond<F>& b, const Own<F>& i, LaneVector<F>& force) const {
    const Own<F> j = values_of<F>(b.j);
    const F r = square_root(max(dot(b.x_ij, b.x_ij), F(1e-30f)));
    const F tension = b.of(stiffness) * (r - b.of(length)) + b.of(damping) * dot(j.v - i.v, b.x_ij) / r;
    force += (tension / r) * b.x_ij + b.of(cotangent) * (i.M - j.M);
  }
};

}  // namespace fondue
