#pragma once
// What one layer of boundary particles must be multiplied with to stand for a solid half space, from sums over a
// lattice of fluid that rests on a flat wall. Particles of the row at the wall lie half a spacing above its surface,
// the boundary particles half a spacing below it.

#include "core/kernel.h"

namespace fondue {

/// How particles are arranged: the lattice that rests on a wall.
struct Lattice {
  KernelShape kernel = KernelShape::cubic_spline;
  int dimension = 3;
  /// Distance between particles [m], and support radius over it.
  float spacing = 0, support_ratio = 2;
  float support() const { return support_ratio * spacing; }
};

struct WallScales {
  /// gamma of V_b = gamma / sum_k W_bk: what the missing half space would add to the density of the lattice row at the
  /// wall, over what one layer of boundary particles adds there, times the layer's own sum.
  float volume;
  /// Shear force of the missing half space on all rows within reach, over that of one layer with its volumes, in a
  /// linear shear flow: the velocity between layers k spacings apart is proportional to k, and a half space has k such
  /// pairs of layers.
  float shear;
  /// The same for the heat that flows at a constant gradient of temperature.
  float heat;
  /// k of the pull of a wall of stickiness 1 Pa (fluid.h): the pull of one boundary particle on all rows within reach
  /// is that of the area it stands for.
  float pull;
};

WallScales wall_scales(const Lattice& lattice);

}  // namespace fondue
