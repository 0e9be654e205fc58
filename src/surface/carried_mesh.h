#pragma once
// The detailed mesh of an elastic, rigid or shell object follows its particles (L09 2.9-2.10):
//
//   x = sum_j Wn_j (x_j + F_j (X - X_j)),   Wn_j = W_j / sum_k W_k,
//
// with X, X_j where vertex and particles were at rest, x_j where the particles are now, and the weights of
// surface/bonds.h. L09 writes displacements u = x - X instead; its transposed grad u is F - I in the convention used
// here. F_j is the linear map that fits the particle's neighbourhood best,
//
//   F_j = (sum_k W_jk dx dX^T) M^-1,   M = sum_k W_jk dX dX^T,   dX = X_k - X_j, dx = x_k - x_j,
//
// so that an affine motion of the particles is followed exactly, to round-off, by any vertex, also one outside of them.
// Where the neighbours lie in a plane, on a line or in one point, M is singular. F_j is then exact in the directions
// they span; across a sheet it turns with the sheet and keeps its thickness, around a line it takes the smallest
// rotation that brings the line where it is (a twist cannot be seen), and a single particle carries without turning.
//
// Limits: topology never changes, so a mesh stretches over gaps where its object breaks (intactness() tells where, and
// surface/faded.h shows something else there); parts nearer to each other at rest than the supports pull at each
// other's vertices.

#include <Eigen/Core>

#include "shapes/geometry.h"
#include "surface/bonds.h"

namespace fondue {

class CarriedMesh {
 public:
  /// Binds the mesh to the particles at rest; ids are unique. Normals are computed where the mesh has none.
  CarriedMesh(Geometry rest_mesh, std::span<const Vec3> rest_positions, std::span<const float> supports,
              std::span<const Index> ids);

  /// The mesh where the particles are now. They are known by their ids: their order is free, new ones are ignored, and
  /// vanished ones leave their weight to the others. A vertex without any particle left is listed in `lost`, and its
  /// triangles are left out; vertices keep their numbers.
  Geometry carried(std::span<const Vec3> positions, std::span<const Index> ids,
                   std::vector<Index>* lost = nullptr) const;

  /// One number a vertex, 1 where its neighbourhood still is an affine image of its rest shape, 0 where it melted or
  /// broke (see residual_intact and the like), the mean over its particles; vanished particles count as 0. Solidity, if
  /// given, is one factor in [0, 1] for each of the particles now.
  std::vector<float> intactness(std::span<const Vec3> positions, std::span<const Index> ids,
                                std::span<const float> solidity = {}) const;

  std::size_t vertices() const { return rest_.mesh.vertices.size(); }

  // A neighbourhood's residual is the root mean square of dx - F dX over that of dX. Bent to a radius of b neighbour
  // distances it is about 1/(2b): a bend of three neighbour distances is the sharpest that is taken for intact.
  // Crystals melt where atoms are off their places by 0.1 to 0.15 of their distance (Lindemann), so matter that has
  // forgotten its neighbours is far above this; where they are off by half of their distance, no order is left.
  static constexpr double residual_intact = 0.15, residual_gone = 0.5;
  // Stretched to twice their distance, particles are at the rim of the usual support of two spacings; at four times,
  // nothing that moves one reaches the other.
  static constexpr double stretch_intact = 2, stretch_gone = 4;
  /// A direction counts as spanned if the neighbours' extent along it is more than this part of the largest. A sheet
  /// bent to a radius of three supports still counts as one: its curvature says nothing about its thickness.
  static constexpr double thinnest = 0.1;

 private:
  /// How the surroundings of a particle have moved.
  struct Motion {
    bool present = false;
    Vec3d place = Vec3d::Zero();
    Eigen::Matrix3d gradient = Eigen::Matrix3d::Identity();
    double intact = 0;
  };
  std::vector<Motion> motions(std::span<const Vec3> positions, std::span<const Index> ids) const;
  void fit(std::size_t particle, std::vector<Motion>& motions) const;
  /// Numbers, among the particles at rest, of the particles now; those that are new get an impossible one.
  std::vector<Index> known(std::span<const Index> ids) const;

  Geometry rest_;
  /// Particles at rest, in the order of their ids.
  std::vector<Index> ids_;
  std::vector<Vec3> positions_;
  Bonds vertex_bonds_, particle_bonds_;
};

}  // namespace fondue
