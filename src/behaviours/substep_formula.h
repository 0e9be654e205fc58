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
// and if it likes
//
//   template <class F> struct StartSums;                 what is added up once, before the substeps of a step, with
//   void start(const SliceBond<F>& b, StartSums<F>&) const;  and
//   void finish_start(const StartSums<F>&, Index place) const;  then, with all sums finished,
//   Own start_own<F>(Index place) const;  void start_bond(const SliceBond<F>& b, const Own&, LaneVector<F>&) const;
//   void finish_start_force(const LaneVector<F>&, Index place) const;
//   LaneVector<F> force_of_sums<F>(Index place) const;   force that is known when sums are finished [N]
//   template <class F> struct Strain;                    for the energy of a particle: what the sums tell, and
//   Strain<F> strain(const Sums<F>&, Index place) const;
//   F energy(const SliceBond<F>& b, const Strain<F>& i) const;             what a bond adds to that [J],
//   float* energies;                                                       written by place
//
// Here x_ij is x_j - x_i, as in the literature on elastic bodies. What a formula does not look at is not computed.

#include "behaviours/formula.h"
#include "particles/bond_slices.h"

namespace fondue {

/// Where a particle is during the substeps: x + u, with x as it was when the step began. Differences of x between
/// neighbours are exact, so stiff matter does not feel the rounding of its positions.
struct alignas(16) SubstepRecord {
  float x, y, z, unused;
  float ux, uy, uz, unused_too;
  /// Velocity, while sums are gathered.
  float vx, vy, vz, unused_as_well;
};
inline constexpr Index floats_per_substep_record = sizeof(SubstepRecord) / sizeof(float);

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

/// Four consecutive floats from each of several records that are `stride` floats apart, one lane for each record.
template <class F>
FONDUE_INLINE void load_four(const float* records, Index stride, const Index* which, F (&out)[4]) {
  if constexpr (lane_count<F> == 1) {
    for (int k = 0; k != 4; ++k) out[k] = records[which[0] * stride + static_cast<Index>(k)];
  } else {
    for (int k = 0; k != 4; ++k)
      out[k] = FONDUE_ISA::load_halves(records + which[k] * stride, records + which[k + 4] * stride);
    FONDUE_ISA::transpose_halves(out);
  }
}
/// The same of consecutive records.
template <class F>
FONDUE_INLINE void load_four(const float* records, Index stride, Index first, F (&out)[4]) {
  const Index which[8] = {first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7};
  load_four(records, stride, which, out);
}
/// Writes them.
template <class F>
FONDUE_INLINE void store_four(float* records, Index stride, Index first, F (&values)[4]) {
  if constexpr (lane_count<F> == 1) {
    for (int k = 0; k != 4; ++k) records[first * stride + static_cast<Index>(k)] = values[k];
  } else {
    FONDUE_ISA::transpose_halves(values);
    for (int k = 0; k != 4; ++k) {
      float both[8];
      FONDUE_ISA::store(both, values[k], 8);
      for (Index half = 0; half != 2; ++half)
        __builtin_memcpy(records + (first + static_cast<Index>(k) + 4 * half) * stride, both + 4 * half,
                         4 * sizeof(float));
    }
  }
}

template <class F>
struct SliceBond {
  const SubstepSpace& space;
  /// Of the first i.
  Index place;
  /// Where the first of the bonds is in arrays over entries.
  Index entry;
  /// Places of the neighbours.
  const Index* j;
  /// x_ij as it was when the step began, how it has changed since, and the sum of both.
  LaneVector<F> start_ij, moved_ij, x_ij;

  FONDUE_INLINE F of(const float* values) const { return FONDUE_ISA::load<F>(values + entry); }
  /// v_j - v_i
  FONDUE_INLINE LaneVector<F> v_ij() const {
    F of_j[4];
    load_four<F>(&space.records[0].vx, floats_per_substep_record, j, of_j);
    return {of_j[0] - FONDUE_ISA::load<F>(space.vx + place), of_j[1] - FONDUE_ISA::load<F>(space.vy + place),
            of_j[2] - FONDUE_ISA::load<F>(space.vz + place)};
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
