// Compiled once for every instruction set (src/CMakeLists.txt), each time into a namespace of its own: FONDUE_ISA.
// Nothing here may call an inline function from elsewhere that the compiler could emit on its own: on another processor
// the linker might take this copy of it. tests/scenes/test_instruction_sets.cpp looks at the symbols.

#include "world/pair_loops.h"

#include "world/bond_loop.h"
#include "world/solve_passes.h"

/// After the parameters of a lambda: what is the same for all pairs of a group is then computed once.
#define FONDUE_INLINE_LAMBDA __attribute__((always_inline))

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

/// Calls body(mode) with the fastest mode that is right for a group.
template <bool gradients, class Body>
FONDUE_INLINE void with_mode(const PairSpace& space, const Group& group, Body&& body) {
  if (space.shape != KernelShape::cubic_spline) return body(Mode<false, false, false, gradients>{});
  if (group.uniform) return body(Mode<true, true, true, gradients>{});
  if (space.one_kernel()) return body(Mode<true, false, true, gradients>{});
  body(Mode<false, false, true, gradients>{});
}

template <class F>
FONDUE_INLINE GroupLanes<F> load_group(const PairSpace& space, Index first) {
  GroupLanes<F> g;
  g.first = first;
  const Record* records = space.records + first;
  if constexpr (lane_count<F> == 1) {
    g.x = {records->x, records->y, records->z};
    g.v = {records->vx, records->vy, records->vz};
    g.pressure_term = records->pressure_term;
    g.density = records->density;
  } else {
    F rows[8];
    for (int k = 0; k != 8; ++k) rows[k] = load<F>(&records[k].x);
    transpose(rows);
    g.x = {rows[0], rows[1], rows[2]};
    g.pressure_term = rows[3];
    g.v = {rows[4], rows[5], rows[6]};
    g.density = rows[7];
  }
  const auto lanes = [&](Field field) { return load<F>(field.values + first * field.stride); };
  g.kernel = {lanes(space.support), lanes(space.inverse_support), lanes(space.kernel_scale)};
  const F smallest = kernel_shape::smallest_q * g.kernel.R;
  g.smallest_r2 = smallest * smallest;
  return g;
}

/// Calls visit(neighbours) for the neighbours of a group: by twos, and a last one alone; one by one where registers are
/// short and few.
template <class Visit>
FONDUE_INLINE void each_by_twos(const Index* begin, const Index* end, Visit&& visit) {
#if FONDUE_LANES != 1 && defined(__AVX__)
  for (; end - begin >= 2; begin += 2) visit(Neighbours<LanePair>{begin[0], begin[1]});
#endif
  for (; begin != end; ++begin) visit(Neighbours<L>{*begin});
}

/// Calls visit(pair) likewise.
template <class M, class Visit>
FONDUE_INLINE void each_pair(const PairSpace& space, const GroupLanes<L>& own, const Index* begin, const Index* end,
                             Visit&& visit) {
  each_by_twos(begin, end, [&]<class F>(Neighbours<F> n) FONDUE_INLINE_LAMBDA { visit(Pair<F, L, M>(space, own, n)); });
}

/// Writes the neighbour, or both, that some particle of the group touches; returns how many.
FONDUE_INLINE Index keep_touched(Index* to, Neighbours<L> n, bool touches) { return *to = n.slot, touches; }
#if FONDUE_LANES != 1
FONDUE_INLINE Index keep_touched(Index* to, Neighbours<L> n, Lanes::Mask touches) { return *to = n.slot, any(touches); }
FONDUE_INLINE Index keep_touched(Index* to, Neighbours<LanePair> n, LanePair::Mask touches) {
  *to = n.slot;
  const Index first = any_of_first(touches);
  to[first] = n.other;
  return first + any_of_second(touches);
}
#endif

