#pragma once
// The sums over neighbours of a fluid; fluid.h has the equations.

#include "behaviours/among_solids.h"
#include "behaviours/behaviour.h"

namespace fondue {

/// s_i, the self contribution included.
struct DensityRatioSum : Formula {
  static constexpr Pass pass = Pass::density;
  /// V of the particles the fluid acts on and of solids, 0 of others.
  Field volume;
  AmongSolids solids;
  /// w of the header.
  float half_space = 1;
  /// Results, by slot: s; G; and where walls are near f'(M/w) (xx, yy, zz, xy, xz, yz).
  float *summed = nullptr, *of_walls = nullptr, *wall_slope[6] = {};

  template <class L>
  struct Sums {
    L s = 0.0f;
    L m[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    /// Above zero if there are boundary particles.
    L walls = 0.0f;
  };
  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    if constexpr (!P::one_material)
      if (solids.any) {
        sums.s += folded(p.W_times(p.j(volume) * solids.fluid_pair(p)));
        return;
      }
    sums.s += folded(p.W_times(p.j(volume)));
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    const auto w = b.W_times(b.volume());
    const float nx = b.wall.nx, ny = b.wall.ny, nz = b.wall.nz;
    sums.m[0] += (nx * nx) * w;
    sums.m[1] += (ny * ny) * w;
    sums.m[2] += (nz * nz) * w;
    sums.m[3] += (nx * ny) * w;
    sums.m[4] += (nx * nz) * w;
    sums.m[5] += (ny * nz) * w;
    sums.walls = 1.0f;
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    if (!any(sums.walls > L(0.0f))) {
      FONDUE_ISA::store(summed + first, sums.s, count);
      if (of_walls) FONDUE_ISA::store(of_walls + first, L(0.0f), count);
      return;
    }
    // Functions of X = M/w: with Z = 1/(1 + X^2) it is f = 2 X (1 - Z) and f' = 2 (1 + Z - 2 Z^2).
    L X[6], Y[6], Z[6], Z2[6];
    for (int k = 0; k != 6; ++k) X[k] = (1 / half_space) * sums.m[k];
    square(X, Y);
    for (int k = 0; k != 3; ++k) Y[k] += 1;
    invert(Y, Z);
    square(Z, Z2);
    const L XZ = X[0] * Z[0] + X[1] * Z[1] + X[2] * Z[2] + 2 * (X[3] * Z[3] + X[4] * Z[4] + X[5] * Z[5]);
    const L G = (2 * half_space) * (X[0] + X[1] + X[2] - XZ);
    FONDUE_ISA::store(summed + first, sums.s + G, count);
    FONDUE_ISA::store(of_walls + first, G, count);
    for (int k = 0; k != 6; ++k)
      FONDUE_ISA::store(wall_slope[k] + first, 2 * ((k < 3 ? 1.0f : 0.0f) + Z[k] - 2 * Z2[k]), count);
  }

 private:
  /// Of symmetric matrices: xx, yy, zz, xy, xz, yz.
  template <class L>
  FONDUE_INLINE static void square(const L* a, L* to) {
    to[0] = a[0] * a[0] + a[3] * a[3] + a[4] * a[4];
    to[1] = a[3] * a[3] + a[1] * a[1] + a[5] * a[5];
    to[2] = a[4] * a[4] + a[5] * a[5] + a[2] * a[2];
    to[3] = a[3] * (a[0] + a[1]) + a[4] * a[5];
    to[4] = a[4] * (a[0] + a[2]) + a[3] * a[5];
    to[5] = a[5] * (a[1] + a[2]) + a[3] * a[4];
  }
  template <class L>
  FONDUE_INLINE static void invert(const L* a, L* to) {
    const L xx = a[1] * a[2] - a[5] * a[5], xy = a[4] * a[5] - a[3] * a[2], xz = a[3] * a[5] - a[1] * a[4];
    const L over = 1 / (a[0] * xx + a[3] * xy + a[4] * xz);
    to[0] = over * xx;
    to[1] = over * (a[0] * a[2] - a[4] * a[4]);
    to[2] = over * (a[0] * a[1] - a[3] * a[3]);
    to[3] = over * xy;
    to[4] = over * xz;
    to[5] = over * (a[3] * a[4] - a[0] * a[5]);
  }
};

/// The sum of a field that is one everywhere, and the continuity equation.
struct NormalisedDensityRatio : Formula {
  static constexpr Pass pass = Pass::gradient;
  /// V_j over the summed density ratio.
  Field share;
  /// Some material advances its density; V_j/s_j, and velocities of the middle of the step: with those of its end sound
  /// waves would grow.
  bool continuity = false;
  Field share_of_present, middle_vx, middle_vy, middle_vz;
  /// Results, by slot.
  float *one = nullptr, *rate = nullptr;

