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
//   damping: + sum_j k_ij (d_i + d_j) (v_ij.n) n,   n = x_ij/r,   d = min(damping max(mu, (lambda + 2 mu)/3.5), mu) dx/c_p
//
// which is damping mu dx/c_p up to Poisson's ratio 0.3; above it mu would be small beside the modulus of the waves.
//
// Each pair of terms is antisymmetric and E does not change when the body is turned: momentum and angular momentum are
// conserved. Corrected from L09 4.2: Hooke's law with e itself instead of its deviator, and without the factor 2 of
// (4.5).
//
// In the loops u_ij is what it was when the step began, plus w_ij, how x_ij has changed since, and F - I is H0, what it
// was, plus D. The second part of E only knows small numbers then, also in a body that has turned: with
// Q = T - alpha mu D a substep takes
//   sum_j w_ij (x) k_ij X_ij,   sum_j alpha k_ij (mu_i + mu_j) w_ij + damping,   and then   sum_j Q_j k_ij X_ij,
// to which is added what is found once per step, sum_j alpha k_ij [mu_i (u_ij - H0_i X_ij) + mu_j (u_ij - H0_j X_ij)],
// and Q_i times the sum of k_ij X_ij, which changes with the bonds only.

#include "behaviours/lane_matrix.h"
#include "behaviours/substep_formula.h"

namespace fondue {

struct ElasticForce {
  static constexpr float alpha = 2;
  /// Floats per record of what forces need of a neighbour: the rows of a matrix, four floats each.
  static constexpr Index record = 12;

  bool active = false, plane = false;
  /// Some particle has damping.
  bool damped = false;
  SliceRows rows;
  /// By entry: k_ij; and for rows that are not aligned X_ij, k_ij X_ij, alpha k_ij (mu_i + mu_j), k_ij (d_i + d_j).
  const float *k = nullptr, *X_ij[3] = {}, *kX_ij[3] = {}, *k_mu = nullptr, *k_d = nullptr;
  /// By place: X, Lame's constants times the behaviour's weight, d, V, M^-1 (xx, yy, zz, xy, xz, yz), sum_j k_ij X_ij.
  /// All but the first are zero for particles with too few bonds.
  const float *X[3] = {}, *lambda = nullptr, *mu = nullptr, *d = nullptr, *volume = nullptr, *inverse_moment[6] = {},
              *sum_kX[3] = {};
  /// By place: e_p; null: none.
  const float* stored[6] = {};
  /// By slice: non-zero for Green's strain.
  const std::uint8_t* green = nullptr;
  /// By place, from the beginning of the step: sum_j u_ij (x) k_ij X_ij, the force of the second part of E, E_i.
  float *start_moment[9] = {}, *start_force[3] = {}, *energies = nullptr;
  /// By place: the force but for sum_j Q_j k_ij X_ij.
  float* own_force[3] = {};
  /// What forces need of a neighbour: by component for aligned rows, and in records for others.
  float *matrix[9] = {}, *records = nullptr;

  template <class F>
  FONDUE_INLINE LaneVector<F> reference(const SliceBond<F>& b) const {
    return b.aligned ? b.nearest_image(b.of_neighbours(X) - vector_at<F>(X, b.place)) : vector_at<F>(X_ij, b.entry);
  }
  template <class F>
  FONDUE_INLINE LaneVector<F> weighted_reference(const SliceBond<F>& b) const {
    return b.aligned ? b.of(k) * reference(b) : vector_at<F>(kX_ij, b.entry);
  }
  /// alpha k_ij (mu_i + mu_j), k_ij (d_i + d_j)
  template <class F>
  FONDUE_INLINE F stiffness(const SliceBond<F>& b) const {
    return b.aligned ? (alpha * b.of(k)) * (FONDUE_ISA::load<F>(mu + b.place) + b.of_neighbours(mu)) : b.of(k_mu);
  }
  template <class F>
  FONDUE_INLINE F damping(const SliceBond<F>& b) const {
    return b.aligned ? b.of(k) * (FONDUE_ISA::load<F>(d + b.place) + b.of_neighbours(d)) : b.of(k_d);
  }

  template <class F>
  struct Sums {
    LaneMatrix<F> moment = LaneMatrix<F>::diagonal(0.0f);
    LaneVector<F> force{0.0f, 0.0f, 0.0f};

    FONDUE_INLINE void add(LaneVector<F> u, LaneVector<F> kX_ij, F k_mu_ij) {
      const F rows[3] = {u.x, u.y, u.z};
      for (int row = 0; row != 3; ++row) {
        moment(row, 0) += rows[row] * kX_ij.x;
        moment(row, 1) += rows[row] * kX_ij.y;
        moment(row, 2) += rows[row] * kX_ij.z;
      }
      force += k_mu_ij * u;
    }
  };
  template <class F>
  using StartSums = Sums<F>;

  template <class F>
  FONDUE_INLINE void start(const SliceBond<F>& b, StartSums<F>& sums) const {
    sums.add(b.start_ij - reference(b), weighted_reference(b), F(0.0f));
  }
  /// Also leaves alpha mu H0 for the neighbours.
  template <class F>
  FONDUE_INLINE void finish_start(const StartSums<F>& sums, Index place) const {
    for (int c = 0; c != 9; ++c) FONDUE_ISA::store(start_moment[c] + place, sums.moment.m[c], lane_count<F>);
    const LaneMatrix<F> H = sums.moment * inverse_moment_at<F>(place);
    store_matrix((alpha * FONDUE_ISA::load<F>(mu + place)) * H, place);
  }

