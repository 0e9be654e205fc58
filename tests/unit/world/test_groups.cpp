// Which formulas act is chosen group by group: water beside matter that is no fluid runs in the loops of pure water,
// except where they touch.

#include <gtest/gtest.h>

#include <cmath>

#include "behaviours/drag.h"
#include "behaviours/fluid.h"
#include "core/random.h"
#include "support/setups.h"

namespace fondue::test_groups {
namespace {

using namespace testing_support;

constexpr float dx = 0.05f;

/// Water from x = 0 to 0.95, and other matter up to 1.4. An odd number of layers, so that some groups hold both.
WorldSetup beside(int dimension, bool with_other) {
  WorldSetup setup = world_setup(dimension, dx);
  const auto block = [&](float x0, float x1) {
    return dimension == 2 ? rectangle(x0, 0, x1, 0.6f) : make_box(Vec3(x0, 0, 0), Vec3(x1, 0.3f, 0.3f));
  };
  setup.objects.push_back(
      object("water", block(0, 0.95f), dx,
             {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 20}}), track("artificial_viscosity")}));
  if (with_other) {
    setup.objects.push_back(object("jelly", block(0.95f, 1.2f), dx, {track("gravity"), track("springs")}));
    setup.objects.push_back(object("dust", block(1.2f, 1.4f), dx, {track("gravity"), track("drag")}));
  }
  return setup;
}

/// Moves everything out of its lattice, by id; what is water is the same with and without the other matter.
void disorder(World& world) {
  const Vec3 flat(1, 1, world.setup().dimension == 2 ? 0.0f : 1.0f);
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Vec3 way = (2 * random_point(3, i) - Vec3::Ones()).cwiseProduct(flat);
    world.particles()[columns::position][i] += 0.2f * dx * way;
    world.particles()[columns::velocity][i] = (2 * random_point(4, i) - Vec3::Ones()).cwiseProduct(flat);
  }
}

class Groups : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(In, Groups, testing::Values(2, 3),
                         [](const auto& in) { return std::to_string(in.param) + "D"; });

TEST_P(Groups, FastLoopsGiveTheAccelerationsOfThePlainTwin) {
  const auto rates = [](const PairLoops& loops) {
    World world(beside(GetParam(), true), loops);
    disorder(world);
    return rates_of(world);
  };
  const std::vector<Rates> plain = rates(plain_twin());
  double typical = 0;
  for (const Rates& r : plain) typical += r.acceleration.norm() / static_cast<double>(plain.size());
  for (const PairLoops* loops : available_pair_loops()) {
    const std::vector<Rates> fast = rates(*loops);
    // Single precision leaves 1e-7 of each term; pressure multiplies what it leaves in the density by its stiffness.
    for (std::size_t i = 0; i != plain.size(); ++i)
      EXPECT_LE((fast[i].acceleration - plain[i].acceleration).norm(), 1e-4 * typical) << loops->name << " id " << i;
  }
}

/// Two supports from the other matter nothing can tell that it is there: neither do the bits.
TEST_P(Groups, WaterFarFromOtherMatterHasTheBitsOfWaterAlone) {
  for (const PairLoops* loops : available_pair_loops()) {
    World alone(beside(GetParam(), false), *loops), both(beside(GetParam(), true), *loops);
    disorder(alone);
    disorder(both);
    const std::vector<Rates> expected = rates_of(alone), got = rates_of(both);
    const auto x = alone.particles()[columns::position];
    int far = 0;
    for (Index i = 0; i != alone.particles().size(); ++i) {
      if (x[i].x() > 1 - 3 * 2 * dx) continue;
      ++far;
      EXPECT_EQ(got[i].acceleration, expected[i].acceleration) << loops->name << " at " << x[i].transpose();
      EXPECT_EQ(both.particles()[columns::density][i], alone.particles()[columns::density][i]);
    }
    EXPECT_GT(far, 100);
  }
}

/// And over steps, as far as nothing has come: a pressure wave goes two supports per step at most.
TEST_P(Groups, TheBitsStayTheSameForSomeSteps) {
  std::vector<std::vector<Vec3>> positions;
  for (const bool with_other : {false, true}) {
    WorldSetup setup = beside(GetParam(), with_other);
    setup.largest_step = 2e-4f;
    World world(setup);
    disorder(world);
    world.evaluate();
    for (int k = 0; k != 3; ++k) world.step(2e-4 * (k + 1));
    ASSERT_EQ(world.steps(), 3u);
    std::vector<Vec3> by_id(world.particles().next_id());
    for (Index i = 0; i != world.particles().size(); ++i)
      by_id[world.particles()[columns::id][i]] = world.particles()[columns::position][i];
    positions.push_back(by_id);
  }
  int far = 0;
  for (std::size_t i = 0; i != positions[0].size(); ++i) {
    if (positions[0][i].x() > 1 - 8 * 2 * dx) continue;
    ++far;
    EXPECT_EQ(positions[0][i], positions[1][i]);
  }
  EXPECT_GT(far, 30);
}

