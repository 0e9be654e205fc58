#pragma once
// The fields whose zero is the surface of particle matter, all positive inside:
//
//   colour          sum V W / c - 1, the colour field (L09 2.8) of rest volumes
//   characteristic  the same with the volumes m/rho that particles take up where they are (P06, P09): outermost ones
//                   count for more, which makes edges sharper
//   density         sum W / (2 W(R/2)) - 1 with W = (1-q)^3: the iso-density of DC96 s. 4.2, half a support from a lone
//                   pair
//   distance        r f - |x - xbar|, the distance to the weighted mean of the particles around (Zhu & Bridson 2005),
//                   with r less where the mean changes fast, so that no surface appears between bodies that come close:
//                   f = 1 - (1 - gamma)^3, gamma = (3.5 - e)/(3.5 - 0.4), e the largest eigenvalue of grad xbar
//                   (Solenthaler et al. 2007, PHYSICS 7)
//   anisotropic     the colour field of kernels stretched along the matter: W(|G (x - xbar_j)|) with G from the
//                   covariance of the neighbours (Yu & Turk 2013): thin sheets, flat sides and sharp edges. The axes
//                   are standard deviations and not variances, which with our supports would leave gaps; W is
//                   (1 - q^2)^3, which needs no root
//
// The constants c and r are not guessed: they are what puts the surface of an even lattice half a spacing outside its
// flat side, where that much matter ends. Particles of several sizes count each with its own support. In two dimensions
// the field is that of the plane, cut off half a spacing in front of it and behind.

#include <array>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "surface/sparse_grid.h"

namespace fondue {

/// Particles as a surface sees them.
struct SurfaceParticles {
  std::vector<Vec3> position;
  /// Support radius, and rest volume.
  std::vector<float> support, volume;
  int dimension = 3;

  std::size_t size() const { return position.size(); }
  /// Distance to neighbours in matter at rest.
  float spacing(std::size_t j) const;
};

class ParticleField {
 public:
  /// No kernel reaches further from its particle, in supports.
  static float reach(SurfaceField kind);

  /// `near_surface` is zero for particles that surely have matter all around, for which nothing need be found out.
  /// Empty: none is sure.
  ParticleField(SurfaceField kind, const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface = {});

  /// Values at the corners of a block, and gradients if they are wanted, else zeros. `near` has all particles that
  /// reach it, in an order that is the same for all blocks.
  void evaluate(const SparseGrid& grid, BlockKey block, std::span<const Index> near, bool gradients,
                BlockValues& values) const;

 private:
  struct Source {
    Vec3 x;
    /// How far its kernel reaches along each axis.
    Vec3 reach;
    /// Sum of kernels: what its kernel is multiplied with. Distance: its spacing.
    float amount;
    /// q^2 = d.S d with d = x - x_j: xx, yy, zz, xy, yz, zx of S, which is G^2.
    std::array<float, 6> S;
  };
  ParticleField(SurfaceField kind, const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface,
                float level);
  void stretch_kernels(const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface);
  void set_shape(Source& source, float R, const Mat3& turn, const Vec3& axes) const;
  void weigh_by_density(const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface);
  float level_of_flat_side(float support_ratio) const;

  template <class Shape, bool gradients>
  void add_kernels(const SparseGrid& grid, BlockKey block, std::span<const Index> near, BlockValues& values) const;
  void find_distances(const SparseGrid& grid, BlockKey block, std::span<const Index> near, BlockValues& values) const;
  float narrowing(const Vec3& x, const Vec3& mean, float weight, std::span<const Index> near) const;

  SurfaceField kind_;
  int dimension_;
  /// c; r over the spacing.
  float level_;
  /// Distance: sum of kernels where matter is all around.
  float full_weight_ = 0;
  /// Of matter in the plane.
  float half_thickness_ = 0;
  std::vector<Source> sources_;
};

}  // namespace fondue