/// The sums of several formulas side by side, and the acceleration.
template <class F, class Formula>
struct SumsHolder {
  typename Formula::template Sums<F> sums;
};
template <class F, class... Formulas>
struct AllSums : SumsHolder<F, Formulas>... {
  LaneVector<F> acceleration{0.0f, 0.0f, 0.0f};

  template <class G>
  FONDUE_INLINE auto& of() {
    return static_cast<SumsHolder<F, G>&>(*this).sums;
  }
};

/// The sums of a group. Those over neighbours visited by twos are kept apart where PairSum has lanes for both.
template <class... Formulas>
class GroupSums {
 public:
  /// What neighbours that are visited as F add to.
  template <class F>
  FONDUE_INLINE auto& of_visited() {
    if constexpr (apart && std::is_same_v<F, LanePair>)
      return by_twos_;
    else
      return sums_;
  }
  /// To be called after the last neighbour and before the first boundary particle.
  FONDUE_INLINE AllSums<L, Formulas...>& of_all() {
    if constexpr (apart) {
      (add_both(sums_.template of<Formulas>(), by_twos_.template of<Formulas>()), ...);
      add_both(sums_.acceleration, by_twos_.acceleration);
    }
    return sums_;
  }

 private:
  static constexpr bool apart = lane_count<L> != 1 && std::is_same_v<PairSum, LanePair>;
  struct Nothing {};

  /// Sums consist of lanes and nothing else. What is added are copies: whatever has its address taken would be kept in
  /// memory, not in registers, from the first neighbour on.
  template <class To, class From, class One = L, class Both = LanePair>
  FONDUE_INLINE static void add_both(To& to, const From& from) {
    if constexpr (!std::is_empty_v<To>) {
      constexpr int count = sizeof(To) / sizeof(One);
      static_assert(sizeof(To) == count * sizeof(One) && sizeof(From) == count * sizeof(Both));
      To sums = to;
      const From pairs = from;
      for (int k = 0; k != count; ++k)
        reinterpret_cast<One*>(&sums)[k] += sum_of_both(reinterpret_cast<const Both*>(&pairs)[k]);
      to = sums;
    }
  }

  AllSums<L, Formulas...> sums_;
  std::conditional_t<apart, AllSums<LanePair, Formulas...>, Nothing> by_twos_;
};

/// Bits of all formulas of a list.
template <class... Formulas>
constexpr unsigned bits_of(TypeList<Formulas...>) {
  return (PairFormulas::bit<Formulas>() | ... | 0u);
}

/// Calls body(formula) for those of a list that act on the group; `known` says when this is compiled that all do.
template <bool known, class... Formulas, class Body>
FONDUE_INLINE void each_acting(TypeList<Formulas...>, const PairFormulas& all, const Group& group, Body&& body) {
  const auto one = [&]<class G>(const G& formula) {
    if (known || (group.formulas & PairFormulas::bit<G>())) body(formula);
  };
  (one(all.get<Formulas>()), ...);
}

template <class... Formulas>
GroupSums<Formulas...> sums_of(TypeList<Formulas...>);

template <class M, bool known, class List>
void density_of(const PairSpace& space, const PairFormulas& formulas, Block& block, Group& group) {
  Index* const pairs = block.pairs.data();
  Index* const walls = block.walls.data();
  const GroupLanes<L> own = load_group<L>(space, group.first);
  decltype(sums_of(List{})) group_sums;
  const auto each = [&](auto&& body) { each_acting<known>(List{}, formulas, group, body); };
  Index *pairs_end = pairs + group.pairs_begin, *walls_end = walls + group.walls_begin;
  each_pair<M>(space, own, pairs_end, pairs + group.pairs_end, [&]<class F>(const Pair<F, L, M>& p) {
    auto& sums = group_sums.template of_visited<F>();
    each([&]<class G>(const G& formula) { formula.pair(p, sums.template of<G>()); });
    pairs_end += keep_touched(pairs_end, p.neighbours, p.touches());
  });
  auto& sums = group_sums.of_all();
  for (Index k = group.walls_begin; k != group.walls_end; ++k) {
    const Index b = walls[k];
    const Wall<L, M> w(space, own, b);
    each([&]<class G>(const G& formula) { formula.wall(w, sums.template of<G>()); });
    *walls_end = b;
    walls_end += any(w.touches());
  }
  group.pairs_end = static_cast<Index>(pairs_end - pairs);
  group.walls_end = static_cast<Index>(walls_end - walls);
  each([&]<class G>(const G& formula) { formula.finish(sums.template of<G>(), space, group.first, group.count); });
}

