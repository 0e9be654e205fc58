#pragma once
// What a bond formula sees: a particle i and several of its bonds at once, one in each lane (or one, in the plain
// twin). Formulas of Pass::bonds have, in place of pair() and wall(),
//
//   BondList bonds;                                          which bonds
//   void bond(const B& b, PairForce<F>& force) const;        what a bond does to i
//
// They are gathered like pairs: every bond is visited from both of its ends, and i alone is written.

#include "behaviours/formula.h"

namespace fondue {

/// The bonds of every particle, by particle (particles/bonds.h).
struct BondList {
  const Index *begins = nullptr, *neighbours = nullptr;
};

/// Where particles and slots are to each other.
struct SlotOrder {
  /// Particle of each slot, slot of each particle.
  const Index *particle, *slot;
};

template <class F>
struct Bond {
  const PairSpace& space;
  /// Slot of i and of each j; the first of the directed bonds.
  Index slot_i, first;
  Index slot_j[lane_count<F>];
  LaneVector<F> x_ij, v_ij;
  F r2, r, inverse_r;
  /// sqrt(w_i w_j), of a behaviour that is fading in or out.
  F weight = 1.0f;

  FONDUE_INLINE Bond(const PairSpace& s, const SlotOrder& order, const BondList& bonds, Index slot, Index bond)
      : space(s), slot_i(slot), first(bond) {
    for (int k = 0; k != lane_count<F>; ++k) slot_j[k] = order.slot[bonds.neighbours[bond + k]];
    const Record& own = s.records[slot];
    if constexpr (lane_count<F> == 1) {
      const Record& other = s.records[slot_j[0]];
      x_ij = {own.x - other.x, own.y - other.y, own.z - other.z};
      v_ij = {own.vx - other.vx, own.vy - other.vy, own.vz - other.vz};
    } else {
      F rows[8];
      for (int k = 0; k != 8; ++k) rows[k] = FONDUE_ISA::load<F>(&s.records[slot_j[k]].x);
      FONDUE_ISA::transpose(rows);
      x_ij = {own.x - rows[0], own.y - rows[1], own.z - rows[2]};
      v_ij = {own.vx - rows[4], own.vy - rows[5], own.vz - rows[6]};
    }
    if (s.periodic) {
      x_ij.x -= s.length[0] * nearest(x_ij.x * s.inverse_length[0]);
      x_ij.y -= s.length[1] * nearest(x_ij.y * s.inverse_length[1]);
      x_ij.z -= s.length[2] * nearest(x_ij.z * s.inverse_length[2]);
    }
    r2 = max(dot(x_ij, x_ij), F(1e-30f));
    square_roots(r2, r, inverse_r);
  }

  /// Value of a bond column with one component.
  FONDUE_INLINE F of(const float* column) const { return FONDUE_ISA::load<F>(column + first); }
  /// Value of a field for i and for each j.
  FONDUE_INLINE float i(Field field) const { return field.values[slot_i * field.stride]; }
  FONDUE_INLINE F j(Field field) const {
    float values[lane_count<F>];
    for (int k = 0; k != lane_count<F>; ++k) values[k] = field.values[slot_j[k] * field.stride];
    return FONDUE_ISA::load<F>(values);
  }
};

}  // namespace fondue
