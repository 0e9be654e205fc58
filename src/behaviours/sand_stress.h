#pragma once
// The stress of sand: its deviator S is advanced with the deformation and kept within the yield surface. The pressure p
// is that of the fluid (sand.h has the whole scheme).
//
// clang-format off
//   L_i  = G_i B_i,   B_i = M_i^-1                                         grad v, walls included (velocity_gradient.h)
//   S   += dt (2 G dev D + w S - S w),   D, w: symmetric and antisymmetric part of L     (Jaumann's rate)
//   pbar = sum_j V_j p_j W'/r / sum_j V_j W'/r                             the pressure of single particles is noisy;
//                                                                          p/s^2 of the records stands for p. W'/r
//                                                                          falls off like W and is known already
//   Y    = tan(phi) pbar + cohesion;   where sqrt(S:S/2) > Y:  S *= Y / sqrt(S:S/2)
//   dg   = (sqrt(S:S/2) - Y)/G before the return                           shear that yields, for dilatancy (sand.h)
//   T    = S + 2 eta dev D;   where sqrt(T:T/2) > Y:  T *= Y / sqrt(T:T/2) the stress that acts (sand_force.h)
// clang-format on
//
// eta damps what trembles within the yield surface, the waves that run to and fro in sand that has nearly stopped, and
// would keep it from coming to rest. Sand that yields carries Y with or without it, so it does not slow flow down as
// the viscosity between pairs does. The power of T is sum V T:D, and eta takes energy wherever it acts.
//
// Where sand fades, M has the weights of pairs, sqrt(w_i w_j), that their forces have, and w T is what acts: so
// angular momentum is conserved then too.
//
// S has three dimensions also in a plane (plane strain), so its trace stays zero. Where the smallest eigenvalue of M is
// below 0.2 a particle is a loose grain and carries no deviator. At walls the velocity goes on beyond the surface with
// the normal part that lets nothing through; along the surface the wall is left to friction (sand_force.h).
//
// Solid bodies made of particles (contact.h) are as rough as sand: the outer layer of one is sand that is fixed to it,
// with sums over the sand around it alone. So it has a pbar and an S where sand presses on it, and nothing elsewhere.
//
// The sums at walls tell what touches a particle: mean normal, distance, velocity and grip of the boundary particles
// within reach, and the gradient of what they add to the compression (fluid.h).

#include "behaviours/fluid.h"
#include "behaviours/velocity_gradient.h"

namespace fondue {

/// What a particle feels of the walls within reach, by slot. Sums over boundary particles, weighted with V_b W.
struct SandAtWalls {
  /// Sum of the weights; 0 where there is no wall.
  float* weight = nullptr;
  float *normal[3] = {}, *velocity[3] = {};
  float *distance = nullptr, *grip = nullptr;
  /// Gradient of what walls add to the compression.
  float* gradient[3] = {};
};

struct SandStress : Formula {
  static constexpr Pass pass = Pass::gradient;
  /// Eigenvalues of M below this belong to loose grains.
  static constexpr float loose = 0.2f;
  /// V of sand and of solids, 0 of other matter.
  Field volume;
  AmongSolids solids;
  /// Time since the last evaluation, G, tan(phi), cohesion, and S before.
  Field elapsed, shear_modulus, friction, cohesion, before[6];
  /// eta of the header.
  Field viscosity;
  /// f'(M/w) of the fluid at walls.
  Field wall_slope[6];
  /// Results, by slot: S; T, of groups at walls; T B row by row; tr M / d, which is 1 inside.
  float *stress[6] = {}, *total[6] = {}, *force[9] = {}, *completeness = nullptr;
  /// Result, by slot, of uniform groups, otherwise 0: T B sum_j V_j grad W (sand_force.h).
  float* of_own_stress[3] = {};
  /// Shear that has yielded in the step; null: nobody asks.
  float* yielded = nullptr;
  SandAtWalls walls;

