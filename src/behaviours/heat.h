#pragma once
// Heat: conduction between particles and with colliders, cooling at the free surface, latent heat.

#include "behaviours/behaviour.h"

namespace fondue {

/// Heat received by a unit of mass of i (Brookshaw; Cleary & Monaghan 1999):
///   1/rho_i sum_j m_j/rho_j 4 k_i k_j/(k_i + k_j) (T_i - T_j) x_ij.grad W / (r^2 + 0.01 R^2)
/// What i receives j gives, for any two densities and conductivities.
struct HeatFlow : FormulaWeight {
  Field temperature, conductivity, mass;
  /// So that an undisturbed lattice conducts exactly as k says.
  float calibration = 1;
  /// By collider: temperature and 1, or 0 if it is insulated.
  const float *wall_temperature = nullptr, *wall_conducts = nullptr;
  /// What one layer of boundary particles must be multiplied with to stand for a half space.
  float wall_scale = 1;

  template <class P, class S>
  FONDUE_INLINE void pair(const P& p, S& sums) const {
    const auto k_i = p.i(conductivity), k_j = p.j(conductivity);
    const auto R = p.mean_R();
    const auto below = (k_i + k_j + 1e-30f) * (p.density_i() * p.density_j()) * (p.r2 + 0.01f * R * R);
    const auto factor = (4 * calibration) * p.j(mass) * k_i * k_j * p.gradW_factor() * p.r2;
    sums.heat += factor * (p.i(temperature) - p.j(temperature)) / below;
  }
  template <class B, class S>
  FONDUE_INLINE void wall(const B& b, S& sums) const {
    const float conducts = wall_conducts[b.wall.collider], T = wall_temperature[b.wall.collider];
    const float depth = b.space.wall_depth;
    // As if the temperature went on linearly from the particle through the surface to the boundary particle.
    const auto distance = max(dot(b.x_ij, b.normal()) - depth, 0.5f * depth);
    const auto continued = 1 + depth / distance;
    const auto R = b.R();
    const auto factor = (2 * calibration * wall_scale * conducts) * b.volume() * b.i(conductivity) * continued;
    sums.heat += factor * (b.i(temperature) - T) * b.gradW_factor() * b.r2 / (b.density_i() * (b.r2 + 0.01f * R * R));
  }
};

/// Area of free surface a unit of volume, |sum_j V_j grad W|, walls included [1/m].
struct ExposedArea {
  bool active = false;
  Field volume;
  /// Result, by slot.
  float* exposed = nullptr;

  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, LaneVector<L>& sum) const {
    const auto w = p.j(volume) * p.gradW_factor();
    add_product(sum.x, w, p.x_ij.x);
    add_product(sum.y, w, p.x_ij.y);
    add_product(sum.z, w, p.x_ij.z);
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, LaneVector<L>& sum) const {
    sum += (b.volume() * b.gradW_factor()) * b.x_ij;
  }
};

}  // namespace fondue