  /// H0 and alpha mu H0.
  template <class F>
  struct StartOwn {
    LaneMatrix<F> H, stiff;
  };
  template <class F>
  FONDUE_INLINE StartOwn<F> start_own(Index place) const {
    LaneMatrix<F> moment;
    for (int c = 0; c != 9; ++c) moment.m[c] = FONDUE_ISA::load<F>(start_moment[c] + place);
    const LaneMatrix<F> H = moment * inverse_moment_at<F>(place);
    return {H, (alpha * FONDUE_ISA::load<F>(mu + place)) * H};
  }
  /// Force of the second part of E, and sum_j k_ij |F_i X_ij - x_ij|^2.
  template <class F>
  struct StartForce {
    LaneVector<F> force{0.0f, 0.0f, 0.0f};
    F misfit = 0.0f;
  };
  template <class F>
  FONDUE_INLINE void start_bond(const SliceBond<F>& b, const StartOwn<F>& i, StartForce<F>& sums) const {
    const LaneVector<F> X = reference(b), u = b.start_ij - X, misfit = u - i.H * X;
    sums.force += stiffness(b) * u - (i.stiff + matrix_of(b)) * weighted_reference(b);
    sums.misfit += b.of(k) * dot(misfit, misfit);
  }
  template <class F>
  FONDUE_INLINE void finish_start_force(const StartOwn<F>& i, const StartForce<F>& sums, Index place) const {
    store_at(start_force, place, sums.force);
    const LaneMatrix<F> e = strain_of(i.H, place).e;
    const F la = FONDUE_ISA::load<F>(lambda + place), G = FONDUE_ISA::load<F>(mu + place), t = trace(e);
    const F psi = G * contracted(e, e) + 0.5f * la * t * t;
    FONDUE_ISA::store(energies + place, FONDUE_ISA::load<F>(volume + place) * psi + (0.5f * alpha) * G * sums.misfit,
                      lane_count<F>);
  }

  /// What neighbours have left.
  template <class F>
  FONDUE_INLINE LaneMatrix<F> matrix_of(const SliceBond<F>& b) const {
    LaneMatrix<F> result;
    if (b.aligned) {
      for (int c = 0; c != 9; ++c) result.m[c] = b.of_neighbours(matrix[c]);
      return result;
    }
    for (int row = 0; row != 3; ++row) {
      F values[4];
      load_four(records + 4 * row, record, b.j, values);
      for (int c = 0; c != 3; ++c) result(row, c) = values[c];
    }
    return result;
  }
  template <class F>
  FONDUE_INLINE void store_matrix(const LaneMatrix<F>& values, Index place) const {
    if (rows.aligned[place / SliceOrder::width]) {
      for (int c = 0; c != 9; ++c) FONDUE_ISA::store(matrix[c] + place, values.m[c], lane_count<F>);
      return;
    }
    for (int row = 0; row != 3; ++row) {
      F quartet[4] = {values(row, 0), values(row, 1), values(row, 2), 0.0f};
      store_four(records + 4 * row, record, place, quartet);
    }
  }

  template <class F>
  FONDUE_INLINE void gather(const SliceBond<F>& b, Sums<F>& sums) const {
    sums.add(b.moved_ij, weighted_reference(b), stiffness(b));
    if (!damped) return;
    const F r2 = max(dot(b.x_ij, b.x_ij), F(1e-30f));
    sums.force += (damping(b) * dot(b.v_ij(), b.x_ij) / r2) * b.x_ij;
  }

  template <class F>
  FONDUE_INLINE LaneMatrix<F> inverse_moment_at(Index place) const {
    F m[6];
    for (int c = 0; c != 6; ++c) m[c] = FONDUE_ISA::load<F>(inverse_moment[c] + place);
    return LaneMatrix<F>::symmetric(m[0], m[1], m[2], m[3], m[4], m[5]);
  }
  /// F - I
  template <class F>
  FONDUE_INLINE LaneMatrix<F> gradient(const Sums<F>& sums, const LaneMatrix<F>& inverse, Index place) const {
    LaneMatrix<F> moment = sums.moment;
    for (int c = 0; c != 9; ++c) moment.m[c] += FONDUE_ISA::load<F>(start_moment[c] + place);
    return moment * inverse;
  }

  template <class F>
  FONDUE_INLINE void finish(const Sums<F>& sums, const SubstepSpace&, Index place) const {
    const LaneMatrix<F> inverse = inverse_moment_at<F>(place), H = gradient(sums, inverse, place);
    const F la = FONDUE_ISA::load<F>(lambda + place), G = FONDUE_ISA::load<F>(mu + place);
    const auto [turned, e] = strain_of(H, place);
    const LaneMatrix<F> P = turned * ((2 * G) * e + LaneMatrix<F>::diagonal(la * trace(e)));
    const LaneMatrix<F> Q = FONDUE_ISA::load<F>(volume + place) * (P * inverse) - (alpha * G) * (sums.moment * inverse);
    store_matrix(Q, place);
    store_at(own_force, place, sums.force + vector_at<F>(start_force, place) + Q * vector_at<F>(sum_kX, place));
  }

  /// What turns the stress, and the strain, of F = I + H.
  template <class F>
  struct Turned {
    LaneMatrix<F> turned, e;
  };
  template <class F>
  FONDUE_INLINE Turned<F> strain_of(const LaneMatrix<F>& H, Index place) const {
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
    return {turned, e};
  }

  template <class F>
  struct Own {};
  template <class F>
  FONDUE_INLINE Own<F> own(Index) const {
    return {};
  }
  template <class F>
  FONDUE_INLINE LaneVector<F> force_of_sums(Index place) const {
    return vector_at<F>(own_force, place);
  }

  template <class F>
  FONDUE_INLINE void bond(const SliceBond<F>& b, const Own<F>&, LaneVector<F>& force) const {
    force += matrix_of(b) * weighted_reference(b);
  }
};

}  // namespace fondue
