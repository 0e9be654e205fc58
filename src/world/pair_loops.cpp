// Compiled once for every instruction set (src/CMakeLists.txt), each time into a namespace of its own: FONDUE_ISA.
// Nothing here may call an inline function from elsewhere that the compiler could emit on its own: on another processor
// the linker might take this copy of it. tests/scenes/test_instruction_sets.cpp looks at the symbols.

#include "world/pair_loops.h"

#include "world/group_search.h"

namespace fondue::FONDUE_ISA {

namespace {

/// What is known of a scene and a pass when a loop is compiled.
template <bool one_kernel_, bool one_material_, bool cubic_spline, bool gradients_>
struct Mode {
  static constexpr bool one_kernel = one_kernel_, one_material = one_material_, usual_kernel = cubic_spline,
                        gradients = gradients_;
  FONDUE_INLINE static KernelShape shape(const PairSpace& space) {
    return cubic_spline ? KernelShape::cubic_spline : space.shape;
  }
  FONDUE_INLINE static bool periodic(const PairSpace& space) { return space.periodic; }
};

enum class Which { all, of_one_size, of_several };

/// Calls body(mode, which) with the fastest mode that is right for all groups, or for those of one size and the others.
template <bool gradients, class Body>
FONDUE_INLINE void with_mode(const PairSpace& space, Body&& body) {
  if (space.shape != KernelShape::cubic_spline) return body(Mode<false, false, false, gradients>{}, Which::all);
  if (space.one_material) return body(Mode<true, true, true, gradients>{}, Which::all);
  if (space.one_kernel()) return body(Mode<true, false, true, gradients>{}, Which::all);
  if (space.one_material_a_size) body(Mode<true, true, true, gradients>{}, Which::of_one_size);
  body(Mode<false, false, true, gradients>{}, space.one_material_a_size ? Which::of_several : Which::all);
}

FONDUE_INLINE bool skipped(const Group& group, Which which) {
  return which != Which::all && (group.one_size != 0) != (which == Which::of_one_size);
}

template <class F>
FONDUE_INLINE GroupLanes<F> load_group(const PairSpace& space, Index first) {
  GroupLanes<F> g;
  g.first = first;
  const Record* records = space.records + first;
  if constexpr (lane_count<F> == 1) {
    g.x = {records->x, records->y, records->z};
    g.v = {records->vx, records->vy, records->vz};
    g.push = records->push;
    g.density = records->density;
  } else {
    F rows[8];
    for (int k = 0; k != 8; ++k) rows[k] = load<F>(&records[k].x);
    transpose(rows);
    g.x = {rows[0], rows[1], rows[2]};
    g.push = rows[3];
    g.v = {rows[4], rows[5], rows[6]};
    g.density = rows[7];
  }
  const auto lanes = [&](Field field) { return load<F>(field.values + first * field.stride); };
  g.kernel = {lanes(space.support), lanes(space.inverse_support), lanes(space.kernel_scale)};
  const F smallest = kernel_shape::smallest_q * g.kernel.R;
  g.smallest_r2 = smallest * smallest;
  return g;
}

/// Calls visit(pair) for the neighbours of a group: by twos, and a last one alone; one by one where registers are short
/// and few.
template <class M, class Visit>
FONDUE_INLINE void each_pair(const PairSpace& space, const GroupLanes<L>& own, const Index* begin, const Index* end,
                             Visit&& visit) {
#if FONDUE_LANES != 1 && defined(__AVX__)
  for (; end - begin >= 2; begin += 2) visit(Pair<Twice, L, M>(space, own, {begin[0], begin[1]}));
#endif
  for (; begin != end; ++begin) visit(Pair<L, L, M>(space, own, {*begin}));
}

/// Writes the neighbour, or both, that some particle of the group touches; returns how many.
FONDUE_INLINE Index keep_touched(Index* to, Neighbours<L> n, bool touches) { return *to = n.slot, touches; }
#if FONDUE_LANES != 1
FONDUE_INLINE Index keep_touched(Index* to, Neighbours<L> n, Lanes::Mask touches) { return *to = n.slot, any(touches); }
FONDUE_INLINE Index keep_touched(Index* to, Neighbours<Twice> n, Twice::Mask touches) {
  *to = n.slot;
  const Index first = any(touches.a);
  to[first] = n.other;
  return first + any(touches.b);
}
#endif

void density(const PairSpace& space, const PairFormulas& formulas, Block& block) {
  with_mode<false>(space, [&]<class M>(M, Which which) {
    const CompressionSum sum = formulas.compression;
    Index* const pairs = block.pairs.data();
    Index* const walls = block.walls.data();
    for (Index g = 0; g != block.group_count; ++g) {
      Group& group = block.groups[g];
      if (skipped(group, which)) continue;
      const GroupLanes<L> own = load_group<L>(space, group.first);
      L s = 0.0f;
      Index *pairs_end = pairs + group.pairs_begin, *walls_end = walls + group.walls_begin;
      each_pair<M>(space, own, pairs_end, pairs + group.pairs_end, [&]<class F>(const Pair<F, L, M>& p) {
        F of_these = 0.0f;
        sum.pair(p, of_these);
        s += folded(of_these);
        pairs_end += keep_touched(pairs_end, p.neighbours, p.touches());
      });
      for (Index k = group.walls_begin; k != group.walls_end; ++k) {
        const Index b = walls[k];
        const Wall<L, M> w(space, own, b);
        sum.wall(w, s);
        *walls_end = b;
        walls_end += any(w.touches());
      }
      group.pairs_end = static_cast<Index>(pairs_end - pairs);
      group.walls_end = static_cast<Index>(walls_end - walls);
      if (sum.active) store(sum.summed + group.first, s, group.count);
    }
  });
}

void again(const PairSpace& space, const PairFormulas& formulas, const Block& block) {
  with_mode<true>(space, [&]<class M>(M, Which which) {
    const NormalisedCompression& normalised = formulas.normalised;
    const DeformationRate& deformation = formulas.deformation;
    const ExposedArea& exposed = formulas.exposed;
    const Index* const pairs = block.pairs.data();
    for (Index g = 0; g != block.group_count; ++g) {
      const Group& group = block.groups[g];
      if (skipped(group, which)) continue;
      const GroupLanes<L> own = load_group<L>(space, group.first);
      NormalisedCompression::Sums<L> sums;
      DeformationRate::Sums<L> rates;
      LaneVector<L> normal{0.0f, 0.0f, 0.0f};
      each_pair<M>(space, own, pairs + group.pairs_begin, pairs + group.pairs_end,
                   [&]<class F>(const Pair<F, L, M>& p) {
                     if (normalised.active) {
                       NormalisedCompression::Sums<F> of_these;
                       normalised.pair(p, of_these);
                       sums.one += folded(of_these.one);
                       sums.rate += folded(of_these.rate);
                     }
                     if (deformation.active) deformation.pair(p, rates);
                     if (exposed.active) exposed.pair(p, normal);
                   });
      for (Index k = group.walls_begin; k != group.walls_end; ++k) {
        const Wall<L, M> w(space, own, block.walls.data()[k]);
        if (normalised.active) normalised.wall(w, sums);
        if (exposed.active) exposed.wall(w, normal);
      }
      if (normalised.active) {
        store(normalised.one + group.first, sums.one, group.count);
        store(normalised.rate + group.first, sums.rate, group.count);
      }
      if (deformation.active) deformation.finish(rates, space.dimension, group.first, group.count);
      if (exposed.active) store(exposed.exposed + group.first, square_root(dot(normal, normal)), group.count);
    }
  });
}

/// What a formula of less than full weight adds: kernels scaled by w, and nothing at all where w is zero.
template <class F, class P, class Add>
FONDUE_INLINE void add_weighted(P p, F w, RateSums<F>& sums, Add&& add) {
  RateSums<F> own;
  p.weight = w;
  add(p, own);
  const auto acts = w > F(0.0f);
  const auto masked = [&](F value) { return select(acts, value, F(0.0f)); };
  // The common grad W is of full weight.
  sums.along_gradient += masked(w * own.along_gradient);
  sums.central += masked(own.central);
  sums.acceleration += {masked(own.acceleration.x), masked(own.acceleration.y), masked(own.acceleration.z)};
  sums.drift += {masked(own.drift.x), masked(own.drift.y), masked(own.drift.z)};
  sums.compression += masked(own.compression);
  sums.heat += masked(own.heat);
}

/// What a particle's own velocity adds to its viscous acceleration, with a minus sign: the diagonal of the system the
/// implicit viscosity solves, six numbers a particle (xx, yy, zz, xy, xz, yz).
void viscous_diagonal(const PairSpace& space, const PairFormulas& formulas, const Block& block, float* const* out) {
  with_mode<true>(space, [&]<class M>(M, Which which) {
    const ViscousForce& force = formulas.implicit_viscosity;
    for (Index g = 0; g != block.group_count; ++g) {
      const Group& group = block.groups[g];
      if (skipped(group, which)) continue;
      const GroupLanes<L> own = load_group<L>(space, group.first);
      L sums[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
      const auto add = [&](auto factor, const auto& x) {
        const auto fx = -factor * x.x, fy = -factor * x.y, fz = -factor * x.z;
        add_product(sums[0], fx, x.x);
        add_product(sums[1], fy, x.y);
        add_product(sums[2], fz, x.z);
        add_product(sums[3], fx, x.y);
        add_product(sums[4], fx, x.z);
        add_product(sums[5], fy, x.z);
      };
      const Index* const pairs = block.pairs.data();
      each_pair<M>(space, own, pairs + group.pairs_begin, pairs + group.pairs_end,
                   [&]<class F>(const Pair<F, L, M>& p) { add(force.drag(p) * p.slope, p.x_ij); });
      for (Index k = group.walls_begin; k != group.walls_end; ++k) {
        const Wall<L, M> w(space, own, block.walls.data()[k]);
        add(force.wall_drag(w) * w.gradW_factor(), w.x_ij);
      }
      for (int k = 0; k != 6; ++k) store(out[k] + group.first, sums[k], group.count);
    }
  });
}

/// The build for any processor is rarely used: it has one loop for all sets of formulas.
#if defined(__AVX__) || FONDUE_LANES == 1
constexpr bool worth_specialising = true;
#else
constexpr bool worth_specialising = false;
#endif

/// Any set of formulas: each is asked for every pair whether it is active.
constexpr unsigned any_set = ~0u;

/// The formulas are composed here. Where the set is known when this is compiled, what they share is computed once.
template <unsigned set, class Add>
FONDUE_INLINE void each_active(const PairFormulas& formulas, Add&& add) {
  formulas.each_rate([&]<class Number>(const auto& formula, Number) {
    if constexpr (set == any_set) {
      if (formula.active) add(formula);
    } else if constexpr ((set & Number::bit) != 0) {
      add(formula);
    }
  });
}

template <class M, unsigned set>
void rates_of(const PairSpace& space, const PairFormulas& formulas, const Block& block, Which which,
              const RateArrays& out) {
  const Index* const pairs = block.pairs.data();
  const Index* const walls = block.walls.data();
  for (Index g = 0; g != block.group_count; ++g) {
    const Group& group = block.groups[g];
    if (skipped(group, which)) continue;
    const GroupLanes<L> own = load_group<L>(space, group.first);
    RateSums<L> sums;
    each_pair<M>(space, own, pairs + group.pairs_begin, pairs + group.pairs_end, [&]<class F>(const Pair<F, L, M>& p) {
      RateSums<F> these;
      each_active<set>(formulas, [&](const auto& formula) {
        if (M::one_material || formula.full)
          formula.pair(p, these);
        else
          add_weighted<F>(p, square_root(p.i(formula.weight) * p.j(formula.weight)), these,
                          [&](const auto& q, auto& to) { formula.pair(q, to); });
      });
      sums.add(these, p.slope, p.x_ij);
    });
    for (Index k = group.walls_begin; k != group.walls_end; ++k) {
      const Wall<L, M> w(space, own, walls[k]);
      RateSums<L> these;
      each_active<set>(formulas, [&](const auto& formula) {
        if (M::one_material || formula.full)
          formula.wall(w, these);
        else
          add_weighted<L>(w, w.i(formula.weight), these, [&](const auto& q, auto& to) { formula.wall(q, to); });
      });
      sums.add(these, w.gradW_factor(), w.x_ij);
    }
    const Index at = group.first - block.begin;
    store(out.ax + at, sums.acceleration.x, group.count);
    store(out.ay + at, sums.acceleration.y, group.count);
    store(out.az + at, sums.acceleration.z, group.count);
    if (set == FormulaNumber<1>::bit) continue;
    store(out.dx + at, sums.drift.x, group.count);
    store(out.dy + at, sums.drift.y, group.count);
    store(out.dz + at, sums.drift.z, group.count);
    store(out.compression + at, sums.compression, group.count);
    store(out.heat + at, sums.heat, group.count);
  }
}

void rates(const PairSpace& space, const PairFormulas& formulas, const Block& block, const RateArrays& out) {
  unsigned active = 0;
  formulas.each_rate([&]<class Number>(const auto& formula, Number) { active |= formula.active ? Number::bit : 0; });
  with_mode<true>(space, [&]<class M>(M, Which which) {
    if constexpr (M::usual_kernel && worth_specialising) {
      constexpr unsigned pressure = FormulaNumber<0>::bit, viscous = FormulaNumber<1>::bit,
                         artificial = FormulaNumber<2>::bit;
      // The company most fluids keep, and what an implicit viscosity is solved with.
      if (active == viscous) return rates_of<M, viscous>(space, formulas, block, which, out);
      if (active == (pressure | artificial))
        return rates_of<M, pressure | artificial>(space, formulas, block, which, out);
      if constexpr (M::one_material) {
        if (active == pressure) return rates_of<M, pressure>(space, formulas, block, which, out);
        if (active == (pressure | viscous)) return rates_of<M, pressure | viscous>(space, formulas, block, which, out);
        if (active == (pressure | viscous | artificial))
          return rates_of<M, pressure | viscous | artificial>(space, formulas, block, which, out);
      }
    }
    rates_of<M, any_set>(space, formulas, block, which, out);
  });
}

}  // namespace

extern const PairLoops loops;
const PairLoops loops = {FONDUE_LOOPS_NAME, lane_count<L>, find, density, again, viscous_diagonal, rates};

}  // namespace fondue::FONDUE_ISA
