#pragma once
// The gradient of the velocity from the neighbours, exact for linear velocities also where neighbours are missing
// (Bonet & Lok 1999):
//
//   G_i = sum_j V_j (v_j - v_i) (x) grad W,   M_i = sum_j V_j (x_j - x_i) (x) grad W,   grad v_i = G_i M_i^-1
//
// Who uses it says what is to be done where too few neighbours are left to invert M.

#include "behaviours/pair.h"

namespace fondue {

template <class F>
struct GradientSums {
  /// M and G without their minus signs: sums of x (x) x, as xx, yy, zz, xy, xz, yz, and of v_ij (x) x_ij.
  F m[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  LaneVector<F> g[3] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};

  /// Adds one neighbour, w = V_j W'/r.
  template <class L>
  FONDUE_INLINE void add(const L& w, const LaneVector<L>& x, const LaneVector<L>& v) {
    const auto wx = w * x;
    const auto add_row = [&](LaneVector<F>& row, const L& component) {
      add_product(row.x, component, wx.x);
      add_product(row.y, component, wx.y);
      add_product(row.z, component, wx.z);
    };
    add_row(g[0], v.x);
    add_row(g[1], v.y);
    add_row(g[2], v.z);
    add_product(m[0], wx.x, x.x);
    add_product(m[1], wx.y, x.y);
    add_product(m[2], wx.z, x.z);
    add_product(m[3], wx.x, x.y);
    add_product(m[4], wx.x, x.z);
    add_product(m[5], wx.y, x.z);
  }

  /// The row of the gradient that belongs to the velocity's component k, with B = M^-1.
  FONDUE_INLINE LaneVector<F> row(int k, const F (&B)[6]) const {
    return {-(g[k].x * B[0] + g[k].y * B[3] + g[k].z * B[4]), -(g[k].x * B[3] + g[k].y * B[1] + g[k].z * B[5]),
            -(g[k].x * B[4] + g[k].y * B[5] + g[k].z * B[2])};
  }
};

/// Of a boundary particle: v_i - v_b if the velocity falls linearly from the particle to that of the wall at its
/// surface and goes on to the boundary particle, over v_i - v of the wall.
template <class B>
FONDUE_INLINE auto continued_beyond_surface(const B& b) {
  const float depth = b.depth();
  return 1 + depth / max(dot(b.x_ij, b.normal()) - depth, 0.5f * depth);
}

}  // namespace fondue
