#pragma once
// Particles as fog: their mass and what they carry, spread over voxels by their own kernels.
//
//   density      rho(x) = sum_j m_j W_j(x)             W_j(x) = max(W(|x - x_j|, R_j), 0) / (h^d sum_voxels ...)
//   a column     f(x) = sum_j m_j f_j W_j(x) / rho(x)  so that rho v is the momentum
//
// Every kernel is normalised over the voxels it touches, or gives all to the nearest one if it touches none. The fog
// therefore holds exactly the particles' mass and momentum, whatever the size h of a voxel. In two dimensions it is one
// layer of voxels at z = 0 and the density is that of the plane.
//
// Frames hold no mass unless the scene asks for it: it is density / density_ratio times rest volume where those are
// there. Without them every particle counts as its volume, and rho is the fraction of space that is filled.

#include <array>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "core/kernel.h"

namespace fondue {

struct FogOptions {
  /// The scene's.
  KernelShape kernel = KernelShape::cubic_spline;
  /// Edge of a voxel [m]; 0: half the spacing.
  float voxel = 0;
  /// Beside density and velocity; none named: temperature if it is there.
  std::vector<std::string> columns;
};

struct Fog {
  /// Voxels come in cubic blocks; within one, z runs fastest.
  static constexpr int edge = 8, block = edge * edge * edge;

  struct Field {
    std::string name, unit;
    int components = 1;
    /// `block` times components for every block; zero outside the matter.
    std::vector<float> values;
  };

  /// Edge of a voxel; voxel (i, j, k) is centred at h (i, j, k).
  float voxel = 0;
  /// First voxel of every block.
  std::vector<std::array<int, 3>> origins;
  /// Density first, then velocity, then the others.
  std::vector<Field> fields;
};

/// InputError for columns that are not there or have no average (whole numbers), and for voxels that are too small.
Fog make_fog(const Frame& frame, const FogOptions& options);

}  // namespace fondue
