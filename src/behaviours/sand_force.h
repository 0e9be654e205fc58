#pragma once
// The forces of sand beyond the pressure of the fluid: of the stress that sand_stress.h finds, of walls, and two that
// keep particles in order.
//
// clang-format off
//   a_i  = V_i/m_i sum_j V_j (T_i B_i + T_j B_j) grad W                    deviator
//        - V_i/m_i sum_j V_j (q_i + q_j) grad W                            tension q <= 0 of cohesive sand
//        + sum_j 2 m_j/(m_i + m_j) 0.05 c^2/dx max(0, 1 - r/(0.75 dx)) x_ij/r     against pairing
//        + artificial viscosity (alpha = damping, beta = 10 damping)       artificial_viscosity.h
//          between particles only: at walls it would add a friction of its own. Impacts are for beta: alpha slows
//          thin layers down, by more the coarser they are
//   walls: what -n.T n adds to the normal pressure, at least -p; contact and friction of sand.h, shared among the
//          boundary particles within reach
// clang-format on
//
// In uniform groups T_i B_i is taken out of the sum of the deviator: it is T_i B_i sum_j V_j grad W, and sand_stress.h
// has that sum.
//
// With B in the force as well, the sum of x_i x (force of the deviator) over all pairs is that of the antisymmetric
// part of T_i B_i M_i = T_i, which is zero: angular momentum is conserved as exactly as momentum.

#include "behaviours/artificial_viscosity.h"
#include "behaviours/sand_stress.h"

namespace fondue {

/// What a neighbour reads of a particle: a cache line.
struct alignas(64) SandRecord {
  /// T B row by row, and q.
  float force[9], tension;
  float unused[6];
};

struct SandForce : Formula, NoSums {
  static constexpr Pass pass = Pass::rates;
  /// Reach of the force against pairing in spacings, and its strength times dx/c^2.
  static constexpr float pairing_reach = 0.75f, pairing_strength = 0.05f;
  Field volume, mass, sound_speed;
  /// dx/R.
  float spacing_over_support = 0.5f;
  /// By slot: T B and q of i, the same of j, T, acceleration by the contact with walls over the sum of their weights.
  Field force_i[9], tension_i, stress[6], contact[3];
  const SandRecord* records = nullptr;
  /// Some sand is under tension.
  bool tension = false;
  AmongSolids solids;
  /// Of the fluid, without values if there is none at walls.
  Field wall_slope[6];
  ArtificialViscousForce damping;

  template <class P, class F, class S>
  FONDUE_INLINE void pair(const P& p, PairForce<F>& force, S& sums) const {
    const auto of_j = [&](int k) { return p.neighbours.each([&](Index slot) { return records[slot].force[k]; }); };
    const auto sum = [&](int k) {
      if constexpr (P::one_material)
        return of_j(k);
      else
        return p.i(force_i[k]) + of_j(k);
    };
    auto volume_over_density = p.j(volume) * (p.i(volume) / p.i(mass));
    auto share = 2 * p.j(mass) / (p.i(mass) + p.j(mass));
    if constexpr (!P::one_material)
      if (solids.any) {
        volume_over_density = volume_over_density * solids.fluid_pair(p);
        share = share * solids.fluid_pair(p);
      }
    const auto& x = p.x_ij;
    const auto factor = volume_over_density * p.gradW_factor();
    force.acceleration +=
        {factor * (sum(0) * x.x + sum(1) * x.y + sum(2) * x.z), factor * (sum(3) * x.x + sum(4) * x.y + sum(5) * x.z),
         factor * (sum(6) * x.x + sum(7) * x.y + sum(8) * x.z)};
    if (tension) {
      const auto q_j = p.neighbours.each([&](Index slot) { return records[slot].tension; });
      force.along_gradient -= volume_over_density * (p.i(tension_i) + q_j);
    }
    const auto dx = spacing_over_support * p.mean_R();
    const auto c = 0.5f * (p.i(sound_speed) + p.j(sound_speed));
    const auto near = max(1 - p.r * (1 / (pairing_reach * dx)), 0.0f);
    force.central += p.weight * (share * (pairing_strength * c * c / dx)) * (near * p.inverse_r);
    damping.pair(p, force, sums);
  }

  template <class B, class L, class S>
  FONDUE_INLINE void wall(const B& b, PairForce<L>& force, S&) const {
    if (wall_slope[0].values) {
      L of_stress = max(-SandStress::along_normal(b, stress), -max(b.pressure_term_i(), L(0.0f)));
      if constexpr (!B::one_material)
        if (solids.any) of_stress = of_stress * (1 - b.i(solids.solid));
      force.along_gradient -=
          (b.i(volume) / b.i(mass)) * b.volume() * SandStress::along_normal(b, wall_slope) * of_stress;
    }
    force.acceleration += SandStress::touching(b) * LaneVector<L>{b.i(contact[0]), b.i(contact[1]), b.i(contact[2])};
  }
};

}  // namespace fondue