void density(const PairSpace& space, const PairFormulas& formulas, Block& block) {
  using List = FormulasOf<Pass::density, PairFormulas::All>;
  constexpr unsigned all = bits_of(List{});
  for (Index g = 0; g != block.group_count; ++g) {
    Group& group = block.groups[g];
    with_mode<false>(space, group, [&]<class M>(M) {
      if ((group.formulas & all) == all) return density_of<M, true, List>(space, formulas, block, group);
      density_of<M, false, List>(space, formulas, block, group);
    });
  }
}

template <class M, bool known, class List>
void gradient_of(const PairSpace& space, const PairFormulas& formulas, const Block& block, const Group& group) {
  const Index* const pairs = block.pairs.data();
  const GroupLanes<L> own = load_group<L>(space, group.first);
  decltype(sums_of(List{})) group_sums;
  const auto each = [&](auto&& body) { each_acting<known>(List{}, formulas, group, body); };
  each_pair<M>(space, own, pairs + group.pairs_begin, pairs + group.pairs_end,
               [&]<class F>(const Pair<F, L, M>& p) FONDUE_INLINE_LAMBDA {
                 auto& sums = group_sums.template of_visited<F>();
                 each([&]<class G>(const G& formula) { formula.pair(p, sums.template of<G>()); });
               });
  auto& sums = group_sums.of_all();
  for (Index k = group.walls_begin; k != group.walls_end; ++k) {
    const Wall<L, M> w(space, own, block.walls.data()[k]);
    each([&]<class G>(const G& formula) { formula.wall(w, sums.template of<G>()); });
  }
  each([&]<class G>(const G& formula) { formula.finish(sums.template of<G>(), space, group.first, group.count); });
}

/// The build for any processor is rarely used: it has one loop for all sets of formulas.
#if defined(__AVX__) || FONDUE_LANES == 1
constexpr bool worth_specialising = true;
#else
constexpr bool worth_specialising = false;
#endif

/// Calls loop(list) with the one of these combinations that is exactly what acts on a group; false if none is.
template <class... Combinations, class Loop>
FONDUE_INLINE bool with_common(TypeList<Combinations...>, unsigned acting, Loop&& loop) {
  const auto try_one = [&]<class List>(List list) {
    if (acting != bits_of(list)) return false;
    loop(list);
    return true;
  };
  return (try_one(Combinations{}) || ...);
}

void gradient(const PairSpace& space, const PairFormulas& formulas, const Block& block) {
  using List = FormulasOf<Pass::gradient, PairFormulas::All>;
  for (Index g = 0; g != block.group_count; ++g) {
    const Group& group = block.groups[g];
    const unsigned acting = group.formulas & bits_of(List{});
    if (acting == 0) continue;
    with_mode<true>(space, group, [&]<class M>(M) {
      if constexpr (M::one_material && worth_specialising) {
        const auto loop = [&]<class Known>(Known) { gradient_of<M, true, Known>(space, formulas, block, group); };
        if (with_common(CommonGradients{}, acting, loop)) return;
      }
      gradient_of<M, false, List>(space, formulas, block, group);
    });
  }
}

