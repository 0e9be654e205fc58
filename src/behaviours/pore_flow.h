#pragma once
// Flow through pores and across the surface of a porous body (PHYSICS 5; L09 6.1-6.10, corrected). Fluid in pores is no
// particle: a site i holds the mass m_i of it, which fills its pores to the saturation S. Mass moves between two sites
// by one flux, taken from the one and added to the other:
//
// clang-format off
//   S_i   = m_i / (rho phi_i V_i)                                                                       (L09 6.1)
//   q_ij  = rho 2 V_i V_j (K/mu)_ij (psi_i - psi_j - rho g.x_ij) w_ij S_giver^beta                      [kg/s]
//   w_ij  = -x_ij.grad W/(r^2 + 0.01 R^2), over its sum on a lattice;  (K/mu)_ij the harmonic mean
//   psi   = -k_c (1 - S)^alpha  up to S = 1 - delta, then s (S - 1), s = k_c delta^(alpha - 1)          (L09 6.3)
// clang-format on
//
// The straight line goes on beyond S = 1: there it is the pore pressure, which carries flow through saturated matter.
// L09's 6.5, a pressure that follows from the deformation, would go on pumping at a fixed squash; here a squeezed pore
// holds less, and S says so. L09's 6.7-6.8 move mass the wrong way and do not conserve it. Series of media are exact by
// the harmonic mean.
//
// Where the line replaces the power law, flow is as easy as at the same potential without it: S_giver is
// 1 - (-psi/k_c)^(1/alpha) there. So a long line (a large delta) makes a wetting front less sharp, not slower.
//
// Free fluid beside the body is a site with S = 1 and psi = its pressure, clamped at zero. It flows into pores whose
// potential is lower. Pores give to free fluid, and to the air in what is missing of their surroundings, only where S >
// 1, driven by at most psi.
//
// In a sheet of thickness h, one layer of particles of area A = V/h, flow along it is that of a plane: A_i A_j h for
// V_i V_j, and the kernel of two dimensions. To what lies beside it a sheet is as open as if it were one spacing thick.
//
// The fluxes are stiff: explicit steps would have to be shorter than
//   h = 0.7 rho phi V/(s sum_j c_ij),   c_ij = 2 rho V_i V_j (K/mu)_ij w_ij
// (phi mu/(K s 4.3) dx^2 on a lattice). The flow is advanced by first-order Runge-Kutta-Legendre steps (Meyer et al.
// 2014), which are stable for (n^2 + n)/2 h with n evaluations: with Q(k) what has flowed through a pair until stage k,
//
//   Q(k) = (2k - 1)/k Q(k-1) - (k - 1)/k Q(k-2) + (2k - 1)/k 2/(n^2 + n) t q(m(k-1)).
//
// At most 24 stages; beyond that s is lowered, so that delta becomes larger. In the end the Q of all pairs are limited
// together: givers by what they hold, takers by the room they have, a pair by the smaller of both. What free fluid has
// no room for, and what goes to the air, is put into the giver's emission account (pore_emission.h).
//
// Mass is conserved to round-off of double precision: both sites of a pair compute the same number. So is momentum:
// what is given has the velocity of the giver at the beginning. delta = 0.02 where 24 stages are enough.

#include "core/kernel.h"
#include "particles/neighbours.h"
#include "particles/periodicity.h"

namespace fondue {

/// A particle as the flow sees it.
struct PoreSite {
  enum class Kind { pore, fluid, other };
  /// No fluid.
  static constexpr Index none = 0xffffffff;

  Kind kind = Kind::other;
  Index id = 0;
  /// Object of the fluid that it holds or is.
  Index fluid = none;
  Vec3 x = Vec3::Zero();
  float support = 0;
  double volume = 0, fluid_density = 0;
  /// Of a sheet; 0 for bulk matter.
  double thickness = 0;
  /// Kilograms of fluid that it holds, that fill its pores (S = 1), and that it can hold at most.
  double held = 0, capacity = 0, most = 0;
  /// K/mu.
  double mobility = 0;
  /// k_c, alpha and beta; s of the header.
  double strength = 0, alpha = 0.1, beta = 7, stiffness = 0;
  /// Of free fluid [Pa].
  double pressure = 0;
  /// All its mass, and its momentum.
  double mass = 0;
  Vec3d momentum = Vec3d::Zero();
  /// What it may put into its emission account still, and what it has put there [kg].
  double may_emit = 0, emitted = 0;
  /// Share of its surroundings that is air; outward direction, longer the more is missing.
  double air = 0;
  Vec3 outward = Vec3::Zero();
  /// |sum_j V_j grad W|: area of free surface per unit of volume, with its noise (heat.h) [1/m].
  double exposed = 0;
  /// Mass that has crossed it, times the way, summed over the flow [kg m].
  Vec3d carried = Vec3d::Zero();

  double saturation() const { return held / capacity; }
  double potential() const { return potential(held); }
  /// If it held so much.
  double potential(double mass) const;
  Vec3d velocity() const { return momentum / mass; }
};

/// delta of the header.
inline constexpr double pore_line = 0.02;

class PoreFlow {
 public:
  struct Space {
    const Kernel& kernel;
    float support_ratio;
    Vec3 gravity;
    const Periodicity& periodicity;
  };
  /// Neighbours and coefficients of all pairs; finds `air` and `outward` of the sites.
  void find_pairs(std::vector<PoreSite>& sites, const Space& space);
  /// Moves mass for some time; returns in how many stages.
  int advance(std::vector<PoreSite>& sites, double seconds);

  /// Everything within reach of a site; with periodic sides a site may be there twice.
  std::span<const Index> around(std::size_t site) const { return around_.of(site); }

 private:
  struct Pair {
    Index other;
    /// c_ij, and rho g.x_ij.
    float coefficient, weight;
  };
  /// A site at some stage: psi, S^beta, and whether it is free fluid.
  struct State {
    float psi = 0, open = 0;
    bool fluid = false;
  };
  /// Fluid that has crossed a pair or gone to the air, at this stage and the one before [kg].
  struct Crossed {
    float now = 0, before = 0;
  };
  void find_neighbours_of(const std::vector<PoreSite>& sites, const Periodicity& periodicity);
  void find_pairs_of(std::vector<PoreSite>& sites, std::size_t at, const Space& space);
  double coefficient(const PoreSite& i, const PoreSite& j, const Vec3& x_ij, double slope, const Space& space) const;
  double air_coefficient(const PoreSite& site) const;
  float flow(std::size_t i, const Pair& pair) const;
  int stages_needed(std::vector<PoreSite>& sites, double seconds) const;
  State state(const PoreSite& site, double held) const;
  void advance_stage(const std::vector<PoreSite>& sites, int stage, int stages, double seconds);
  void find_limits(const std::vector<PoreSite>& sites);
  void move(std::vector<PoreSite>& sites) const;

  NeighbourList around_;
  Periodicity periodicity_;
  /// g of a lattice times R^2 (heat.h), and what makes w right on a lattice.
  double exchange_ = 0, calibration_ = 1;
  /// The latter in a plane, for sheets.
  double plane_calibration_ = 1;
  /// The pairs of site i are from around_.offsets[i] to ends_[i].
  std::vector<std::size_t> ends_;
  std::vector<Pair> pairs_;
  std::vector<Crossed> crossed_, emitted_;
  /// By site: what it holds at this stage [kg].
  std::vector<double> held_;
  std::vector<State> states_;
  /// By site: what limits it as a giver and as a taker.
  std::vector<double> give_, take_;
};

}  // namespace fondue
