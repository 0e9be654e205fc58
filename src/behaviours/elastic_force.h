#pragma once
// The force of an elastic body, total Lagrangian on the bonds of its reference shape. With X_ij = X_j - X_i of the
// reference, x_ij = x_j - x_i, u_ij = x_ij - X_ij, and a symmetric weight of every bond
//   k_ij = V_i V_j (-W'(r)/r)   at r = |X_ij|, support of two spacings, cubic spline:
//
//   F_i = I + [sum_j k_ij u_ij (x) X_ij] M_i^-1,   M_i = sum_j k_ij X_ij (x) X_ij         exact for affine motion
//   P_i = R (2 mu e + lambda tr(e) I),   e = sym(R^T F) - I - e_p                         corotated: F = R U
//   P_i = F (2 mu e + lambda tr(e) I),   e = (F^T F - I)/2 - e_p                          Green strain (L09 4.1-4.5)
//
// with e_p the strain that a plastic behaviour has stored. The body's energy is
//
//   E = sum_i V_i psi(F_i) + 1/2 sum_ij alpha mu_i k_ij |F_i X_ij - x_ij|^2,   alpha = 2
//
// whose second part resists the motions that F does not see. Since F is the least-squares fit with the weights k, the
// derivative of F in it vanishes, and minus the gradient of E is, with T = V P M^-1 and Q = T - alpha mu (F - I),
//
//   f_i = sum_j k_ij [(Q_i + Q_j) X_ij + alpha (mu_i + mu_j) u_ij]
//   damping: + sum_j k_ij (d_i + d_j) (v_ij.n) n,   d = damping mu dx/c_p,   n = x_ij/r
//
// Each pair of terms is exactly antisymmetric and E does not change when the body is turned: momentum and angular
// momentum are conserved. Corrected from L09 4.2: Hooke's law with e itself instead of its deviator, and without the
// factor 2 of (4.5).

#include "behaviours/lane_matrix.h"
#include "behaviours/substep_formula.h"

namespace fondue {

struct ElasticForce {
  static constexpr float alpha = 2;
  /// Floats per record of what forces need of a particle: Q (9), alpha mu, d, v (3).
  static constexpr Index record = 16;

  bool active = false, plane = false;
  const Index *begins = nullptr, *neighbours = nullptr;
  /// By entry: X_ij and k_ij.
  const float *X = nullptr, *Y = nullptr, *Z = nullptr, *k = nullptr;
  /// By place: M^-1 (xx, yy, zz, xy, xz, yz), V, Lame's constants and d times the behaviour's weight; zero for
  /// particles with too few bonds.
  const float* inverse_moment[6] = {};
  const float *volume = nullptr, *lambda = nullptr, *mu = nullptr, *damping = nullptr;
  /// By place: e_p; null: none.
  const float* stored[6] = {};
  /// By slice: non-zero for Green's strain.
  const std::uint8_t* green = nullptr;
  float* records = nullptr;

  template <class F>
  struct Sums {
    LaneMatrix<F> uX = LaneMatrix<F>::diagonal(0.0f);
  };

  template <class F>
  FONDUE_INLINE void gather(const SliceBond<F>& b, Sums<F>& sums) const {
    const LaneVector<F> X_ij{b.of(X), b.of(Y), b.of(Z)};
    const LaneVector<F> ku = b.of(k) * (b.x_ij - X_ij);
    const F u[3] = {ku.x, ku.y, ku.z};
    for (int row = 0; row != 3; ++row) {
      sums.uX(row, 0) += u[row] * X_ij.x;
      sums.uX(row, 1) += u[row] * X_ij.y;
      sums.uX(row, 2) += u[row] * X_ij.z;
    }
  }