/// What a formula of less than full weight adds: kernels scaled by w, and no force at all where w is zero.
template <class F, class P, class Add>
FONDUE_INLINE void add_weighted(P p, F w, PairForce<F>& force, Add&& add) {
  PairForce<F> own;
  p.weight = w;
  add(p, own);
  const auto acts = w > F(0.0f);
  const auto masked = [&](F value) { return select(acts, value, F(0.0f)); };
  // The common grad W is of full weight.
  force.along_gradient += masked(w * own.along_gradient);
  force.central += masked(own.central);
  force.acceleration += {masked(own.acceleration.x), masked(own.acceleration.y), masked(own.acceleration.z)};
}

/// Adds the force of a pair, or of two, with this gradient of W.
template <class S, class G>
FONDUE_INLINE void add_force(LaneVector<S>& acceleration, const PairForce<G>& force, G gradW_factor,
                             const LaneVector<G>& x_ij) {
  const G pull = force.along_gradient * gradW_factor + force.central;
  add_product(acceleration.x, pull, x_ij.x);
  add_product(acceleration.y, pull, x_ij.y);
  add_product(acceleration.z, pull, x_ij.z);
  acceleration += folded(force.acceleration);
}

/// The formulas are composed here. Where the set is known when this is compiled, what they share is computed once.
template <class M, bool known, class List>
void rates_of(const PairSpace& space, const PairFormulas& formulas, const Block& block, const Group& group,
              const Accelerations& out) {
  const Index* const pairs = block.pairs.data();
  const Index* const walls = block.walls.data();
  const GroupLanes<L> own = load_group<L>(space, group.first);
  decltype(sums_of(List{})) group_sums;
  const auto each = [&](auto&& body) { each_acting<known>(List{}, formulas, group, body); };
  each_pair<M>(space, own, pairs + group.pairs_begin, pairs + group.pairs_end,
               [&]<class F>(const Pair<F, L, M>& p) FONDUE_INLINE_LAMBDA {
                 auto& sums = group_sums.template of_visited<F>();
                 PairForce<F> force;
                 each([&]<class G>(const G& formula) {
                   auto& its_sums = sums.template of<G>();
                   if (M::one_material || formula.full)
                     formula.pair(p, force, its_sums);
                   else
                     add_weighted<F>(p, square_root(p.i(formula.weight) * p.j(formula.weight)), force,
                                     [&](const auto& q, auto& to) { formula.pair(q, to, its_sums); });
                 });
                 add_force(sums.acceleration, force, p.slope, p.x_ij);
               });
  auto& sums = group_sums.of_all();
  for (Index k = group.walls_begin; k != group.walls_end; ++k) {
    const Wall<L, M> w(space, own, walls[k]);
    PairForce<L> force;
    each([&]<class G>(const G& formula) {
      auto& its_sums = sums.template of<G>();
      if (M::one_material || formula.full)
        formula.wall(w, force, its_sums);
      else
        add_weighted<L>(w, w.i(formula.weight), force, [&](const auto& q, auto& to) { formula.wall(q, to, its_sums); });
    });
    add_force(sums.acceleration, force, w.gradW_factor(), w.x_ij);
  }
  each([&]<class G>(const G& formula) { formula.finish(sums.template of<G>(), space, group.first, group.count); });
  const Index at = group.first - block.begin;
  store(out.x + at, sums.acceleration.x, group.count);
  store(out.y + at, sums.acceleration.y, group.count);
  store(out.z + at, sums.acceleration.z, group.count);
}

void rates(const PairSpace& space, const PairFormulas& formulas, const Block& block, const Accelerations& out) {
  using List = FormulasOf<Pass::rates, PairFormulas::All>;
  for (Index g = 0; g != block.group_count; ++g) {
    const Group& group = block.groups[g];
    const unsigned acting = group.formulas & bits_of(List{});
    if (acting == 0) continue;
    with_mode<true>(space, group, [&]<class M>(M) {
      if constexpr (M::usual_kernel && worth_specialising) {
        using Common = std::conditional_t<M::one_material, CommonCombinations, CommonCombinationsOfMixed>;
        const auto loop = [&]<class Known>(Known) { rates_of<M, true, Known>(space, formulas, block, group, out); };
        if (with_common(Common{}, acting, loop)) return;
      }
      rates_of<M, false, List>(space, formulas, block, group, out);
    });
  }
}

