#pragma once
// Forces along bonds that are too fast for the step and are taken in substeps (world/substeps.h). A behaviour lists
// their formulas in `using SubstepFormulas = TypeList<...>`. Lanes hold eight particles i, which meet a row of their
// bonds together (particles/bond_slices.h). A formula has
//
//   bool active; SliceRows rows;                         its bonds
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
//   StartOwn start_own<F>(Index place) const;  template <class F> struct StartForce;
//   void start_bond(const SliceBond<F>& b, const StartOwn&, StartForce<F>&) const;
//   void finish_start_force(const StartOwn&, const StartForce<F>&, Index place) const;   also the energy, by place
//   LaneVector<F> force_of_sums<F>(Index place) const;   force that is known when sums are finished [N]
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
  float vx, vy, vz, unused_as_well;
};
inline constexpr Index floats_per_substep_record = sizeof(SubstepRecord) / sizeof(float);

struct SubstepSpace {
  /// By place; rows that are not aligned read neighbours from here.
  SubstepRecord* records;
  /// The same by component, which aligned rows read.
  const float* x[3];
  float *u[3], *v[3];
  /// By place: 1/m, the same but zero for what is not free to move, acceleration that is held, additional velocity
  /// with which it drifts (null: none).
  const float *inverse_mass, *mobility, *held[3], *additional[3];
  /// What the loop adds to.
  float* a[3];
  bool plane, periodic;
  float length[3], inverse_length[3];
};

/// Where particles of consecutive places are, and the square of their largest velocity.
struct SubstepReach {
  float least[3], most[3], fastest2;
};

/// The bonds of a formula (particles/bond_slices.h).
struct SliceRows {
  const Index *begins = nullptr, *neighbours = nullptr;
  const std::uint8_t* aligned = nullptr;
  const std::int32_t* offsets = nullptr;

  SliceRows() = default;
  explicit SliceRows(const BondSlices& of)
      : begins(of.begins.data()),
        neighbours(of.neighbours.data()),
        aligned(of.aligned.data()),
        offsets(of.offsets.data()) {}
};

/// A vector from three arrays.
template <class F>
FONDUE_INLINE LaneVector<F> vector_at(const float* const* values, Index at) {
  return {FONDUE_ISA::load<F>(values[0] + at), FONDUE_ISA::load<F>(values[1] + at),
          FONDUE_ISA::load<F>(values[2] + at)};
}
template <class F>
FONDUE_INLINE void store_at(float* const* values, Index at, const LaneVector<F>& v) {
  FONDUE_ISA::store(values[0] + at, v.x, lane_count<F>);
  FONDUE_ISA::store(values[1] + at, v.y, lane_count<F>);
  FONDUE_ISA::store(values[2] + at, v.z, lane_count<F>);
}

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
  /// Places of the neighbours. If the row is aligned, they are side by side from `first` on.
  const Index* j;
  bool aligned;
  std::int32_t first;
  /// x_ij as it was when the step began, how it has changed since, and the sum of both.
  LaneVector<F> start_ij, moved_ij, x_ij;

  FONDUE_INLINE F of(const float* values) const { return FONDUE_ISA::load<F>(values + entry); }
  /// Values of the neighbours in an array over places, if the row is aligned.
  FONDUE_INLINE F of_neighbours(const float* values) const { return FONDUE_ISA::load<F>(values + first); }
  FONDUE_INLINE LaneVector<F> of_neighbours(const float* const (&values)[3]) const {
    return {of_neighbours(values[0]), of_neighbours(values[1]), of_neighbours(values[2])};
  }
  /// The shortest image of a difference of positions.
  FONDUE_INLINE LaneVector<F> nearest_image(LaneVector<F> d) const {
    if (!space.periodic) return d;
    return {d.x - space.length[0] * nearest(d.x * space.inverse_length[0]),
            d.y - space.length[1] * nearest(d.y * space.inverse_length[1]),
            d.z - space.length[2] * nearest(d.z * space.inverse_length[2])};
  }
  /// v_j - v_i
  FONDUE_INLINE LaneVector<F> v_ij() const {
    const float* const v[3] = {space.v[0], space.v[1], space.v[2]};
    LaneVector<F> of_j;
    if (aligned) {
      of_j = of_neighbours(v);
    } else {
      F values[4];
      load_four<F>(&space.records[0].vx, floats_per_substep_record, j, values);
      of_j = {values[0], values[1], values[2]};
    }
    return of_j - vector_at<F>(v, place);
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
/// Writes them.
template <class F>
FONDUE_INLINE void store_eight(float* records, Index stride, Index first, F (&values)[8]) {
  if constexpr (lane_count<F> == 1) {
    for (int k = 0; k != 8; ++k) records[first * stride + static_cast<Index>(k)] = values[k];
  } else {
    FONDUE_ISA::transpose(values);
    for (Index lane = 0; lane != 8; ++lane) FONDUE_ISA::store(records + (first + lane) * stride, values[lane], 8);
  }
}

}  // namespace fondue
