#pragma once
// The detailed mesh of an elastic, rigid or shell object follows its particles (L09 2.9-2.10):
//
//   x = sum_j Wn_j (x_j + F_j (X - X_j)),   Wn_j = W_j / sum_k W_k,
//
// with X, X_j the rest positions of vertex and particles, x_j the current positions of the particles, and the weights
// of surface/bonds.h. L09 uses displacements u = x - X; its transposed grad u is F - I in the convention used here.
// F_j is the least-squares fit of a linear map to the particle's neighbourhood,
//
//   F_j = (sum_k W_jk dx dX^T) M^-1,   M = sum_k W_jk dX dX^T,   dX = X_k - X_j, dx = x_k - x_j,
//
// so that every vertex, also one outside the particles, follows an affine motion of the particles exactly (to
// round-off). Where the neighbours lie in a plane, on a line or in one point, M is singular. F_j is then exact in the
// directions they span; normal to a sheet it rotates with the sheet and preserves the thickness, around a line it is
// the smallest rotation that aligns the line (a twist cannot be detected), and a single particle only translates.
//
// The mesh of a body that has torn (torn_mesh.h) is carried by links: a vertex follows only particles on its own side
// of all cracks, and F_j is fitted to those that j is still bonded to. Without links a mesh stretches over gaps where
// its object breaks (intactness() tells where, and surface/faded.h replaces it there).
//
// Limits: parts that are closer at rest than the supports influence each other's vertices.

#include <Eigen/Core>

#include "shapes/geometry.h"
#include "surface/body_links.h"
#include "surface/bonds.h"

namespace fondue {

class CarriedMesh {
 public:
  /// Binds the mesh to the particles at rest; ids are unique. Normals are computed if the mesh has none.
  CarriedMesh(Geometry rest_mesh, std::span<const Vec3> rest_positions, std::span<const float> supports,
              std::span<const Index> ids);

  /// The mesh deformed by the current particles. They are identified by id: the order is arbitrary, new ones are
  /// ignored, and the weights of removed ones go to the others. A vertex with no particle left is listed in `lost` and
  /// its triangles are removed; vertices keep their indices.
  Geometry carried(std::span<const Vec3> positions, std::span<const Index> ids,
                   std::vector<Index>* lost = nullptr) const;

  /// The same for a body that has torn, with the links between its particles and the particle on whose side each vertex
  /// is, both numbered in the order of ids at rest.
  Geometry carried(std::span<const Vec3> positions, std::span<const Index> ids, const BodyLinks& links,
                   std::span<const Index> owners) const;

  /// One number per vertex: 1 where its neighbourhood is still an affine image of the rest shape, 0 where it has melted
  /// or broken (see the thresholds below), averaged over its particles; removed particles count as 0. Solidity, if
  /// given, is a factor in [0, 1] per current particle.
  std::vector<float> intactness(std::span<const Vec3> positions, std::span<const Index> ids,
                                std::span<const float> solidity = {}) const;

  std::size_t vertices() const { return rest_.mesh.vertices.size(); }

  // A neighbourhood's residual is the root mean square of dx - F dX over that of dX. Bent to a radius of b neighbour
  // distances it is about 1/(2b), so a radius of three neighbour distances is the sharpest bend that counts as intact.
  // Crystals melt where atoms deviate by 0.1 to 0.15 of their distance (Lindemann criterion), so molten matter is far
  // above this; at a deviation of half the distance no order is left.
  static constexpr double residual_intact = 0.15, residual_gone = 0.5;
  // Stretched to twice their distance, particles are at the edge of the usual support of two spacings; at four times
  // they no longer interact.
  static constexpr double stretch_intact = 2, stretch_gone = 4;
  /// A direction counts as spanned if the neighbours' extent along it is more than this fraction of the largest. A
  /// sheet bent to a radius of three supports still counts as a sheet, since its curvature is no measure of its
  /// thickness.
  static constexpr double thinnest = 0.1;

 private:
  /// Local affine motion of a particle's neighbourhood.
  struct Motion {
    bool present = false;
    Vec3d position = Vec3d::Zero();
    Eigen::Matrix3d gradient = Eigen::Matrix3d::Identity();
    double intact = 0;
  };
  std::vector<Motion> motions(std::span<const Vec3> positions, std::span<const Index> ids,
                              const BodyLinks* links = nullptr) const;
  void fit(std::size_t particle, std::vector<Motion>& motions, const BodyLinks* links) const;
  /// follows(vertex, particle) tells which of its particles a vertex follows.
  template <class Follows>
  Geometry moved_by(const std::vector<Motion>& moved, std::vector<Index>& lost, Follows&& follows) const;
  /// For each current particle its index among the particles at rest; an invalid index for new ones.
  std::vector<Index> rest_indices(std::span<const Index> ids) const;

  Geometry rest_;
  /// Particles at rest, sorted by id.
  std::vector<Index> ids_;
  std::vector<Vec3> positions_;
  Bonds vertex_bonds_, particle_bonds_;
};

}  // namespace fondue