  template <class F>
  FONDUE_INLINE void finish(const Sums<F>& sums, const SubstepSpace& space, Index place) const {
    const auto at = [&](const float* values) __attribute__((always_inline)) {
      return FONDUE_ISA::load<F>(values + place);
    };
    const LaneMatrix<F> inverse =
        LaneMatrix<F>::symmetric(at(inverse_moment[0]), at(inverse_moment[1]), at(inverse_moment[2]),
                                 at(inverse_moment[3]), at(inverse_moment[4]), at(inverse_moment[5]));
    const LaneMatrix<F> H = sums.uX * inverse;
    const F G = at(mu);
    const LaneMatrix<F> T = at(volume) * (stress(H, at(lambda), G, place) * inverse);
    const LaneMatrix<F> Q = T - (alpha * G) * H;
    F values[record] = {Q.m[0], Q.m[1],    Q.m[2],      Q.m[3],       Q.m[4],       Q.m[5],       Q.m[6], Q.m[7],
                        Q.m[8], alpha * G, at(damping), at(space.vx), at(space.vy), at(space.vz), 0.0f,   0.0f};
    float* to = records + record * place;
    if constexpr (lane_count<F> == 1) {
      for (Index c = 0; c != record; ++c) to[c] = values[c];
    } else {
      for (int half = 0; half != 2; ++half) {
        F rows[8];
        for (int c = 0; c != 8; ++c) rows[c] = values[8 * half + c];
        FONDUE_ISA::transpose(rows);
        for (Index lane = 0; lane != 8; ++lane) FONDUE_ISA::store(to + record * lane + 8 * half, rows[lane], 8);
      }
    }
  }

  /// First Piola-Kirchhoff stress of F = I + H.
  template <class F>
  FONDUE_INLINE LaneMatrix<F> stress(const LaneMatrix<F>& H, F la, F G, Index place) const {
    const LaneMatrix<F> one = LaneMatrix<F>::diagonal(1.0f), deformation = one + H;
    LaneMatrix<F> turned = deformation, e;
    if (green[place / SliceOrder::width]) {
      e = F(0.5f) * (H + transposed_times(H, one) + transposed_times(H, H));
    } else {
      turned = plane ? plane_rotation_of(deformation) : rotation_of(deformation);
      const LaneMatrix<F> U = transposed_times(turned, deformation);
      e = F(0.5f) * (U + transposed_times(U, one)) - one;
    }
    if (stored[0]) {
      F p[6];
      for (int c = 0; c != 6; ++c) p[c] = FONDUE_ISA::load<F>(stored[c] + place);
      e = e - LaneMatrix<F>::symmetric(p[0], p[1], p[2], p[3], p[4], p[5]);
    }
    return turned * ((2 * G) * e + LaneMatrix<F>::diagonal(la * trace(e)));
  }

  template <class F>
  struct Own {
    LaneMatrix<F> Q;
    F alpha_mu, d;
    LaneVector<F> v;
  };

  template <class F, class Which>
  FONDUE_INLINE Own<F> values_of(const Which& which) const {
    F first[8], second[8];
    load_eight(records, record, which, first);
    load_eight(records + 8, record, which, second);
    return {{{first[0], first[1], first[2], first[3], first[4], first[5], first[6], first[7], second[0]}},
            second[1],
            second[2],
            {second[3], second[4], second[5]}};
  }
  template <class F>
  FONDUE_INLINE Own<F> own(Index place) const {
    return values_of<F>(place);
  }

  template <class F>
  FONDUE_INLINE void bond(const SliceBond<F>& b, const Own<F>& i, LaneVector<F>& force) const {
    const Own<F> j = values_of<F>(b.j);
    const LaneVector<F> X_ij{b.of(X), b.of(Y), b.of(Z)};
    const F r2 = max(dot(b.x_ij, b.x_ij), F(1e-30f));
    const F damped = (i.d + j.d) * dot(j.v - i.v, b.x_ij) / r2;
    const LaneVector<F> f = (i.Q + j.Q) * X_ij + (i.alpha_mu + j.alpha_mu) * (b.x_ij - X_ij) + damped * b.x_ij;
    force += b.of(k) * f;
  }
};

}  // namespace fondue
