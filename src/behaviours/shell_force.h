#pragma once
// The force of a thin elastic shell, total Lagrangian on the bonds of its reference shape (L09 4.4, derived). Every
// particle i sees its neighbours in a frame of its own, tangential and normal to the reference shape:
//
//   X_ij = (T_ij, z_ij),   chosen so that sum_j k_ij z_ij T_ij = 0;   weight k_ij = A_i A_j (-W'(r)/r), r = |X_ij|,
//
// with areas A and the cubic spline of two dimensions. The deformation of the tangent plane and the normal that
// completes it, for thickness h, x_ij = x_j - x_i:
//
// clang-format off
//   G_i = [sum_j k_ij x_ij (x) T_ij] M_i^-1,   M_i = sum_j k_ij T_ij (x) T_ij       3 x 2, columns g1 and g2
//   n_i = g1 x g2 / |g1 x g2|,   G = R U  (polar),   e = U - 1
//   P_i = R (2 mu e + lambda tr(e)),   lambda = E nu/(1 - nu^2)                     plane stress
//   q_ij = n_i.x_ij - z_ij,   t_ij = (1 - n_i n_i)(x_ij - G_i T_ij)                 misfits along the normal and across
//
//   E = sum_i A_i h psi(G_i) + 1/2 sum_ij k_ij (a_i q_ij^2 + b_i t_ij^2),   b = 2 mu h
//   a = (2/3) mu h^3/((1 - nu) m4)
// clang-format on
//
// The normal misfit is the bending: a sheet of curvature K has q = T.K T/2, so with m4 = sum_j k_ij T_1^4/A_i the
// energy is that of a plate of stiffness D = E h^3/(12 (1 - nu^2)), whatever nu with Poisson's ratio 1/3 between the
// two curvatures. m4 is 1.01 spacings squared inside a sheet. Edge rows have fewer neighbours and are soft; there m4 is
// a mean of m4_bulk and m4_i (shell.cpp). The tangential misfit resists motions that G does not see, as in elastic_force.h.
// Since G is the least-squares fit, minus the gradient of E is
//
//   f_i = sum_j (g_ij - g_ji),
//   g_ij = k_ij [b (x_ij - n n.x_ij - G T_ij) + (a q_ij + a' dq_ij/dt) n + Q_i T_ij],
//   Q_i = [A h P - n (x) y] M^-1,   y = G^+ sum_j k_ij [(a - b) n.x_ij - a z_ij + a' dq_ij/dt] x_ij
//
// where y comes from the turning of n. The damping of bending, a' = damping a/w with w the frequency of the shortest
// bending waves, is the gradient of 1/2 sum_ij k a' (dq/dt)^2 by the velocities; to it are added dashpots along bonds,
// k_ij (d_i + d_j) (v_ij.x_ij) x_ij/r^2, d = damping mu h s/c, s the spacing.
//
// Every pair of terms is antisymmetric and energy and dissipation do not change when the shell turns: momentum and
// angular momentum are conserved. Where the area around a particle has shrunk to less than 0.3 of itself, as in a sharp
// fold, y and the turning of n are bounded, because they would be stiffer than the substeps allow; there the angular
// momentum is not exact.

#include "behaviours/substep_formula.h"

namespace fondue {

struct ShellForce {
  /// Floats per record of what forces need of a particle: n, dn/dt, the columns of Q - b G, a, b, a', one unused, and
  /// v: neighbours may have been kicked already when a force asks for it. At the beginning of a step, for the energy:
  /// n, the columns of G, A h psi.
  static constexpr Index record = 20;

  bool active = false;
  /// Some particle has damping.
  bool damped = false;
  SliceRows rows;
  /// By entry: T_ij, z_ij, T_ji, z_ji; k_ij, k_ij (d_i + d_j).
  const float *own_X[3] = {}, *other_X[3] = {}, *k = nullptr, *k_d = nullptr;
  /// By place: M^-1 (11, 22, 12), A h times Lame's constants, a, b, a', all times the behaviour's weight; zero for
  /// particles with too few bonds.
  const float *inverse_moment[3] = {}, *lambda = nullptr, *mu = nullptr, *a = nullptr, *b = nullptr, *a_rate = nullptr;
  float *records = nullptr, *energies = nullptr;

  template <class F>
  using Vector = LaneVector<F>;
  template <class F>
  FONDUE_INLINE static Vector<F> crossed(Vector<F> u, Vector<F> v) {
    return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  }

  /// Sums of k T1 x, k T2 x, k z x, k x (x) x, and with damping of k T1 v, k T2 v and k x (x) v.
  template <class F>
  struct Sums {
    Vector<F> x1{0.0f, 0.0f, 0.0f}, x2 = x1, xz = x1, v1 = x1, v2 = x1;
    F xx = 0.0f, yy = 0.0f, zz = 0.0f, xy = 0.0f, xz_ = 0.0f, yz = 0.0f;
    Vector<F> xv[3] = {x1, x1, x1};
  };

