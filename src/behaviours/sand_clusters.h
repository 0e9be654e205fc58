#pragma once
// Sand as rigid clusters and friction (L09 5.2, after Zhu & Bridson 2005), `scheme = "clusters"` of sand.h: no stress
// is stored, so what rests must be rigid.
//
// clang-format off
//   S_rigid = rho D R^2/dt                        what would stop the deformation D in one step
//   rigid:    sqrt(S_rigid:S_rigid/2) < tan(phi) p + cohesion
//   S       = rho D R^2/(30 dt), at most tan(phi) p + cohesion      friction where it is not
// clang-format on
//
// Rigid particles within `cluster_range` supports of each other form a cluster (union-find), whose particles get the
// velocity of a rigid body with its momentum and angular momentum; both are conserved.
//
// Where it deviates from L09: D is made of differences of velocities ((5.2) is not Galilean invariant), friction is
// multiplied with p, which (5.1) lost, the yield condition is that of the stored stress, whose angle is the angle of
// repose, and friction is a thirtieth of S_rigid below yield, because the whole of it is unstable as an explicit force.

#include <span>
#include <vector>

#include "behaviours/fields.h"
#include "core/kernel.h"
#include "particles/particles.h"

namespace fondue::sand_clusters {

/// S below yield over S_rigid.
inline constexpr float friction_part = 1.0f / 30;

/// The shear modulus G with which 2 G dt D is S of the header.
float shear_modulus(float density, float support, float dt);

/// Makes clusters of the rigid particles (by slot, non-zero) move as rigid bodies. Range: in supports.
void make_rigid(Particles& particles, std::span<Record> records, const Fields& fields,
                std::span<const std::uint8_t> rigid, float range);

}  // namespace fondue::sand_clusters
