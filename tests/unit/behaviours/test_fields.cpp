// Fields and kinds: particles are of one kind if they belong to one object, and a kind is uniform while everything that
// is read for it has one value.

#include <gtest/gtest.h>

#include <numeric>

#include "behaviours/fields.h"

namespace fondue {
namespace {

using Flags = std::vector<std::uint8_t>;

/// Particles in slots of another order, and the objects they belong to.
struct Matter {
  std::vector<Index> order, object;
  Index objects;
  Fields fields;

  /// Two particles of each object, slots in the opposite order.
  explicit Matter(Index count) : objects(count) {
    for (Index i = 0; i != 2 * count; ++i) object.push_back(i / 2);
    order.resize(object.size());
    std::iota(order.rbegin(), order.rend(), 0);
    fields.begin(slots(), object, objects);
  }
  Slots slots() const { return {0, static_cast<Index>(order.size()), order}; }
  Flags uniform() const { return {fields.uniform_kinds().begin(), fields.uniform_kinds().end()}; }
  /// A field that differs between the particles of one object only.
  Field varying_in(Index which) {
    return fields.of(true, [&](Index i) { return object[i] == which ? static_cast<float>(i) : 7.0f; });
  }
  /// Values by object.
  Property<float> property(const std::vector<float>& values) const { return {values, object}; }
};

TEST(Fields, AKindIsAnObject) {
  const Matter matter(3);
  // The last particle is in the first slot.
  EXPECT_EQ(Flags(matter.fields.kinds().begin(), matter.fields.kinds().end()), (Flags{2, 2, 1, 1, 0, 0}));
  EXPECT_EQ(matter.uniform(), (Flags{1, 1, 1}));
}

TEST(Fields, OneObjectNeedsNoKinds) {
  Matter matter(1);
  EXPECT_TRUE(matter.fields.kinds().empty());
  EXPECT_EQ(matter.uniform(), Flags{1});
  matter.varying_in(0);
  EXPECT_EQ(matter.uniform(), Flags{0});
}

TEST(Fields, AreInTheOrderOfTheSlots) {
  Matter matter(2);
  const Field field = matter.fields.of(true, [](Index i) { return static_cast<float>(i); });
  EXPECT_EQ(field.stride, 1u);
  for (Index k = 0; k != 4; ++k) EXPECT_EQ(field.values[k], static_cast<float>(matter.order[k]));
}

TEST(Fields, WhatIsTheSameForAllIsOneValue) {
  Matter matter(2);
  const std::vector<float> column(4, 5.0f);
  for (const Field& field : {matter.fields.of(false, [](Index) { return 5.0f; }), matter.fields.column(column),
                             matter.fields.property(matter.property({5, 5}))}) {
    EXPECT_EQ(field.stride, 0u);
    EXPECT_EQ(field.values[0], 5);
  }
  EXPECT_EQ(matter.uniform(), (Flags{1, 1}));
}

TEST(Fields, AValuePerObjectLeavesItsKindsUniform) {
  Matter matter(3);
  const Field field = matter.fields.property(matter.property({1, 2, 3}));
  EXPECT_EQ(field.stride, 1u);
  EXPECT_EQ(matter.uniform(), (Flags{1, 1, 1}));
}

TEST(Fields, AKindWhoseValuesDifferIsNotUniform) {
  Matter matter(3);
  matter.varying_in(1);
  EXPECT_EQ(matter.uniform(), (Flags{1, 0, 1}));
  const std::vector<float> column = {1, 2, 3, 3, 4, 4};
  matter.fields.column(column);
  EXPECT_EQ(matter.uniform(), (Flags{0, 0, 1}));
}

TEST(Fields, WhatNobodyReadsForAnObjectLeavesItUniform) {
  Matter matter(3);
  const Flags readers = {1, 0, 1};
  matter.fields.made_for(readers);
  matter.varying_in(1);
  EXPECT_EQ(matter.uniform(), (Flags{1, 1, 1}));
  matter.varying_in(2);
  EXPECT_EQ(matter.uniform(), (Flags{1, 1, 0}));
  // Empty: read for all again.
  matter.fields.made_for({});
  matter.varying_in(1);
  EXPECT_EQ(matter.uniform(), (Flags{1, 0, 0}));
}

TEST(Fields, AnArrayToBeFilledLaterIsNotUniformForItsReaders) {
  Matter matter(3);
  const Flags readers = {0, 1, 0};
  matter.fields.made_for(readers);
  Field field;
  const std::span<float> values = matter.fields.array(field);
  EXPECT_EQ(values.size(), matter.order.size());
  EXPECT_EQ(values.data(), field.values);
  EXPECT_EQ(matter.uniform(), (Flags{1, 0, 1}));
}

TEST(Fields, AWeightBetweenZeroAndOneIsNotUniform) {
  Matter matter(4);
  matter.fields.weight(matter.property({0, 0.5f, 1, 1}));
  EXPECT_EQ(matter.uniform(), (Flags{1, 0, 1, 1}));
  const Flags readers = {1, 1, 1, 0};
  matter.fields.made_for(readers);
  matter.fields.weight(matter.property({1, 1, 1, 0.25f}));
  EXPECT_EQ(matter.uniform(), (Flags{1, 0, 1, 1}));
}

/// Weights that are curves over an attribute are values per particle.
TEST(Fields, WeightsThatDifferWithinAnObjectAreNotUniform) {
  Matter matter(2);
  const std::vector<float> by_particle = {0, 1, 1, 1};
  matter.fields.weight(Property<float>(by_particle, {}));
  EXPECT_EQ(matter.uniform(), (Flags{0, 1}));
}

TEST(Fields, AWeightOfOneObjectAloneCountsToo) {
  Matter half(1), one(1);
  half.fields.weight(half.property({0.5f}));
  EXPECT_EQ(half.uniform(), Flags{0});
  one.fields.weight(one.property({1}));
  EXPECT_EQ(one.uniform(), Flags{1});
}

TEST(Fields, BeginStartsOver) {
  Matter matter(2);
  const Flags readers = {1, 0};
  matter.fields.made_for(readers);
  matter.varying_in(0);
  matter.fields.begin(matter.slots(), matter.object, matter.objects);
  EXPECT_EQ(matter.uniform(), (Flags{1, 1}));
  // Nor does it remember who read the fields before.
  matter.varying_in(1);
  EXPECT_EQ(matter.uniform(), (Flags{1, 0}));
}

TEST(Fields, ObjectsBeyondTheLastKindShareItAndItIsNeverUniform) {
  Matter matter(300);
  const Index last = Fields::most_kinds - 1;
  EXPECT_EQ(matter.fields.kind_of(last - 1), last - 1);
  EXPECT_EQ(matter.fields.kind_of(last), last);
  EXPECT_EQ(matter.fields.kind_of(299), last);
  const Flags uniform = matter.uniform();
  ASSERT_EQ(uniform.size(), Fields::most_kinds);
  EXPECT_EQ(std::accumulate(uniform.begin(), uniform.end(), 0), 255);
  EXPECT_EQ(uniform.back(), 0);
  EXPECT_EQ(matter.fields.kinds().front(), last) << "of object 299";
  EXPECT_EQ(matter.fields.kinds().back(), 0) << "of object 0";
}

TEST(Fields, OneObjectLessThanKindsAreAllUniform) {
  const Matter matter(255);
  const Flags uniform = matter.uniform();
  EXPECT_EQ(std::accumulate(uniform.begin(), uniform.end(), 0), 255);
}

TEST(Fields, UniformSeesOneDifferentValueAmongMany) {
  std::vector<float> values(10000, 1.0f);
  EXPECT_TRUE(uniform(values));
  EXPECT_TRUE(uniform({}));
  for (const std::size_t k : {0u, 4095u, 4096u, 9999u}) {
    values[k] = 2;
    EXPECT_FALSE(uniform(values)) << k;
    values[k] = 1;
  }
}

}  // namespace
}  // namespace fondue
