#pragma once
// The reference shape of thin shells: bonds along a sheet with X_ij and k_ij (shell_force.h), each seen in a frame of
// its particle, and how the surroundings of a particle are deformed. As every particle has its own frame, the reference
// of one may flow (plastic.h) without asking its neighbours.

#include <Eigen/Core>

#include "behaviours/shell_force.h"
#include "particles/particles.h"

namespace fondue::shell_shape {

inline const std::string bond_set = "shell";
inline constexpr BondColumn<Vec3> reference{"reference", "m",
                                            "X_j - X_i in the frame of i: two directions along the shell, its normal"};
inline constexpr BondColumn<float> coefficient{"coefficient", "1", "A_i A_j (-W'/r) in the reference shape"};

/// Makes sure that particles can be shells.
void require(Particles& particles);

/// Bonds these particles (by index) to those around them in the same sheet for which bondable is true, as they lie,
/// free of stress.
void bond(Particles& particles, std::span<const Index> which, const std::vector<std::uint8_t>& bondable);

/// Sums over the bonds of a particle in its reference shape.
struct Moments {
  /// M^-1, or zero for a particle with too few bonds; smallest eigenvalue of M over the area, 1 inside a sheet.
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();
  double least = 0;
  /// m4 of shell_force.h, by what the particle feels of unit curvatures: 3/2 sum_c sum_j k q^2/A over the curvatures
  /// 11, 22 and 12/sqrt(2), with q what the fit of G leaves of T.c T/2.
  double fourth = 0;
  bool holds() const { return least > 0; }
};
Moments moments(const Particles& particles, Index i);

/// Deformation of the surroundings of a particle, in double precision.
struct Deformation {
  bool known = false;
  Eigen::Matrix<double, 3, 2> G, R;
  Vec3d n;
  /// Strain and curvature in the frame of the particle.
  Eigen::Matrix2d e, curvature;
};
Deformation deformation(const Particles& particles, Index i);

/// Adds strain and curvature to the shape in which the surroundings of a particle are free of stress, in its frame. For
/// all particles that changed call BondSet::values_changed() once.
void flow(Particles& particles, Index i, const Eigen::Matrix2d& strain, const Eigen::Matrix2d& curvature);

}  // namespace fondue::shell_shape