  template <class F>
  FONDUE_INLINE void add_places(const SliceBond<F>& bond, Sums<F>& sums) const {
    const F weight = bond.of(k), T1 = weight * bond.of(own_X[0]), T2 = weight * bond.of(own_X[1]);
    const Vector<F> x = bond.x_ij, kx = weight * x;
    sums.x1 += T1 * x;
    sums.x2 += T2 * x;
    sums.xz += bond.of(own_X[2]) * kx;
    sums.xx += kx.x * x.x;
    sums.yy += kx.y * x.y;
    sums.zz += kx.z * x.z;
    sums.xy += kx.x * x.y;
    sums.xz_ += kx.x * x.z;
    sums.yz += kx.y * x.z;
  }
  template <class F>
  FONDUE_INLINE void gather(const SliceBond<F>& bond, Sums<F>& sums) const {
    add_places(bond, sums);
    if (!damped) return;
    const F weight = bond.of(k);
    const Vector<F> v = bond.v_ij(), kx = weight * bond.x_ij;
    sums.v1 += (weight * bond.of(own_X[0])) * v;
    sums.v2 += (weight * bond.of(own_X[1])) * v;
    sums.xv[0] += kx.x * v;
    sums.xv[1] += kx.y * v;
    sums.xv[2] += kx.z * v;
  }

  /// G, the normal, the dual vectors of g1 and g2, and R.
  template <class F>
  struct Tangent {
    Vector<F> g1, g2, n, dual1, dual2, r1, r2;
    F e11, e22, e12;
  };
  template <class F>
  FONDUE_INLINE Tangent<F> tangent(const Sums<F>& sums, Index place) const {
    const F m11 = at<F>(inverse_moment[0], place), m22 = at<F>(inverse_moment[1], place),
            m12 = at<F>(inverse_moment[2], place);
    Tangent<F> t;
    t.g1 = m11 * sums.x1 + m12 * sums.x2;
    t.g2 = m12 * sums.x1 + m22 * sums.x2;
    const Vector<F> area = crossed(t.g1, t.g2);
    const F J = square_root(max(dot(area, area), F(1e-12f)));
    t.n = (1 / J) * area;
    const Vector<F> across1 = crossed(t.g2, t.n), across2 = crossed(t.n, t.g1);
    const F bounded = 1 / max(J, F(0.3f));
    t.dual1 = bounded * across1;
    t.dual2 = bounded * across2;
    // In the plane G + cof(G) = R tr(U).
    const F scale = 1 / square_root(max(dot(t.g1, t.g1) + dot(t.g2, t.g2) + 2 * J, F(1e-12f)));
    t.r1 = scale * (t.g1 + across1);
    t.r2 = scale * (t.g2 + across2);
    t.e11 = dot(t.r1, t.g1) - 1;
    t.e22 = dot(t.r2, t.g2) - 1;
    t.e12 = 0.5f * (dot(t.r1, t.g2) + dot(t.r2, t.g1));
    return t;
  }
  template <class F>
  FONDUE_INLINE static F at(const float* values, Index place) {
    return FONDUE_ISA::load<F>(values + place);
  }

  /// (sum of k x (x) x) u
  template <class F>
  FONDUE_INLINE static Vector<F> second_moment(const Sums<F>& s, Vector<F> u) {
    return {s.xx * u.x + s.xy * u.y + s.xz_ * u.z, s.xy * u.x + s.yy * u.y + s.yz * u.z,
            s.xz_ * u.x + s.yz * u.y + s.zz * u.z};
  }

  template <class F>
  FONDUE_INLINE void finish(const Sums<F>& sums, const SubstepSpace& space, Index place) const {
    const Tangent<F> t = tangent(sums, place);
    const F m11 = at<F>(inverse_moment[0], place), m22 = at<F>(inverse_moment[1], place),
            m12 = at<F>(inverse_moment[2], place);
    const F bend = at<F>(a, place), hold = at<F>(b, place), bend_rate = at<F>(a_rate, place);
    // Stress of the tangent plane.
    const F G = 2 * at<F>(mu, place), all = at<F>(lambda, place) * (t.e11 + t.e22);
    const F s11 = G * t.e11 + all, s22 = G * t.e22 + all, s12 = G * t.e12;
    Vector<F> p1 = s11 * t.r1 + s12 * t.r2, p2 = s12 * t.r1 + s22 * t.r2;
    // The turning of the normal.
    Vector<F> turning = (bend - hold) * second_moment(sums, t.n) - bend * sums.xz, n_rate{0.0f, 0.0f, 0.0f};
    if (damped) {
      const Vector<F> h1 = m11 * sums.v1 + m12 * sums.v2, h2 = m12 * sums.v1 + m22 * sums.v2;
      n_rate -= dot(t.n, h1) * t.dual1 + dot(t.n, h2) * t.dual2;
      const Vector<F> along{dot(sums.xv[0], t.n), dot(sums.xv[1], t.n), dot(sums.xv[2], t.n)};
      turning += bend_rate * (along + second_moment(sums, n_rate));
    }
    p1 -= dot(t.dual1, turning) * t.n;
    p2 -= dot(t.dual2, turning) * t.n;
    const Vector<F> Q1 = m11 * p1 + m12 * p2 - hold * t.g1, Q2 = m12 * p1 + m22 * p2 - hold * t.g2;
    F first[8] = {t.n.x, t.n.y, t.n.z, n_rate.x, n_rate.y, n_rate.z, Q1.x, Q1.y};
    F second[8] = {Q1.z, Q2.x, Q2.y, Q2.z, bend, hold, bend_rate, 0.0f};
    store_eight(records, record, place, first);
    store_eight(records + 8, record, place, second);
    F v[4] = {at<F>(space.v[0], place), at<F>(space.v[1], place), at<F>(space.v[2], place), 0.0f};
    store_four(records + 16, record, place, v);
  }

