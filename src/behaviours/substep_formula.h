#pragma once
// Forces along bonds that are too fast for the step and are taken in substeps (world/substeps.h). A behaviour lists
// their formulas in `using SubstepFormulas = TypeList<...>`. Lanes hold eight particles i, which meet the k-th of their
// bonds together (particles/bond_slices.h). A formula has
//
//   bool active; const Index *begins, *neighbours;       its bonds: BondSlices
//   template <class F> struct Sums;                      what is added up before forces are known, with
//   void gather(const SliceBond<F>& b, Sums<F>&) const;      what a bond adds, and
//   void finish(const Sums<F>&, const SubstepSpace&, Index place) const;   what follows, written by place
//   template <class F> struct Own;  Own<F> own<F>(Index place) const;      what the force needs of i
//   void bond(const SliceBond<F>& b, const Own<F>& i, LaneVector<F>& force) const;     force of a bond on i [N]
//
// Here x_ij is x_j - x_i, as in the literature on elastic bodies.

#include "behaviours/formula.h"
#include "particles/bond_slices.h"

namespace fondue {

/// Where a particle is during the substeps: x + u, with x as it was when the step began. Differences of x between
/// neighbours are exact, so stiff matter does not feel the rounding of its positions.
struct alignas(32) SubstepRecord {
  float x, y, z, unused;
  float ux, uy, uz, unused_too;
};

struct SubstepSpace {
  /// By place.
  const SubstepRecord* records;
  const float *vx, *vy, *vz;
  const float* inverse_mass;
  /// What the loop adds to.
  float *ax, *ay, *az;
  bool periodic;
  float length[3], inverse_length[3];
};

template <class F>
struct SliceBond {
  const SubstepSpace& space;
  /// Of the first i.
  Index place;
  /// Where the first of the bonds is in arrays over entries.
  Index entry;
  /// Places of the neighbours.
  const Index* j;
  LaneVector<F> x_ij;

  FONDUE_INLINE F of(const float* values) const { return FONDUE_ISA::load<F>(values + entry); }
  /// v_j - v_i
  FONDUE_INLINE LaneVector<F> v_ij() const {
    const auto difference = [&](const float* v) __attribute__((always_inline)) {
      float of_j[lane_count<F>];
      for (int k = 0; k != lane_count<F>; ++k) of_j[k] = v[j[k]];
      return FONDUE_ISA::load<F>(of_j) - FONDUE_ISA::load<F>(v + place);
    };
    return {difference(space.vx), difference(space.vy), difference(space.vz)};
  }
};

/// Eight consecutive floats from each of several records that are `stride` floats apart, one lane for each record.
template <class F>
FONDUE_INLINE void load_eight(const float* records, Index stride, const Index* which, F (&out)[8]) {
  if constexpr (lane_count<F> == 1) {
    for (int k = 0; k != 8; ++k) out[k] = records[which[0] * stride + static_cast<Index>(k)];
  } else {
    for (int k = 0; k != 8; ++k) out[k] = FONDUE_ISA::load<F>(records + which[k] * stride);
    FONDUE_ISA::transpose(out);
  }
}
/// The same of consecutive records.
template <class F>
FONDUE_INLINE void load_eight(const float* records, Index stride, Index first, F (&out)[8]) {
  const Index which[8] = {first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7};
  load_eight(records, stride, which, out);
}

}  // namespace fondue
