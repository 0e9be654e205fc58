#pragma once
// The loop over bonds, for the formulas of Pass::bonds (behaviours/bond.h): eight bonds of a particle at a time and the
// rest one by one. Included by pair_loops.cpp only, and compiled with it for every instruction set.

#include "behaviours/bond.h"
#include "world/pair_loops.h"

namespace fondue::FONDUE_ISA {

namespace {

FONDUE_INLINE float sum_of_lanes(float a) { return a; }
#if FONDUE_LANES != 1
FONDUE_INLINE float sum_of_lanes(Lanes a) {
  float values[lane_count<Lanes>];
  store(values, a, lane_count<Lanes>);
  float sum = 0;
  for (const float value : values) sum += value;
  return sum;
}
#endif

/// Adds what F::count bonds, beginning with this one, do to the particle in a slot.
template <class F, class G>
FONDUE_INLINE void add_bonds(const PairSpace& space, const SlotOrder& order, const G& formula, Index slot, Index bond,
                             LaneVector<F>& acceleration) {
  Bond<F> b(space, order, formula.bonds, slot, bond);
  if (!formula.full) b.weight = square_root(b.i(formula.weight) * b.j(formula.weight));
  PairForce<F> force;
  formula.bond(b, force);
  const F central = b.weight * force.central;
  acceleration += central * b.x_ij + b.weight * force.acceleration;
}

template <class G>
void bonds_of(const PairSpace& space, const SlotOrder& order, const G& formula, const Block& block,
              const Accelerations& out) {
  for (Index slot = block.begin; slot != block.end; ++slot) {
    const Index i = order.particle[slot];
    const Index end = formula.bonds.begins[i + 1];
    Index bond = formula.bonds.begins[i];
    if (bond == end) continue;
    LaneVector<float> sum{0.0f, 0.0f, 0.0f};
#if FONDUE_LANES != 1
    LaneVector<Lanes> eight{0.0f, 0.0f, 0.0f};
    for (; end - bond >= Index{lane_count<Lanes>}; bond += lane_count<Lanes>)
      add_bonds<Lanes>(space, order, formula, slot, bond, eight);
    sum = {sum_of_lanes(eight.x), sum_of_lanes(eight.y), sum_of_lanes(eight.z)};
#endif
    for (; bond != end; ++bond) add_bonds<float>(space, order, formula, slot, bond, sum);
    const Index at = slot - block.begin;
    out.x[at] += sum.x;
    out.y[at] += sum.y;
    out.z[at] += sum.z;
  }
}

void bonds(const PairSpace& space, const SlotOrder& order, const PairFormulas& formulas, const Block& block,
           const Accelerations& out) {
  [&]<class... G>(TypeList<G...>) {
    const auto one = [&]<class F>(const F& formula) {
      if (formula.active) bonds_of(space, order, formula, block, out);
    };
    (one(formulas.get<G>()), ...);
  }(FormulasOf<Pass::bonds, PairFormulas::All>{});
}

}  // namespace

}  // namespace fondue::FONDUE_ISA
