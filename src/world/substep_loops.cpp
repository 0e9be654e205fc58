// The loops over the bonds of substeps, compiled once for every instruction set like pair_loops.cpp, whose rules hold
// here too. The plain twin takes one particle at a time.

#include "behaviours/substep_formula.h"
#include "world/pair_loops.h"

namespace fondue::FONDUE_ISA {

namespace {

/// Calls visit(bond) for all bonds of the particles in F::count places.
template <class F, class G, class Visit>
FONDUE_INLINE void for_each_bond(const SubstepSpace& space, const G& formula, Index place, Visit&& visit) {
  const SliceRows& rows = formula.rows;
  const Index slice = place / SliceOrder::width, lane = place % SliceOrder::width;
  const Index begin = rows.begins[slice], end = rows.begins[slice + 1];
  const float* const u[3] = {space.u[0], space.u[1], space.u[2]};
  const LaneVector<F> x_i = vector_at<F>(space.x, place), u_i = vector_at<F>(u, place);
  if (rows.aligned[slice]) {
    for (Index row = begin; row != end; ++row) {
      const Index entry = SliceOrder::width * row + lane;
      const std::int32_t first = static_cast<std::int32_t>(place) + rows.offsets[row];
      SliceBond<F> b{space, place, entry, rows.neighbours + entry, true, first, {}, {}, {}};
      b.start_ij = b.nearest_image(b.of_neighbours(space.x) - x_i);
      b.moved_ij = b.of_neighbours(u) - u_i;
      b.x_ij = b.start_ij + b.moved_ij;
      visit(b);
    }
    return;
  }
  const float *starts = &space.records[0].x, *moves = &space.records[0].ux;
  constexpr Index stride = floats_per_substep_record;
  F x_j[4], u_j[4];
  for (Index row = begin; row != end; ++row) {
    const Index entry = SliceOrder::width * row + lane;
    SliceBond<F> b{space, place, entry, rows.neighbours + entry, false, 0, {}, {}, {}};
    load_four<F>(starts, stride, b.j, x_j);
    load_four<F>(moves, stride, b.j, u_j);
    b.start_ij = b.nearest_image(LaneVector<F>{x_j[0], x_j[1], x_j[2]} - x_i);
    b.moved_ij = LaneVector<F>{u_j[0], u_j[1], u_j[2]} - u_i;
    b.x_ij = b.start_ij + b.moved_ij;
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
      typename G::template StartForce<L> force;
      for_each_bond<L>(
          space, formula,
          place, [&](const SliceBond<L>& b) __attribute__((always_inline)) { formula.start_bond(b, own, force); });
      formula.finish_start_force(own, force, place);
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
    add(space.a[0], force.x);
    add(space.a[1], force.y);
    add(space.a[2], force.z);
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

void kick(const SubstepSpace& space, Index begin, Index end, float h) {
  for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
    const L mobility = load<L>(space.mobility + place);
    LaneVector<L> v = vector_at<L>(space.v, place);
    const LaneVector<L> kicked = v + L(h) * (vector_at<L>(space.a, place) + vector_at<L>(space.held, place));
    const auto moves = mobility > L(0.0f);
    v = {select(moves, kicked.x, v.x), select(moves, kicked.y, v.y), select(moves, kicked.z, v.z)};
    store_at(space.v, place, v);
    L values[4] = {v.x, v.y, v.z, 0.0f};
    store_four(&space.records[0].vx, floats_per_substep_record, place, values);
  }
}

SubstepReach reach(const SubstepSpace& space, Index begin, Index end) {
  constexpr float far = 3e38f;
  L least[3] = {far, far, far}, most[3] = {-far, -far, -far}, fastest2 = 0.0f;
  for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
    for (int c = 0; c != 3; ++c) {
      const L x = load<L>(space.x[c] + place) + load<L>(space.u[c] + place);
      least[c] = min(least[c], x);
      most[c] = max(most[c], x);
    }
    LaneVector<L> v = vector_at<L>(space.v, place);
    if (space.additional[0]) v += vector_at<L>(space.additional, place);
    fastest2 = max(fastest2, dot(v, v));
  }
  SubstepReach result{};
  const auto extreme = [](L of, auto&& better) {
    float lanes[lane_count<L>];
    store(lanes, of, unsigned{lane_count<L>});
    float best = lanes[0];
    for (const float value : lanes) best = better(best, value);
    return best;
  };
  for (int c = 0; c != 3; ++c) {
    result.least[c] = extreme(least[c], [](float a, float b) { return min(a, b); });
    result.most[c] = extreme(most[c], [](float a, float b) { return max(a, b); });
  }
  result.fastest2 = extreme(fastest2, [](float a, float b) { return max(a, b); });
  return result;
}

void drift(const SubstepSpace& space, Index begin, Index end, float h) {
  for (Index place = begin * SliceOrder::width; place != end * SliceOrder::width; place += lane_count<L>) {
    LaneVector<L> v = vector_at<L>(space.v, place), u = vector_at<L>(space.u, place) + L(h) * v;
    if (space.additional[0]) u += L(h) * vector_at<L>(space.additional, place);
    if (space.plane) {
      u.z = v.z = 0.0f;
      store(space.v[2] + place, v.z, unsigned{lane_count<L>});
    }
    store_at(space.u, place, u);
    L values[4] = {u.x, u.y, u.z, 0.0f};
    store_four(&space.records[0].ux, floats_per_substep_record, place, values);
  }
}

}  // namespace

const SubstepLoops substep_loops = {start, start_forces, gather, forces, kick, reach, drift};

}  // namespace fondue::FONDUE_ISA
