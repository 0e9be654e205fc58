#pragma once
// The reference shape of elastic bodies: positions X, bonds with their k_ij (elastic_force.h), how a particle's
// surroundings are deformed, and taking the present shape as the new reference.

#include "behaviours/elastic_force.h"
#include "particles/particles.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec3> reference_position{"reference_position", "m", "position in the reference shape", 0, true,
                                                 MergeRule::keep};
inline constexpr Column<float> reference_volume{"reference_volume", "m^d", "volume in the reference shape", 0, true,
                                                MergeRule::keep};
inline constexpr Column<Vec6> stored_strain{
    "stored_strain", "1", "strain in which an elastic body is free of stress, in its reference shape", 0, true,
    MergeRule::keep};
}  // namespace columns

namespace elastic_shape {

inline const std::string bond_set = "elastic";
inline constexpr BondColumn<float> coefficient{"coefficient", "m^(d-2)", "V_i V_j (-W'/r) in the reference shape"};

/// Below this eigenvalue of M_i / V_i (about 1 inside a body, 0.29 at a corner) a particle has too few bonds for a
/// deformation of its own: it carries no energy and is held by that of its neighbours.
inline constexpr float least_moment = 0.1f;

/// M_i^-1, or zero for a particle with too few bonds.
Eigen::Matrix3d inverse_moment(const Particles& particles, Index i, int dimension);
/// Whether it has enough bonds.
inline bool holds(const Eigen::Matrix3d& inverse) { return !inverse.isZero(0); }

/// Deformation of the surroundings of a particle, in double precision.
struct Deformation {
  bool known = false;
  /// F, its rotation, sym(R^T F) - I - e_p or (F^T F - I)/2 - e_p, and sum_j k |F X - x|^2.
  Eigen::Matrix3d F, R, e;
  double misfit = 0;
};
Deformation deformation(const Particles& particles, Index i, int dimension, bool green);

/// Bonds these particles (by index) to those around them that belong to the same object and for which bondable is
/// true, free of stress. Where one of these is bonded already, first its whole object is re-referenced. Spacing is
/// support / support_ratio.
void bond(Particles& particles, std::span<const Index> which, const std::vector<std::uint8_t>& bondable,
          float support_ratio, int dimension, const std::vector<std::uint8_t>& green);
/// Removes the bonds of these particles.
void unbond(Particles& particles, std::span<const Index> which);
/// Takes the present positions of objects (by object, non-zero) as their reference shape. Their stress stays: it
/// becomes minus the stored strain. What the zero-energy part of the energy remembers is forgotten.
void rereference(Particles& particles, const std::vector<std::uint8_t>& objects, float support_ratio, int dimension,
                 const std::vector<std::uint8_t>& green);

}  // namespace elastic_shape

}  // namespace fondue