void apply(const PairSpace& space, const PairFormulas& formulas, const Block& block, const Accelerations& out) {
  using List = FormulasOf<Pass::solve, PairFormulas::All>;
  constexpr unsigned all = bits_of(List{});
  for (Index g = 0; g != block.group_count; ++g) {
    const Group& group = block.groups[g];
    if ((group.formulas & all) == 0) continue;
    with_mode<true>(space, group, [&]<class M>(M) {
      if constexpr (worth_specialising)
        if ((group.formulas & all) == all) return rates_of<M, true, List>(space, formulas, block, group, out);
      rates_of<M, false, List>(space, formulas, block, group, out);
    });
  }
}

/// Coefficients of one group. The force of a pair is c (v_ij.x_ij) x_ij, that of a boundary particle likewise.
template <class M, class List>
void prepare_group(const PairSpace& space, const PairFormulas& formulas, const Block& block, const Group& group,
                   const SolveCoefficients& to, const Accelerations& out) {
  const GroupLanes<L> own = load_group<L>(space, group.first);
  const auto each = [&](auto&& body) { each_acting<false>(List{}, formulas, group, body); };
  // -sum c x_ij x_ij^T over boundary particles.
  L xx = 0.0f, yy = 0.0f, zz = 0.0f, xy = 0.0f, xz = 0.0f, yz = 0.0f;
  LaneVector<L> drive{0.0f, 0.0f, 0.0f};
  for (Index k = group.walls_begin; k != group.walls_end; ++k) {
    const Wall<L, M> w(space, own, block.walls.data()[k]);
    const LaneVector<L> u{w.wall.vx - space.frame[0], w.wall.vy - space.frame[1], w.wall.vz - space.frame[2]};
    const LaneVector<L>& x = w.x_ij;
    each([&](const auto& formula) {
      L c = formula.wall_drag(w) * w.gradW_factor();
      if (!M::one_material && !formula.full) c = c * w.i(formula.weight);
      const LaneVector<L> cx = -c * x;
      xx += cx.x * x.x;
      yy += cx.y * x.y;
      zz += cx.z * x.z;
      xy += cx.x * x.y;
      xz += cx.x * x.z;
      yz += cx.y * x.z;
      drive += dot(u, x) * cx;
    });
  }
  L diagonal = xx + yy + zz;
  LaneVector<L> sum{0.0f, 0.0f, 0.0f};
  float* c_of_pair = to.pairs + std::size_t{group.pairs_begin} * lane_count<L>;
  for (Index k = group.pairs_begin; k != group.pairs_end; ++k, c_of_pair += lane_count<L>) {
    const Pair<L, L, M> p(space, own, {block.pairs.data()[k]});
    L c = 0.0f;
    each([&](const auto& formula) {
      L its = formula.drag(p) * p.slope;
      if (!M::one_material && !formula.full) its = its * square_root(p.i(formula.weight) * p.j(formula.weight));
      c += its;
    });
    store(c_of_pair, c, lane_count<L>);
    diagonal -= c * dot(p.x_ij, p.x_ij);
    sum += (c * dot(p.v_ij(), p.x_ij)) * p.x_ij;
  }
  const LaneVector<L> v{own.v.x - space.frame[0], own.v.y - space.frame[1], own.v.z - space.frame[2]};
  sum -= {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
  const auto write = [&](float* array, L value) { store(array + group.first, value, group.count); };
  const L walls[6] = {xx, yy, zz, xy, xz, yz};
  for (int k = 0; k != 6; ++k) write(to.walls[k], walls[k]);
  write(to.drive[0], drive.x);
  write(to.drive[1], drive.y);
  write(to.drive[2], drive.z);
  write(to.diagonal, (1.0f / 3) * diagonal);
  const Index at = group.first - block.begin;
  store(out.x + at, sum.x, group.count);
  store(out.y + at, sum.y, group.count);
  store(out.z + at, sum.z, group.count);
}

void prepare(const PairSpace& space, const PairFormulas& formulas, const Block& block, const SolveCoefficients& to,
             const Accelerations& out) {
  using List = FormulasOf<Pass::solve, PairFormulas::All>;
  for (Index g = 0; g != block.group_count; ++g) {
    const Group& group = block.groups[g];
    if ((group.formulas & bits_of(List{})) != 0)
      with_mode<true>(space, group,
                      [&]<class M>(M) { prepare_group<M, List>(space, formulas, block, group, to, out); });
  }
}

/// What `apply` gives where walls rest, from the coefficients.
template <bool periodic>
void multiply_group(const PairSpace& space, const Block& block, const Group& group, const SolveCoefficients& from,
                    const Accelerations& out) {
  const GroupLanes<L> own = load_group<L>(space, group.first);
  GroupSums<> sums;
  const float* c = from.pairs + std::size_t{group.pairs_begin} * lane_count<L>;
  const auto add = [&]<class F>(Neighbours<F> n) FONDUE_INLINE_LAMBDA {
    const auto j = [&](float Record::*number) {
      return n.each([&](Index slot) { return space.records[slot].*number; });
    };
    LaneVector<F> x{own.x.x - j(&Record::x), own.x.y - j(&Record::y), own.x.z - j(&Record::z)};
    if constexpr (periodic) {
      x.x -= space.length[0] * nearest(x.x * space.inverse_length[0]);
      x.y -= space.length[1] * nearest(x.y * space.inverse_length[1]);
      x.z -= space.length[2] * nearest(x.z * space.inverse_length[2]);
    }
    const LaneVector<F> v{own.v.x - j(&Record::vx), own.v.y - j(&Record::vy), own.v.z - j(&Record::vz)};
    const F along = load<F>(c) * dot(v, x);
    auto& sum = sums.template of_visited<F>().acceleration;
    add_product(sum.x, along, x.x);
    add_product(sum.y, along, x.y);
    add_product(sum.z, along, x.z);
    c += sizeof(F) / sizeof(float);
  };
  each_by_twos(block.pairs.data() + group.pairs_begin, block.pairs.data() + group.pairs_end, add);
  LaneVector<L> sum = sums.of_all().acceleration;
  if (group.walls_begin != group.walls_end) {
    const auto wall = [&](int which) { return load<L>(from.walls[which] + group.first); };
    const LaneVector<L>& v = own.v;
    const L xy = wall(3), xz = wall(4), yz = wall(5);
    sum -=
        {wall(0) * v.x + xy * v.y + xz * v.z, xy * v.x + wall(1) * v.y + yz * v.z, xz * v.x + yz * v.y + wall(2) * v.z};
  }
  const Index at = group.first - block.begin;
  store(out.x + at, sum.x, group.count);
  store(out.y + at, sum.y, group.count);
  store(out.z + at, sum.z, group.count);
}

void multiply(const PairSpace& space, const Block& block, const SolveCoefficients& from, const Accelerations& out) {
  constexpr unsigned all = bits_of(FormulasOf<Pass::solve, PairFormulas::All>{});
  for (Index g = 0; g != block.group_count; ++g) {
    const Group& group = block.groups[g];
    if ((group.formulas & all) == 0) continue;
    if (space.periodic)
      multiply_group<true>(space, block, group, from, out);
    else
      multiply_group<false>(space, block, group, from, out);
  }
}

}  // namespace

extern const PairLoops loops;
const PairLoops loops = {FONDUE_LOOPS_NAME, lane_count<L>, find,    density, gradient,      rates, bonds, apply,
                         prepare,           multiply,      project, advance, &substep_loops};

}  // namespace fondue::FONDUE_ISA
