#pragma once
// What a pair formula is. A behaviour fills a formula with numbers and Fields and hands it to the loops over pairs,
// which call it for every particle i and neighbour j (pair.h). Formulas come in two forms.
//
// Sums over neighbours, which rates are built on (Pass::density, Pass::gradient):
//
//   static constexpr Pass pass = Pass::gradient;
//   template <class L> struct Sums { L one = 0.0f; };          what is added up for each i
//   void pair(const P& p, Sums<L>& sums) const;                what a neighbour adds
//   void wall(const B& b, Sums<L>& sums) const;                what a boundary particle adds
//   void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const;    writes them, by slot
//
// Forces and other rates (Pass::rates, and Pass::solve for what is solved for), which also add to the acceleration:
//
//   void pair(const P& p, PairForce<F>& force, Sums<L>& sums) const;
//   void wall(const B& b, PairForce<L>& force, Sums<L>& sums) const;
//
// All active formulas of a pass are composed in one loop. A behaviour lists its formulas in `using Formulas =
// TypeList<...>`; behaviours/registry.h collects them.

#include "behaviours/pair.h"

namespace fondue {

/// When a formula is summed. The passes of an evaluation follow each other; what one has written, the next may read.
enum class Pass {
  /// While neighbours are listed: W is known, its gradient is not.
  density,
  /// Sums that need the density, or gradients.
  gradient,
  /// Accelerations and other rates of change.
  rates,
  /// Accelerations by bonds, added to the rates (bond.h).
  bonds,
  /// Accelerations linear in the velocities, for which the velocities at the end of the step are solved
  /// (world/solve.h).
  solve
};

/// Where a formula acts, and how strongly.
struct Formula {
  bool active = false;
  /// Weight 1 for every particle.
  bool full = true;
  Field weight;
  /// By object: non-zero if it acts on some of its particles, acts_on_others if nothing acts between two particles of
  /// such objects; null: it acts on all.
  const std::uint8_t* objects = nullptr;
  static constexpr std::uint8_t acts_on_others = 2;
};

/// Acceleration of i by a pair. The loop multiplies the coefficients of grad W and of x_ij out once for all formulas.
template <class F>
struct PairForce {
  F along_gradient = 0.0f, central = 0.0f;
  LaneVector<F> acceleration{0.0f, 0.0f, 0.0f};
};

/// For a formula that adds to the acceleration only.
struct NoSums {
  template <class L>
  FONDUE_INLINE void finish(const L&, const PairSpace&, Index, Index) const {}
  template <class L>
  struct Sums {};
};

template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
};

template <class... Lists>
struct Joined {
  using type = TypeList<>;
};
template <class... A>
struct Joined<TypeList<A...>> {
  using type = TypeList<A...>;
};
template <class... A, class... B, class... Rest>
struct Joined<TypeList<A...>, TypeList<B...>, Rest...> {
  using type = typename Joined<TypeList<A..., B...>, Rest...>::type;
};

/// The formulas of a list that belong to a pass.
template <Pass pass, class... F>
auto formulas_of(TypeList<F...>) ->
    typename Joined<std::conditional_t<F::pass == pass, TypeList<F>, TypeList<>>...>::type;
template <Pass pass, class List>
using FormulasOf = decltype(formulas_of<pass>(List{}));

template <class F>
struct FormulaHolder {
  F formula;
};

/// One formula of each type, and a bit for each.
template <class... F>
struct FormulaTable : FormulaHolder<F>... {
  using All = TypeList<F...>;

  template <class G>
  FONDUE_INLINE const G& get() const {
    return static_cast<const FormulaHolder<G>&>(*this).formula;
  }
  template <class G>
  void set(const G& given) {
    static_cast<FormulaHolder<G>&>(*this).formula = given;
  }
  template <class G>
  static constexpr unsigned bit() {
    unsigned result = 0, next = 1;
    ((result |= std::is_same_v<F, G> ? next : 0, next <<= 1), ...);
    return result;
  }
  /// Those that act on some particle of an object.
  unsigned acting_on(Index object) const {
    return bits_where([&](const Formula& formula) { return !formula.objects || formula.objects[object]; });
  }
  /// Of these the ones that also act between its particles (Formula::acts_on_others).
  unsigned acting_within(Index object) const {
    return bits_where([&](const Formula& formula) {
      return !formula.objects || (formula.objects[object] && formula.objects[object] != Formula::acts_on_others);
    });
  }
  /// Those that act at all.
  unsigned active_bits() const { return ((get<F>().active ? bit<F>() : 0u) | ... | 0u); }
  /// Some formula of the pass is active.
  template <Pass pass>
  bool any() const {
    return ((F::pass == pass && get<F>().active) || ...);
  }

 private:
  template <class Acts>
  unsigned bits_where(Acts&& acts) const {
    unsigned bits = 0;
    const auto add = [&](const Formula& formula, unsigned its_bit) {
      if (formula.active && acts(formula)) bits |= its_bit;
    };
    (add(get<F>(), bit<F>()), ...);
    return bits;
  }
};

template <class... Lists>
struct TableOf {};
template <class... F>
struct TableOf<TypeList<F...>> {
  using type = FormulaTable<F...>;
};

}  // namespace fondue
