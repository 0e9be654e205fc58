// The loops over the bonds of substeps, compiled once for every instruction set like pair_loops.cpp, whose rules hold
// here too. The plain twin takes one particle at a time.

#include "behaviours/substep_formula.h"
#include "world/pair_loops.h"

namespace fondue::FONDUE_ISA {

namespace {

#if FONDUE_LANES == 1
using L = float;
#else
using L = Lanes;
#endif

/// Calls visit(bond) for all bonds of the particles in F::count places.
template <class F, class G, class Visit>
FONDUE_INLINE void for_each_bond(const SubstepSpace& space, const G& formula, Index place, Visit&& visit) {
  const float* records = &space.records[0].x;
  F own[8], other[8];
  load_eight<F>(records, 8, place, own);
  const Index slice = place / SliceOrder::width, lane = place % SliceOrder::width;
  for (Index row = formula.begins[slice]; row != formula.begins[slice + 1]; ++row) {
    const Index entry = SliceOrder::width * row + lane;
    SliceBond<F> b{space, place, entry, formula.neighbours + entry, {}};
    load_eight<F>(records, 8, b.j, other);
    LaneVector<F> d{other[0] - own[0], other[1] - own[1], other[2] - own[2]};
    if (space.periodic) {
      d.x -= space.length[0] * nearest(d.x * space.inverse_length[0]);
      d.y -= space.length[1] * nearest(d.y * space.inverse_length[1]);
      d.z -= space.length[2] * nearest(d.z * space.inverse_length[2]);
    }
    b.x_ij = {d.x + (other[4] - own[4]), d.y + (other[5] - own[5]), d.z + (other[6] - own[6])};
    visit(b);
  }
}

template <class G>
void gather_slices(const SubstepSpace& space, const G& formula, Index begin, Index end) {
  for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
    typename G::template Sums<L> sums;
    for_each_bond<L>(
        space, formula, place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { formula.gather(b, sums); });
    formula.finish(sums, space, place);
  }
}

template <class G>
void forces_on_slices(const SubstepSpace& space, const G& formula, Index begin, Index end) {
  for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
    const auto own = formula.template own<L>(place);
    LaneVector<L> force{0.0f, 0.0f, 0.0f};
    for_each_bond<L>(
        space, formula,
        place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { formula.bond(b, own, force); });
    const L inverse_mass = load<L>(space.inverse_mass + place);
    const auto add = [&](float* to, L what) __attribute__((always_inline)) {
      store(to + place, load<L>(to + place) + inverse_mass * what, unsigned{lane_count<L>});
    };
    add(space.ax, force.x);
    add(space.ay, force.y);
    add(space.az, force.z);
  }
}

void gather(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  [&]<class... G>(TypeList<G...>) {
    ((formulas.get<G>().active ? gather_slices(space, formulas.get<G>(), begin, end) : void()), ...);
  }(SubstepFormulas::All{});
}

void forces(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  [&]<class... G>(TypeList<G...>) {
    ((formulas.get<G>().active ? forces_on_slices(space, formulas.get<G>(), begin, end) : void()), ...);
  }(SubstepFormulas::All{});
}

}  // namespace

extern const SubstepLoops substep_loops;
const SubstepLoops substep_loops = {gather, forces};

}  // namespace fondue::FONDUE_ISA