  template <class F>
  struct Own {
    Vector<F> n, n_rate, Q1, Q2;
    F a, b, a_rate;
    Vector<F> v;

    /// g_ij / k_ij
    FONDUE_INLINE Vector<F> pull(Vector<F> x, Vector<F> v, F T1, F T2, F z) const {
      const F along = dot(n, x);
      return b * x + ((a - b) * along - a * z + a_rate * (dot(n, v) + dot(n_rate, x))) * n + T1 * Q1 + T2 * Q2;
    }
  };
  template <class F, class Which>
  FONDUE_INLINE Own<F> values_of(const Which& which) const {
    F p[8], q[8], v[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    load_eight(records, record, which, p);
    load_eight(records + 8, record, which, q);
    if (damped) load_four(records + 16, record, which, v);
    return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], q[0]}, {q[1], q[2], q[3]}, q[4], q[5], q[6],
            {v[0], v[1], v[2]}};
  }
  template <class F>
  FONDUE_INLINE Own<F> own(Index place) const {
    return values_of<F>(place);
  }

  template <class F>
  FONDUE_INLINE void bond(const SliceBond<F>& bond, const Own<F>& i, LaneVector<F>& force) const {
    const Own<F> j = values_of<F>(bond.j);
    const Vector<F> x = bond.x_ij, v = j.v - i.v;
    const Vector<F> there = i.pull(x, v, bond.of(own_X[0]), bond.of(own_X[1]), bond.of(own_X[2]));
    const Vector<F> back =
        j.pull(F(-1.0f) * x, F(-1.0f) * v, bond.of(other_X[0]), bond.of(other_X[1]), bond.of(other_X[2]));
    force += bond.of(k) * (there - back);
    if (damped) force += (bond.of(k_d) * dot(v, x) / max(dot(x, x), F(1e-30f))) * x;
  }

  // The energy.
  template <class F>
  using StartSums = Sums<F>;
  template <class F>
  FONDUE_INLINE void start(const SliceBond<F>& bond, StartSums<F>& sums) const {
    add_places(bond, sums);
  }
  template <class F>
  FONDUE_INLINE void finish_start(const StartSums<F>& sums, Index place) const {
    const Tangent<F> t = tangent(sums, place);
    const F all = t.e11 + t.e22;
    const F energy = at<F>(mu, place) * (t.e11 * t.e11 + t.e22 * t.e22 + 2 * t.e12 * t.e12) +
                     0.5f * at<F>(lambda, place) * all * all;
    F first[8] = {t.n.x, t.n.y, t.n.z, t.g1.x, t.g1.y, t.g1.z, t.g2.x, t.g2.y};
    F second[8] = {t.g2.z, energy, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    store_eight(records, record, place, first);
    store_eight(records + 8, record, place, second);
  }

  template <class F>
  struct StartOwn {
    Vector<F> n, g1, g2;
    F stretching, a, b;
  };
  template <class F>
  FONDUE_INLINE StartOwn<F> start_own(Index place) const {
    F p[8], q[8];
    load_eight(records, record, place, p);
    load_eight(records + 8, record, place, q);
    return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], q[0]}, q[1], at<F>(a, place), at<F>(b, place)};
  }
  template <class F>
  struct StartForce {
    F energy = 0.0f;
  };
  template <class F>
  FONDUE_INLINE void start_bond(const SliceBond<F>& bond, const StartOwn<F>& i, StartForce<F>& sums) const {
    const F along = dot(i.n, bond.x_ij), bent = along - bond.of(own_X[2]);
    const Vector<F> misfit = bond.x_ij - bond.of(own_X[0]) * i.g1 - bond.of(own_X[1]) * i.g2;
    sums.energy += 0.5f * bond.of(k) * (i.a * bent * bent + i.b * (dot(misfit, misfit) - along * along));
  }
  template <class F>
  FONDUE_INLINE void finish_start_force(const StartOwn<F>& i, const StartForce<F>& sums, Index place) const {
    FONDUE_ISA::store(energies + place, i.stretching + sums.energy, lane_count<F>);
  }
};

}  // namespace fondue
