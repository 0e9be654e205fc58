// The table of formulas: every formula of the registry has a bit of its own and the pass it declares, and acts on the
// objects its behaviour acts on.

#include <gtest/gtest.h>

#include <bit>

#include "behaviours/registry.h"

namespace fondue {
namespace {

/// Calls visit with a formula of every type.
template <class Visit>
void for_each_formula(Visit&& visit) {
  [&]<class... F>(TypeList<F...>) { (visit.template operator()<F>(), ...); }(PairFormulas::All{});
}

TEST(Formulas, EachHasItsOwnBit) {
  unsigned seen = 0;
  std::size_t count = 0;
  for_each_formula([&]<class F>() {
    const unsigned bit = PairFormulas::bit<F>();
    EXPECT_EQ(std::popcount(bit), 1);
    EXPECT_EQ(bit & seen, 0u);
    seen |= bit;
    ++count;
  });
  EXPECT_EQ(count, PairFormulas::All::size);
  EXPECT_EQ(std::popcount(seen), static_cast<int>(count));
  EXPECT_LE(count, 32u) << "a group keeps its bits in 32";
}

TEST(Formulas, WhatIsNoFormulaOfTheTableHasNoBit) {
  struct Stranger : Formula {};
  EXPECT_EQ(PairFormulas::bit<Stranger>(), 0u);
}

TEST(Formulas, AllOfEveryRegisteredBehaviourAreInTheTable) {
  std::size_t listed = 0;
  [&]<class... B>(TypeList<B...>) {
    ((listed += FormulasOfBehaviour<B>::type::size), ...);
    EXPECT_EQ(sizeof...(B), behaviour_registry().size());
  }(RegisteredBehaviours{});
  EXPECT_EQ(listed, PairFormulas::All::size);
}

/// Each is summed in one pass, the one it declares.
TEST(Formulas, PassesAreAsDeclared) {
  const auto bits_of = []<class... F>(TypeList<F...>) { return (PairFormulas::bit<F>() | ... | 0u); };
  unsigned seen = 0;
  const auto holds = [&]<Pass pass, class... F>() {
    const unsigned bits = bits_of(FormulasOf<pass, PairFormulas::All>{}), expected = bits_of(TypeList<F...>{});
    EXPECT_EQ(bits & expected, expected);
    EXPECT_EQ(bits & seen, 0u) << "in one pass only";
    seen |= bits;
  };
  holds.operator()<Pass::density, DensityRatioSum>();
  holds.operator()<Pass::gradient, NormalisedDensityRatio, DeformationRate, ExposedArea>();
  holds.operator()<Pass::rates, PressureForce, ViscousForce, StressForce, SmoothedMotion, HeatFlow>();
  holds.operator()<Pass::bonds, SpringForce>();
  holds.operator()<Pass::solve, ImplicitViscousForce>();
  EXPECT_EQ(std::popcount(seen), static_cast<int>(PairFormulas::All::size)) << "and every one in some pass";
}

TEST(Formulas, NoneActsUntilItIsSet) {
  const PairFormulas table;
  EXPECT_EQ(table.active_bits(), 0u);
  EXPECT_EQ(table.acting_on(0), 0u);
  EXPECT_FALSE(table.any<Pass::density>() || table.any<Pass::rates>() || table.any<Pass::solve>());
}

TEST(Formulas, ActOnTheObjectsOfTheirBehaviour) {
  const std::uint8_t water[] = {1, 0, 0}, jelly[] = {0, 1, 0};
  PairFormulas table;
  PressureForce pressure;
  static_cast<Formula&>(pressure) = {true, false, {}, water};
  table.set(pressure);
  SpringForce spring;
  static_cast<Formula&>(spring) = {true, false, {}, jelly};
  table.set(spring);
  // Without a list it acts on all.
  SmoothedMotion motion;
  static_cast<Formula&>(motion) = {true, true, {}, nullptr};
  table.set(motion);
  // What is not active acts on none.
  HeatFlow heat;
  heat.objects = water;
  table.set(heat);

  const unsigned motion_bit = PairFormulas::bit<SmoothedMotion>();
  EXPECT_EQ(table.acting_on(0), PairFormulas::bit<PressureForce>() | motion_bit);
  EXPECT_EQ(table.acting_on(1), PairFormulas::bit<SpringForce>() | motion_bit);
  EXPECT_EQ(table.acting_on(2), motion_bit);
  EXPECT_EQ(table.active_bits(), table.acting_on(0) | table.acting_on(1));
  EXPECT_TRUE(table.any<Pass::rates>());
  EXPECT_TRUE(table.any<Pass::bonds>());
  EXPECT_FALSE(table.any<Pass::density>());
  EXPECT_FALSE(table.any<Pass::solve>());
  EXPECT_EQ(table.get<PressureForce>().objects, water);
}

/// A formula that is derived from another has its own place: what is solved for is not also an explicit force.
TEST(Formulas, ADerivedFormulaIsNotItsBase) {
  PairFormulas table;
  ViscousForce force;
  force.active = true;
  table.set(ImplicitViscousForce{force});
  EXPECT_EQ(table.active_bits(), PairFormulas::bit<ImplicitViscousForce>());
  EXPECT_FALSE(table.get<ViscousForce>().active);
  EXPECT_TRUE(table.any<Pass::solve>());
  EXPECT_FALSE(table.any<Pass::rates>());
}

}  // namespace
}  // namespace fondue