  template <class F>
  struct Sums : GradientSums<F> {
    F one = 0.0f, pressure = 0.0f;
    /// Sum of V_j grad W, in uniform groups.
    LaneVector<F> slopes{0.0f, 0.0f, 0.0f};
    /// Above zero if there are boundary particles.
    F at_wall = 0.0f, wall = 0.0f, distance = 0.0f, grip = 0.0f;
    LaneVector<F> normal{0.0f, 0.0f, 0.0f}, velocity{0.0f, 0.0f, 0.0f}, gradient{0.0f, 0.0f, 0.0f};
  };

  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    auto of_j = p.j(volume);
    if constexpr (!P::one_material) {
      if (solids.any) of_j = of_j * solids.fluid_pair(p);
      if (!full) of_j = of_j * square_root(p.i(weight) * p.j(weight));
    }
    add(p, of_j, sums);
  }

  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    const LaneVector<L> n = b.normal(), v = b.v_ij();
    L slope = b.volume() * b.gradW_factor();
    // Solid bodies are kept off walls by other means (bodies/guard.h).
    if constexpr (!B::one_material)
      if (solids.any) slope = slope * (1 - b.i(solids.solid));
    L weighted = slope;
    if constexpr (!B::one_material)
      if (!full) weighted = weighted * b.i(weight);
    sums.add(weighted, b.x_ij, (continued_beyond_surface(b) * dot(v, n)) * n);
    sums.at_wall = 1.0f;
    const L w = touching(b);
    sums.wall += w;
    sums.distance += w * height(b);
    sums.grip += w * b.grip();
    sums.normal += w * n;
    sums.velocity += w * LaneVector<L>{L(b.wall.vx), L(b.wall.vy), L(b.wall.vz)};
    if (wall_slope[0].values) sums.gradient += (slope * along_normal(b, wall_slope)) * b.x_ij;
  }

  /// Of a particle above the surface at a boundary particle.
  template <class B>
  FONDUE_INLINE static auto height(const B& b) {
    return dot(b.x_ij, b.normal()) - b.depth();
  }
  /// The weight of a boundary particle in a contact. No particle is below a surface, so one whose surface it seems to
  /// be below is beyond an edge, on another side of the body.
  template <class B>
  FONDUE_INLINE static auto touching(const B& b) {
    const auto w = b.W_times(b.volume());
    return select(height(b) > decltype(w)(0.0f), w, decltype(w)(0.0f));
  }

  /// n.A n of a symmetric matrix and the normal of a boundary particle.
  template <class B>
  FONDUE_INLINE static auto along_normal(const B& b, const Field (&A)[6]) {
    const float nx = b.wall.nx, ny = b.wall.ny, nz = b.wall.nz;
    return (nx * nx) * b.i(A[0]) + (ny * ny) * b.i(A[1]) + (nz * nz) * b.i(A[2]) +
           2 * ((nx * ny) * b.i(A[3]) + (nx * nz) * b.i(A[4]) + (ny * nz) * b.i(A[5]));
  }

  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace& space, Index first, Index count) const {
    const auto field = [&](const Field& f) { return FONDUE_ISA::load<L>(f.values + first * f.stride); };
    const auto write = [&](float* to, const L& value) { FONDUE_ISA::store(to + first, value, count); };
    const bool solid = space.dimension == 3;
    // B: the cofactors of M over its determinant.
    const L a = -sums.m[0], b = -sums.m[1], c = solid ? -sums.m[2] : L(1.0f);
    const L d = -sums.m[3], e = -sums.m[4], f = -sums.m[5];
    const auto determinant = [&](L xx, L yy, L zz) {
      return xx * (yy * zz - f * f) + d * (e * f - d * zz) + e * (d * f - yy * e);
    };
    // All eigenvalues are above the bound if the leading minors of M - bound are positive.
    const L part = full ? L(1.0f) : field(weight), bound = loose * part;
    const L x = a - bound, y = b - bound, z = c - bound;
    const L least = min(x, min(x * y - d * d, determinant(x, y, z)));
    const auto holds = least > L(0.0f);
    const L over = select(holds, 1 / select(holds, determinant(a, b, c), L(1.0f)), L(0.0f));
    const L B[6] = {over * (b * c - f * f), over * (a * c - e * e), over * (a * b - d * d),
                    over * (e * f - d * c), over * (d * f - b * e), over * (d * e - a * f)};

    L S[6], D[6];
    for (int k = 0; k != 6; ++k) S[k] = field(before[k]);
    advance(sums, B, field(elapsed), field(shear_modulus), S, D);

    // Back to the yield surface; loose grains carry nothing.
    const L pbar = -sums.pressure / max(sums.one, L(1e-6f));
    const L Y = max(field(friction) * pbar + field(cohesion), L(0.0f));
    const L root = size_of(S);
    const L scale = select(holds, min(Y / root, L(1.0f)), L(0.0f));
    if (yielded) write(yielded, select(holds, max(root - Y, L(0.0f)) / field(shear_modulus), L(0.0f)));
    for (int k = 0; k != 6; ++k) {
      S[k] = scale * S[k];
      write(stress[k], S[k]);
    }
    // T, in the same place.
    for (int k = 0; k != 6; ++k) S[k] += 2 * field(viscosity) * D[k];
    const L within = select(holds, min(Y / size_of(S), L(1.0f)), L(0.0f));
    for (L& value : S) value = within * value;
    const bool at_wall = any(sums.at_wall > L(0.0f));
    if (at_wall)
      for (int k = 0; k != 6; ++k) write(total[k], S[k]);
    for (L& value : S) value = part * value;
    const L rows[3][3] = {{S[0], S[3], S[4]}, {S[3], S[1], S[5]}, {S[4], S[5], S[2]}};
    for (int k = 0; k != 3; ++k) {
      const LaneVector<L> row{rows[k][0] * B[0] + rows[k][1] * B[3] + rows[k][2] * B[4],
                              rows[k][0] * B[3] + rows[k][1] * B[1] + rows[k][2] * B[5],
                              rows[k][0] * B[4] + rows[k][1] * B[5] + rows[k][2] * B[2]};
      write(force[3 * k], row.x);
      write(force[3 * k + 1], row.y);
      write(force[3 * k + 2], row.z);
      write(of_own_stress[k], dot(row, sums.slopes));
    }
    write(completeness, (solid ? (a + b + c) * (1.0f / 3) : 0.5f * (a + b)) / max(part, L(1e-6f)));
    if (!walls.weight) return;
    write(walls.weight, sums.wall);
    if (!at_wall) return;
    write(walls.distance, sums.distance);
    write(walls.grip, sums.grip);
    const auto write_vector = [&](float* const(&to)[3], const LaneVector<L>& vector) {
      write(to[0], vector.x);
      write(to[1], vector.y);
      write(to[2], vector.z);
    };
    write_vector(walls.normal, sums.normal);
    write_vector(walls.velocity, sums.velocity);
    write_vector(walls.gradient, sums.gradient);
  }

 private:
  template <class P, class V, class L>
  FONDUE_INLINE static void add(const P& p, const V& of_j, Sums<L>& sums) {
    const auto slope = of_j * p.gradW_factor();
    sums.add(slope, p.x_ij, p.v_ij());
    if constexpr (P::one_material) sums.slopes += folded(slope * p.x_ij);
    sums.one -= folded(slope);
    add_product(sums.pressure, slope, p.pressure_term_j());
  }
  /// sqrt(S:S/2)
  template <class L>
  FONDUE_INLINE static L size_of(const L (&S)[6]) {
    const L J2 = 0.5f * (S[0] * S[0] + S[1] * S[1] + S[2] * S[2]) + S[3] * S[3] + S[4] * S[4] + S[5] * S[5];
    return square_root(J2 + 1e-20f);
  }
  /// S += dt (2 G dev D + w S - S w); gives dev D.
  template <class L>
  FONDUE_INLINE static void advance(const Sums<L>& sums, const L (&B)[6], const L& dt, const L& G, L (&S)[6],
                                    L (&D)[6]) {
    const LaneVector<L> rows[3] = {sums.row(0, B), sums.row(1, B), sums.row(2, B)};
    const L grad[3][3] = {
        {rows[0].x, rows[0].y, rows[0].z}, {rows[1].x, rows[1].y, rows[1].z}, {rows[2].x, rows[2].y, rows[2].z}};
    const L third = (grad[0][0] + grad[1][1] + grad[2][2]) * (1.0f / 3);
    for (int k = 0; k != 3; ++k) D[k] = grad[k][k] - third;
    D[3] = 0.5f * (grad[0][1] + grad[1][0]);
    D[4] = 0.5f * (grad[0][2] + grad[2][0]);
    D[5] = 0.5f * (grad[1][2] + grad[2][1]);
    const L xy = 0.5f * (grad[0][1] - grad[1][0]), xz = 0.5f * (grad[0][2] - grad[2][0]),
            yz = 0.5f * (grad[1][2] - grad[2][1]);
    const L turned[6] = {2 * (xy * S[3] + xz * S[4]),
                         2 * (yz * S[5] - xy * S[3]),
                         -2 * (xz * S[4] + yz * S[5]),
                         xy * (S[1] - S[0]) + xz * S[5] + yz * S[4],
                         xz * (S[2] - S[0]) + xy * S[5] - yz * S[3],
                         yz * (S[2] - S[1]) - xy * S[4] - xz * S[3]};
    for (int k = 0; k != 6; ++k) S[k] += dt * (2 * G * D[k] + turned[k]);
  }
};

}  // namespace fondue