/// Other matter that no formula couples with the water is not in the lists: the water's groups are uniform up to it.
TEST_P(Groups, OfPureWaterAreUniformAndThoseOfTwoKindsAreNot) {
  for (const PairLoops* loops : available_pair_loops()) {
    if (loops == &plain_twin()) continue;
    World world(beside(GetParam(), true), *loops);
    disorder(world);
    world.evaluate();
    const Neighbourhood& neighbourhood = world.neighbourhood();
    const auto object = [&](Index slot) {
      return world.particles()[columns::object][neighbourhood.slots().particle(slot)];
    };
    const unsigned water = PairFormulas::bit<DensityRatioSum>() | PairFormulas::bit<PressureForce>() |
                           PairFormulas::bit<ArtificialViscousForce>();
    const unsigned by_object[] = {water, PairFormulas::bit<SpringForce>(), 0};
    int of_one_kind = 0, of_two = 0;
    for (const Block& block : neighbourhood.blocks())
      for (Index g = 0; g != block.group_count; ++g) {
        const Group& group = block.groups[g];
        bool same = true;
        unsigned formulas = 0;
        for (Index slot = group.first; slot != group.first + group.count; ++slot) {
          same &= object(slot) == object(group.first);
          formulas |= by_object[object(slot)];
        }
        for (Index k = group.pairs_begin; k != group.pairs_end; ++k)
          EXPECT_NE(by_object[object(block.pairs.data()[k])] & formulas, 0u) << loops->name;
        EXPECT_EQ(group.formulas, formulas);
        EXPECT_EQ(group.uniform != 0, same);
        (same ? of_one_kind : of_two) += 1;
      }
    EXPECT_GT(of_one_kind, 0) << loops->name;
    EXPECT_GT(of_two, 0) << loops->name;
  }
}

/// A world of one water is uniform all over; one whose weight is between 0 and 1 is nowhere.
TEST_P(Groups, AFadingFluidIsNotUniform) {
  for (const float weight : {1.0f, 0.5f}) {
    WorldSetup setup = beside(GetParam(), false);
    setup.objects[0].tracks[1].weight = weight;
    const World world(setup, *available_pair_loops().front());
    for (const Block& block : world.neighbourhood().blocks())
      for (Index g = 0; g != block.group_count; ++g) EXPECT_EQ(block.groups[g].uniform != 0, weight == 1);
  }
}

/// More objects than there are kinds: the last ones share one, and still each has its own behaviours.
/// With the last objects, which share a kind, of all sorts; and of one that no formula acts on.
class ManyObjects : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(WithTheLast, ManyObjects, testing::Values(false, true),
                         [](const auto& in) { return in.param ? "withoutFormulas" : "ofAllSorts"; });

TEST_P(ManyObjects, ShareAKindAndKeepTheirBehaviours) {
  const auto rates = [](const PairLoops& loops) {
    WorldSetup setup = world_setup(2, 0.1f);
    for (int o = 0; o != 300; ++o) {
      // Scattered, so that the last are among the others.
      const int place = 7 * o % 300, sort = GetParam() && o >= 255 ? 2 : o % 3;
      const float x = 0.2f * static_cast<float>(place % 20), y = 0.2f * static_cast<float>(place / 20);
      std::vector<Track> tracks = {track("gravity")};
      if (sort == 0) tracks.push_back(track("fluid", {{Fluid::speed_of_sound, 10}, {Fluid::rest_density, 500 + o}}));
      if (sort == 1) tracks.push_back(track("springs"));
      if (sort == 2) tracks.push_back(track("drag", {{Drag::linear, o}}));
      setup.objects.push_back(
          object("square " + std::to_string(o), rectangle(x, y, x + 0.2f, y + 0.2f), 0.1f, std::move(tracks)));
    }
    World world(setup, loops);
    for (Index i = 0; i != world.particles().size(); ++i) {
      const Vec3 way = (2 * random_point(3, i) - Vec3::Ones()).cwiseProduct(Vec3(1, 1, 0));
      world.particles()[columns::position][i] += 0.02f * way;
      world.particles()[columns::velocity][i] = way;
    }
    return rates_of(world);
  };
  const std::vector<Rates> plain = rates(plain_twin());
  ASSERT_EQ(plain.size(), 1200u);
  double typical = 0;
  for (const Rates& r : plain) typical += r.acceleration.norm() / static_cast<double>(plain.size());
  for (const PairLoops* loops : available_pair_loops()) {
    const std::vector<Rates> fast = rates(*loops);
    for (std::size_t i = 0; i != plain.size(); ++i)
      EXPECT_LE((fast[i].acceleration - plain[i].acceleration).norm(), 1e-4 * typical) << loops->name << " id " << i;
  }
}

}  // namespace
}  // namespace fondue::test_groups