  template <class L>
  struct Sums {
    L one = 0.0f, rate = 0.0f;
  };
  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    sums.one += folded(p.W_times(p.j(share)));
    if (!continuity) return;
    const LaneVector v_ij = {p.i(middle_vx) - p.j(middle_vx), p.i(middle_vy) - p.j(middle_vy),
                             p.i(middle_vz) - p.j(middle_vz)};
    sums.rate += folded(p.j(share_of_present) * p.gradW_factor() * dot(v_ij, p.x_ij));
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    sums.one += b.W_times(b.volume());
    if (!continuity) return;
    const LaneVector<L> v_ib = {b.i(middle_vx) - b.wall.vx, b.i(middle_vy) - b.wall.vy, b.i(middle_vz) - b.wall.vz};
    sums.rate += b.volume() * b.gradW_factor() * dot(v_ib, b.x_ij);
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(one + first, sums.one, count);
    FONDUE_ISA::store(rate + first, sums.rate, count);
  }
};

/// -1/rho0_i [ sum_j V_j (p_i/s_i^2 + p_j/s_j^2) grad W + p_i/s_i^2 grad G ], and d/dt of the summed density ratio if
/// it is wanted.
struct PressureForce : Formula {
  static constexpr Pass pass = Pass::rates;
  Field volume, inverse_rest_density;
  /// By slot: d/dt of the summed density ratio; null if it is not wanted.
  float* rate = nullptr;
  /// k by collider; null if none is sticky.
  const float* pulls = nullptr;
  /// f'(M/w) of the header.
  Field wall_slope[6];
  AmongSolids solids;

  template <class L>
  struct Sums {
    L rate = 0.0f;
  };
  template <class P, class F, class L>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, Sums<L>& sums) const {
    const auto volume_over_density = p.j(volume) * p.i(inverse_rest_density);
    auto pressures = p.pressure_term_i() + p.pressure_term_j();
    if constexpr (!P::one_material)
      if (solids.any) {
        // Fluid under tension does not hang on solids.
        const auto either = p.i(solids.solid) + p.j(solids.solid);
        const auto pushing = max(p.pressure_term_i(), 0.0f) + max(p.pressure_term_j(), 0.0f);
        pressures = solids.fluid_pair(p) * select(0.5f < either, pushing, pressures);
      }
    force.along_gradient -= volume_over_density * pressures;
    if (rate) sums.rate += folded(p.j(volume) * p.gradW_factor() * dot(p.v_ij(), p.x_ij));
  }
  /// A wall answers with the particle's own pressure and never attracts by it.
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, PairForce<L>& force, Sums<L>& sums) const {
    const auto m = [&](int k) { return b.i(wall_slope[k]); };
    const float nx = b.wall.nx, ny = b.wall.ny, nz = b.wall.nz;
    // Solid bodies are kept off walls by other means (bodies/guard.h).
    L fluid = 1.0f;
    if constexpr (!B::one_material)
      if (solids.any) fluid = 1 - b.i(solids.solid);
    const auto slope = (nx * nx) * m(0) + (ny * ny) * m(1) + (nz * nz) * m(2) +
                       2 * ((nx * ny) * m(3) + (nx * nz) * m(4) + (ny * nz) * m(5));
    const auto volume_of_gradient = fluid * b.volume() * slope;
    force.along_gradient -= b.i(inverse_rest_density) * volume_of_gradient * max(b.pressure_term_i(), 0.0f);
    if (rate) sums.rate += volume_of_gradient * b.gradW_factor() * dot(b.v_ij(), b.x_ij);
    if (!pulls) return;
    const auto inverse_R = b.own.kernel.inverse_R;
    const auto q = b.r * inverse_R, t = max(1 - q, 0.0f);
    const auto pull =
        fluid * b.weight * b.i(inverse_rest_density) * (pulls[b.wall.collider] * b.volume() * b.pull_factor());
    force.central -= pull * inverse_R * (q * t * t);
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    if (rate) FONDUE_ISA::store(rate + first, sums.rate, count);
  }
};

}  // namespace fondue
