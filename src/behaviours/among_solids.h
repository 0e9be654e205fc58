#pragma once
// Elastic bodies among the particles of a fluid or of sand.

#include "behaviours/formula.h"

namespace fondue {

/// Which particles are solid bodies in the fluid.
struct AmongSolids {
  bool any = false;
  /// 1 for those, 0 for fluid. Kinds with solids are never uniform.
  Field solid;

  /// 0 between two solids, otherwise 1.
  template <class P>
  FONDUE_INLINE auto fluid_pair(const P& p) const {
    return 1 - p.i(solid) * p.j(solid);
  }
};

}  // namespace fondue
