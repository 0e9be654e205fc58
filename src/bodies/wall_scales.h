#pragma once
// What one layer of boundary particles must be multiplied with to stand for a solid half space, from sums over a
// lattice of fluid that rests on a flat wall. Particles of the row at the wall lie half a spacing above its surface,
// the boundary particles half a spacing below it.
//
// Particles may have another spacing h than the boundary particles, s. With u = s/h their rows, m = 1, 2, ..., lie
// d_m = (m - 1/2) h + s/2 from the layer, and their kernel sees it as if the volume of the layer were spread evenly
// over its plane (exact on average over all places above it). So V_b is multiplied with g(u)/g(1) / u,
//
//   g(u) = u sum_k L_k / (V_b/s^(d-1) A(d_1))      L_k: sum of V W over lattice layer k, h k from a particle
//                                                  A(d): integral of W over a plane at the distance d
//
// which is what the missing half space adds to the density of the first row, over what the layer adds to it. Shear,
// heat and pull have such factors as well, made in the same way from the sums over all rows that WallScales names. They
// are smooth in u and kept as polynomials (SizeFactor) through a few exact values, right to about 1 per cent for
// u <= 1.5 and exactly 1 for u = 1. Finer particles fall between the boundary particles.

#include "behaviours/behaviour.h"
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
  /// What the missing half space would add to the density of that row, over the rest density; how much the sum over
  /// boundary particles, which is the same there, falls per spacing.
  float half_space, half_space_slope;
  /// The stress eta u' of a linear shear flow, over the force per area of one layer with its volumes on all rows within
  /// reach, on average over all places of the rows above it: rows slide along a wall.
  float shear;
  /// Heat that flows into the missing half space at a constant gradient of temperature, over that of one layer: between
  /// layers k spacings apart it is proportional to k, and a half space has k such pairs of layers.
  float heat;
  /// k of the pull of a wall of stickiness 1 Pa (fluid.h): the pull of one boundary particle on all rows within reach
  /// is that of the area it stands for.
  float pull;
};

WallScales wall_scales(const Lattice& lattice);

/// What the boundary particles of a body with this spacing have in common.
BoundaryLayer boundary_layer(const Lattice& lattice, const WallScales& scales);

}  // namespace fondue
