#pragma once
// Matrices of floats or lanes, and the polar decomposition of a deformation.

#include "core/lanes.h"

namespace fondue {

template <class F>
struct LaneMatrix {
  /// Row by row.
  F m[9];

  FONDUE_INLINE F& operator()(int row, int column) { return m[3 * row + column]; }
  FONDUE_INLINE const F& operator()(int row, int column) const { return m[3 * row + column]; }
  FONDUE_INLINE friend LaneMatrix operator+(const LaneMatrix& a, const LaneMatrix& b) {
    LaneMatrix c;
    for (int k = 0; k != 9; ++k) c.m[k] = a.m[k] + b.m[k];
    return c;
  }
  FONDUE_INLINE friend LaneMatrix operator-(const LaneMatrix& a, const LaneMatrix& b) {
    LaneMatrix c;
    for (int k = 0; k != 9; ++k) c.m[k] = a.m[k] - b.m[k];
    return c;
  }
  FONDUE_INLINE friend LaneMatrix operator*(F s, const LaneMatrix& a) {
    LaneMatrix c;
    for (int k = 0; k != 9; ++k) c.m[k] = s * a.m[k];
    return c;
  }
  FONDUE_INLINE friend LaneMatrix operator*(const LaneMatrix& a, const LaneMatrix& b) {
    LaneMatrix c;
    for (int i = 0; i != 3; ++i)
      for (int j = 0; j != 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    return c;
  }
  FONDUE_INLINE friend LaneVector<F> operator*(const LaneMatrix& a, const LaneVector<F>& v) {
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
  }
  /// a^T b
  FONDUE_INLINE friend LaneMatrix transposed_times(const LaneMatrix& a, const LaneMatrix& b) {
    LaneMatrix c;
    for (int i = 0; i != 3; ++i)
      for (int j = 0; j != 3; ++j) c(i, j) = a(0, i) * b(0, j) + a(1, i) * b(1, j) + a(2, i) * b(2, j);
    return c;
  }
  FONDUE_INLINE friend F trace(const LaneMatrix& a) { return a.m[0] + a.m[4] + a.m[8]; }
  /// Sum of the products of all entries.
  FONDUE_INLINE friend F contracted(const LaneMatrix& a, const LaneMatrix& b) {
    F sum = a.m[0] * b.m[0];
    for (int k = 1; k != 9; ++k) sum += a.m[k] * b.m[k];
    return sum;
  }
  FONDUE_INLINE friend LaneMatrix cofactors(const LaneMatrix& a) {
    LaneMatrix c;
    for (int i = 0; i != 3; ++i)
      for (int j = 0; j != 3; ++j) {
        const int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
        c(i, j) = a(p, r) * a(q, s) - a(p, s) * a(q, r);
      }
    return c;
  }
  FONDUE_INLINE static LaneMatrix diagonal(F d) { return {{d, 0.0f, 0.0f, 0.0f, d, 0.0f, 0.0f, 0.0f, d}}; }
  /// Of xx, yy, zz, xy, xz, yz.
  FONDUE_INLINE static LaneMatrix symmetric(F xx, F yy, F zz, F xy, F xz, F yz) {
    return {{xx, xy, xz, xy, yy, yz, xz, yz, zz}};
  }
};

/// The rotation R with the largest tr(R^T A): of the polar decomposition A = R U, and where A is inverted the one with
/// U of smallest negative part; det R is always +1. Nearly singular only where two singular values (the smallest of an
/// inverted A counts as negative) add up to zero; there R is not unique and the result is finite.
///
/// l = tr U is the largest root of l^4 - 2 |A|^2 l^2 - 8 det(A) l + 2 |A^T A|^2 - |A|^4 (the characteristic polynomial
/// of Horn's matrix of quaternions, 1987), found by Newton's method from above; a lane stops when it has converged,
/// whatever the others do. With the invariants of U,
/// i1 = l, i2 = (l^2 - |A|^2)/2, i3 = det A, Cayley and Hamilton give
///   R (i1 i2 - i3) = i1 cof(A) + (i1^2 - i2) A - A A^T A.
/// A step of Newton's method for R^T R = I takes out most of the rounding.
template <class F>
FONDUE_INLINE LaneMatrix<F> rotation_of(const LaneMatrix<F>& A) {
  const LaneMatrix<F> C = transposed_times(A, A), cof = cofactors(A);
  const F t = trace(C), i3 = A.m[0] * cof.m[0] + A.m[1] * cof.m[1] + A.m[2] * cof.m[2];
  const F c2 = -2 * t, c1 = -8 * i3, c0 = 2 * contracted(C, C) - t * t;
  const F tiny = F(1e-12f) + F(1e-6f) * t * square_root(t);
  F l = square_root(3 * t);
  for (int k = 0; k != 8; ++k) {
    const F l2 = l * l;
    const F p = (l2 + c2) * l2 + c1 * l + c0, slope = (4 * l2 + 2 * c2) * l + c1;
    const F step = max(p, F(0.0f)) / max(slope, tiny);
    const auto moves = step > F(1e-7f) * l;
    if (!any(moves)) break;
    l = select(moves, l - step, l);
  }
  const F i2 = 0.5f * (l * l - t);
  const F scale = 1 / max(l * i2 - i3, tiny);
  const LaneMatrix<F> R = (scale * l) * cof + (scale * (l * l - i2)) * A - scale * (A * C);
  return F(1.5f) * R - F(0.5f) * (R * transposed_times(R, R));
}

/// The same for a motion in the plane z = 0, where the rotation is about z.
template <class F>
FONDUE_INLINE LaneMatrix<F> plane_rotation_of(const LaneMatrix<F>& A) {
  F c = A.m[0] + A.m[4], s = A.m[3] - A.m[1];
  const F scale = 1 / square_root(max(c * c + s * s, F(1e-12f)));
  c = scale * c;
  s = scale * s;
  return {{c, -s, 0.0f, s, c, 0.0f, 0.0f, 0.0f, 1.0f}};
}

}  // namespace fondue
