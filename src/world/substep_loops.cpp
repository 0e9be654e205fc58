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
  const float *starts = &space.records[0].x, *moves = &space.records[0].ux;
  constexpr Index stride = floats_per_substep_record;
  F x_i[4], u_i[4], x_j[4], u_j[4];
  load_four<F>(starts, stride, place, x_i);
  load_four<F>(moves, stride, place, u_i);
  const Index slice = place / SliceOrder::width, lane = place % SliceOrder::width;
  for (Index row = formula.begins[slice]; row != formula.begins[slice + 1]; ++row) {
    const Index entry = SliceOrder::width * row + lane;
    SliceBond<F> b{space, place, entry, formula.neighbours + entry, {}, {}, {}};
    load_four<F>(starts, stride, b.j, x_j);
    load_four<F>(moves, stride, b.j, u_j);
    LaneVector<F> d{x_j[0] - x_i[0], x_j[1] - x_i[1], x_j[2] - x_i[2]};
    if (space.periodic) {
      d.x -= space.length[0] * nearest(d.x * space.inverse_length[0]);
      d.y -= space.length[1] * nearest(d.y * space.inverse_length[1]);
      d.z -= space.length[2] * nearest(d.z * space.inverse_length[2]);
    }
    b.start_ij = d;
    b.moved_ij = {u_j[0] - u_i[0], u_j[1] - u_i[1], u_j[2] - u_i[2]};
    b.x_ij = d + b.moved_ij;
    visit(b);
  }
}

template <class G>
void start_slices(const SubstepSpace& space, const G& formula, Index begin, Index end) {
  if constexpr (requires { typename G::template StartSums<L>; })
    for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
      typename G::template StartSums<L> sums;
      for_each_bond<L>(
          space, formula, place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { formula.start(b, sums); });
      formula.finish_start(sums, place);
    }
}

template <class G>
void start_forces_on_slices(const SubstepSpace& space, const G& formula, Index begin, Index end) {
  if constexpr (requires { typename G::template StartSums<L>; })
    for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
      const auto own = formula.template start_own<L>(place);
      LaneVector<L> force{0.0f, 0.0f, 0.0f};
      for_each_bond<L>(
          space, formula,
          place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { formula.start_bond(b, own, force); });
      formula.finish_start_force(force, place);
    }
}

template <class G>
void energies_of_slices(const SubstepSpace& space, const G& formula, Index begin, Index end) {
  if constexpr (requires { typename G::template Strain<L>; })
    for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
      typename G::template Sums<L> sums;
      for_each_bond<L>(
          space, formula,
          place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { formula.gather(b, sums); });
      const auto strain = formula.strain(sums, place);
      L energy = strain.energy;
      for_each_bond<L>(
          space, formula,
          place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { energy += formula.energy(b, strain); });
      store(formula.energies + place, energy, unsigned{lane_count<L>});
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
    if constexpr (requires { formula.template force_of_sums<L>(place); })
      force = formula.template force_of_sums<L>(place);
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

/// Calls loop(formula) for all formulas that are active.
template <class Loop>
void for_active(const SubstepFormulas& formulas, Loop&& loop) {
  [&]<class... G>(TypeList<G...>) {
    ((formulas.get<G>().active ? loop(formulas.get<G>()) : void()), ...);
  }(SubstepFormulas::All{});
}

void start(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  for_active(formulas, [&](const auto& formula) { start_slices(space, formula, begin, end); });
}
void start_forces(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  for_active(formulas, [&](const auto& formula) { start_forces_on_slices(space, formula, begin, end); });
}
void gather(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  for_active(formulas, [&](const auto& formula) { gather_slices(space, formula, begin, end); });
}
void forces(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  for_active(formulas, [&](const auto& formula) { forces_on_slices(space, formula, begin, end); });
}
void energies(const SubstepSpace& space, const SubstepFormulas& formulas, Index begin, Index end) {
  for_active(formulas, [&](const auto& formula) { energies_of_slices(space, formula, begin, end); });
}

}  // namespace

extern const SubstepLoops substep_loops;
const SubstepLoops substep_loops = {start, start_forces, gather, forces, energies};

}  // namespace fondue::FONDUE_ISA
