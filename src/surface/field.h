#pragma once
// Scalar fields whose zero level set is the surface of the particles, all positive inside:
//
//   colour          sum V W / c - 1, the colour field (L09 2.8) of rest volumes
//   characteristic  the same with the current volumes m/rho (P06, P09): particles at the surface get more weight,
//                   which makes edges sharper
//   density         sum W / (2 W(R/2)) - 1 with W = (1-q)^3: the iso-density of DC96 s. 4.2, half a support from an
//                   isolated pair
//   distance        r f - |x - xbar|, the distance to the weighted mean of the nearby particles (Zhu & Bridson 2005),
//                   with r reduced where the mean changes fast, so that no surface appears between separate bodies:
//                   f = 1 - (1 - gamma)^3, gamma = (3.5 - e)/(3.5 - 0.4), e the largest eigenvalue of grad xbar
//                   (Solenthaler et al. 2007)
//   anisotropic     the colour field of kernels stretched along the matter: W(|G (x - xbar_j)|) with G from the
//                   covariance of the neighbours (Yu & Turk 2013): thin sheets, flat sides and sharp edges. The axes
//                   are standard deviations, not variances, which would leave gaps with the supports used here; W is
//                   (1 - q^2)^3, which needs no square root
//
// The constants c and r are calibrated such that the surface of a regular lattice lies half a spacing outside its flat
// side, where the volume of its particles ends. Each particle has its own support. In two dimensions the field is that
// of the plane, extruded half a spacing to the front and to the back.

#include <array>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "surface/sparse_grid.h"

namespace fondue {

/// The particle data needed for a surface.
struct SurfaceParticles {
  std::vector<Vec3> position;
  /// Support radius, and rest volume.
  std::vector<float> support, volume;
  int dimension = 3;

  std::size_t size() const { return position.size(); }
  /// Distance between neighbours at rest.
  float spacing(std::size_t j) const;
};

class ParticleField {
 public:
  /// Largest distance of influence of a particle, in supports.
  static float reach(SurfaceField kind);

  /// `near_surface` is zero for particles that are certainly surrounded by others, for which no kernel shape or density
  /// is needed. If empty, all particles are treated as near the surface.
  ParticleField(SurfaceField kind, const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface = {});

  /// Values at the corners of a block, and gradients if requested, else zeros. `near` contains all particles that reach
  /// it, in an order that is the same for all blocks.
  void evaluate(const SparseGrid& grid, BlockKey block, std::span<const Index> near, bool gradients,
                BlockValues& values) const;

 private:
  struct Source {
    Vec3 x;
    /// Extent of its kernel along each axis.
    Vec3 reach;
    /// For sums of kernels, the factor of its kernel; for distance, its spacing.
    float amount;
    /// q^2 = d.S d with d = x - x_j: xx, yy, zz, xy, yz, zx of S, which is G^2.
    std::array<float, 6> S;
  };
  ParticleField(SurfaceField kind, const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface,
                float level);
  void stretch_kernels(const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface);
  void set_shape(Source& source, float R, const Mat3& rotation, const Vec3& axes) const;
  void weigh_by_density(const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface);
  float level_of_flat_side(float support_ratio) const;

  template <class Shape, bool gradients>
  void add_kernels(const SparseGrid& grid, BlockKey block, std::span<const Index> near, BlockValues& values) const;
  void find_distances(const SparseGrid& grid, BlockKey block, std::span<const Index> near, BlockValues& values) const;
  float radius_factor(const Vec3& x, const Vec3& mean, float weight, std::span<const Index> near) const;

  SurfaceField kind_;
  int dimension_;
  /// c; r over the spacing.
  float level_;
  /// For distance: sum of kernels in the interior.
  float full_weight_ = 0;
  /// Half thickness of two-dimensional matter.
  float half_thickness_ = 0;
  std::vector<Source> sources_;
};

}  // namespace fondue
