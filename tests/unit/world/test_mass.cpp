// Mass and volume are state: what a particle weighs is decided when it is made. A run changes neither, but where a rest
// density is keyframed: then its volume follows, or its mass if the scene says so.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "behaviours/viscosity.h"
#include "core/random.h"
#include "support/setups.h"

namespace fondue::test_mass {
namespace {

using namespace testing_support;

Keyable<float> over_time(std::vector<double> keys, std::vector<float> values,
                         Interpolation how = Interpolation::linear) {
  return {Curve<float>(std::move(keys), std::move(values), how), "time"};
}

ShapePtr block(int dimension) {
  return dimension == 2 ? rectangle(0, 0, 0.6f, 0.6f) : make_box(Vec3::Zero(), Vec3::Constant(0.5f));
}

template <class T>
std::vector<T> by_id(const World& world, const Column<T>& column) {
  const auto id = world.particles()[columns::id];
  std::vector<T> result(world.particles().next_id());
  for (Index i = 0; i != id.size(); ++i) result[id[i]] = world.particles()[column][i];
  return result;
}

TEST(Mass, MatterWithoutFluidHasTheDensityOfItsObject) {
  for (const int dimension : {2, 3}) {
    WorldSetup setup = world_setup(dimension, 0.1f);
    setup.objects.push_back(object("jelly", block(dimension), 0.1f, {track("springs")}));
    setup.objects.back().density = 350;
    setup.objects.push_back(object("dust", block(dimension), 0.1f, {track("gravity")}));
    const World world(setup);
    const Particles& p = world.particles();
    double sum = 0;
    for (Index i = 0; i != p.size(); ++i) {
      EXPECT_EQ(p[columns::mass][i], setup.objects[p[columns::object][i]].density * p[columns::volume][i]);
      EXPECT_EQ(p[columns::density][i], setup.objects[p[columns::object][i]].density);
      sum += p[columns::mass][i];
    }
    // Volumes are those of an undisturbed lattice, in which the kernel sums to one: of a cell but for what the sum over
    // neighbours differs from the integral, 2 %.
    const double volume = dimension == 2 ? 0.36 : 0.125;
    EXPECT_NEAR(sum, 1350 * volume, 0.02 * 1350 * volume);
  }
}

TEST(Mass, ARestDensityCountsMoreThanTheDensityOfTheObject) {
  WorldSetup setup = world_setup(2, 0.1f);
  // Also while the weight of the fluid is zero.
  for (const float weight : {1.0f, 0.0f}) {
    setup.objects.push_back(object("water", block(2), 0.1f, {track("fluid", {{Fluid::rest_density, 800}}, weight)}));
    setup.objects.back().density = 350;
  }
  const World world(setup);
  const Particles& p = world.particles();
  for (Index i = 0; i != p.size(); ++i) EXPECT_EQ(p[columns::mass][i], 800 * p[columns::volume][i]);
}

/// A splash of everything: two fluids, one of them fading, and jelly.
TEST(Mass, NeverChangesInARun) {
  WorldSetup setup = world_setup(2, 0.05f);
  setup.objects.push_back(object("water", rectangle(0, 0, 0.5f, 0.6f), 0.05f,
                                 {track("gravity"), track("fluid"), track("artificial_viscosity"), track("xsph")}));
  setup.objects.push_back(
      object("oil", rectangle(0.5f, 0, 0.8f, 0.6f), 0.05f,
             {track("gravity"), track("fluid", {{Fluid::rest_density, 700}}, over_time({0, 0.1}, {1, 0})),
              track("viscosity")}));
  setup.objects.push_back(object("jelly", rectangle(0.8f, 0, 1, 0.3f), 0.05f, {track("gravity"), track("springs")}));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 1.5f, 1), 1));
  World world(setup);
  const auto m = by_id(world, columns::mass), V = by_id(world, columns::volume), R = by_id(world, columns::support);
  run_until(world, 0.2);
  EXPECT_GT(world.steps(), 50u);
  EXPECT_EQ(by_id(world, columns::mass), m);
  EXPECT_EQ(by_id(world, columns::volume), V);
  EXPECT_EQ(by_id(world, columns::support), R);
}

/// A block of fluid in free fall whose rest density is keyframed, and what becomes of it from step to step.
class KeyframedDensity : public testing::TestWithParam<int> {
 protected:
  World world(Keyable<float> rest_density, bool mass_follows) const {
    WorldSetup setup = world_setup(GetParam(), 0.1f);
    setup.largest_step = 1e-3f;
    setup.objects.push_back(object("wax", block(GetParam()), 0.1f,
                                   {track("fluid", {{Fluid::rest_density, std::move(rest_density)},
                                                    {Fluid::mass_follows_density, mass_follows ? 1 : 0},
                                                    {Fluid::speed_of_sound, 5},
                                                    {Fluid::state_equation, 2}})}));
    return World(setup);
  }
};

INSTANTIATE_TEST_SUITE_P(In, KeyframedDensity, testing::Values(2, 3),
                         [](const auto& in) { return std::to_string(in.param) + "D"; });

TEST_P(KeyframedDensity, ChangesTheVolumeSlowlyAndKeepsTheMass) {
  // A jump down, which volumes follow as fast as they may, and a slow way up, which they follow at once.
  const Keyable<float> jump = over_time({0.005, 0.0051, 0.3, 0.6}, {1000, 800, 800, 900});
  World world = this->world(jump, false);
  const auto m = by_id(world, columns::mass);
  const auto R0 = by_id(world, columns::support), V0 = by_id(world, columns::volume);
  auto before = V0;
  int on_the_way = 0;
  while (world.time() < 0.65) {
    world.step(0.65);
    const auto V = by_id(world, columns::volume), R = by_id(world, columns::support);
    ASSERT_EQ(by_id(world, columns::mass), m);
    bool arrived = true;
    for (std::size_t i = 0; i != V.size(); ++i) {
      // Single precision rounds a ratio to 1e-7.
      ASSERT_LE(std::abs(V[i] / before[i] - 1), 2e-3f + 2e-7f) << "at " << world.time();
      // R and V are multiplied step by step: 600 roundings of 6e-8 each.
      ASSERT_NEAR(std::pow(R[i] / R0[i], GetParam()) / (V[i] / V0[i]), 1, 4e-5);
      arrived &= std::abs(m[i] / V[i] / jump.at(world.time()) - 1) < 3e-6f;
    }
    if (world.time() > 0.0051 && world.time() < 0.3 && !arrived) ++on_the_way;
    if (world.time() > 0.25) {
      ASSERT_TRUE(arrived) << "at " << world.time();
    }
    before = V;
  }
  // 1.002^n = 1000/800 is reached with n = 112.
  EXPECT_NEAR(on_the_way, std::log(1000.0 / 800) / std::log(1.002), 2);
}

TEST_P(KeyframedDensity, ChangesTheMassInsteadWhereTheSceneSaysSo) {
  const Keyable<float> rest_density = over_time({0.005, 0.05}, {1000, 800});
  World world = this->world(rest_density, true);
  const auto V = by_id(world, columns::volume), R = by_id(world, columns::support);
  while (world.time() < 0.07) {
    world.step(0.07);
    ASSERT_EQ(by_id(world, columns::volume), V);
    ASSERT_EQ(by_id(world, columns::support), R);
    const auto m = by_id(world, columns::mass);
    for (std::size_t i = 0; i != V.size(); ++i)
      ASSERT_NEAR(m[i] / V[i], rest_density.at(world.time()), 1e-3) << "rounding of 1000";
  }
}

/// An evaluation is no step: asking for accelerations twice changes nothing that a run continues from.
TEST_P(KeyframedDensity, DoesNotChangeVolumesInAnEvaluation) {
  World world = this->world(over_time({0.005, 0.0051}, {1000, 800}), false);
  run_until(world, 0.01);
  const auto V = by_id(world, columns::volume), R = by_id(world, columns::support);
  world.evaluate();
  EXPECT_TRUE(by_id(world, columns::volume) == V);
  EXPECT_TRUE(by_id(world, columns::support) == R);
}

/// One material that becomes another: tracks of the same behaviour cross-fade, and with them the rest density.
TEST_P(KeyframedDensity, OfACrossFadeKeepsTheMassToo) {
  WorldSetup setup = world_setup(GetParam(), 0.1f);
  setup.largest_step = 1e-3f;
  const auto material = [](float rest_density, float from, float to) {
    return track("fluid", {{Fluid::rest_density, rest_density}, {Fluid::speed_of_sound, 5}, {Fluid::state_equation, 2}},
                 over_time({0, 0.2}, {from, to}));
  };
  setup.objects.push_back(object("wax", block(GetParam()), 0.1f, {material(1000, 1, 0), material(900, 0, 1)}));
  World world(setup);
  const auto m = by_id(world, columns::mass);
  run_until(world, 0.1);
  // It follows within a step, in which the density changes by 0.05 %.
  for (const float V : by_id(world, columns::volume)) EXPECT_NEAR(m[0] / V, 950, 0.5);
  run_until(world, 0.25);
  EXPECT_EQ(by_id(world, columns::mass), m);
  for (const float V : by_id(world, columns::volume)) EXPECT_NEAR(m[0] / V, 900, 3e-6 * 900);
}

/// The force of the pressure is that of the present mass: a closed system keeps its momentum while its volume changes.
TEST_P(KeyframedDensity, KeepsMomentumWhileVolumesChange) {
  World world = this->world(over_time({0.005, 0.0051}, {1000, 800}), false);
  double moved = 0;
  Vec3d momentum = Vec3d::Zero();
  while (world.time() < 0.1) world.step(0.1);
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Vec3d p = (world.particles()[columns::mass][i] * world.particles()[columns::velocity][i]).cast<double>();
    momentum += p;
    moved += p.norm();
  }
  ASSERT_GT(moved, 0.01);
  // 100 steps, each with the rounding of a sum of some dozens of terms (2e-5, tests/laws).
  EXPECT_LT(momentum.norm(), 1e-4 * moved);
}

/// Matter that was a fluid once has no stale density: what conducts, smooths or shears it acts as on matter that never
/// was one.
TEST(Mass, AFadedFluidLeavesNoStaleDensityBehind) {
  for (const int dimension : {2, 3})
    for (const PairLoops* loops : {available_pair_loops().front(), &plain_twin()}) {
      const auto setup = [&](bool with_fluid) {
        std::vector<Track> tracks = {track("viscosity", {{Viscosity::dynamic_viscosity, 5}, {Viscosity::scheme, 2}}),
                                     track("xsph"), track("heat", {{Heat::conductivity, 1e5}})};
        if (with_fluid)
          tracks.push_back(
              track("fluid", {{Fluid::speed_of_sound, 5}, {Fluid::rest_density, 900}}, over_time({0, 0.01}, {1, 0})));
        WorldSetup result = world_setup(dimension, 0.1f);
        result.objects.push_back(object("matter", block(dimension), 0.1f, std::move(tracks)));
        result.objects[0].density = 900;
        result.objects[0].initial.set(columns::temperature,
                                      Keyable<float>({Curve<float>({0, 0.5}, {300, 400}, Interpolation::linear), "x"}));
        return result;
      };
      World faded(setup(true), *loops), never(setup(false), *loops);
      ASSERT_EQ(faded.particles().size(), never.particles().size());
      // Compressed by a tenth while it is a fluid.
      for (Index i = 0; i != faded.particles().size(); ++i) {
        faded.particles()[columns::position][i] *= 0.96f;
        const Vec3 flat(1, 1, dimension == 2 ? 0.0f : 1.0f);
        faded.particles()[columns::velocity][i] = (random_point(5, i) - Vec3::Constant(0.5f)).cwiseProduct(flat);
      }
      faded.step(1e-4);
      ASSERT_GT(*std::ranges::max_element(faded.particles()[columns::density]), 950) << "a density that would be seen";
      run_until(faded, 0.02);
      const auto copy = [&](const auto& column) {
        const auto values = by_id(faded, column);
        std::ranges::copy(values, never.particles()[column].begin());
      };
      // The other world is in the order of its ids, since it has made no step.
      for (const auto& column : {columns::position, columns::velocity}) copy(column);
      for (const auto& column : {columns::temperature, columns::melted, columns::heat_remainder}) copy(column);
      EXPECT_EQ(by_id(faded, columns::mass), by_id(never, columns::mass));
      EXPECT_EQ(by_id(faded, columns::density), by_id(never, columns::density));
      const std::vector<Rates> got = rates_of(faded), expected = rates_of(never);
      double a = 0, drift = 0, heat = 0;
      for (const Rates& r : expected) {
        a = std::max<double>(a, r.acceleration.norm());
        drift = std::max<double>(drift, r.drift.norm());
        heat = std::max<double>(heat, std::abs(r.heat));
      }
      ASSERT_TRUE(a > 0 && drift > 0 && heat > 0);
      // The same sums over the same neighbours; heat is the difference of two contents, seen after a short step.
      for (std::size_t i = 0; i != got.size(); ++i) {
        EXPECT_LE((got[i].acceleration - expected[i].acceleration).norm(), 1e-6 * a);
        EXPECT_LE((got[i].drift - expected[i].drift).norm(), 1e-6 * drift);
        EXPECT_LE(std::abs(got[i].heat - expected[i].heat), 1e-4 * heat);
      }
    }
}

}  // namespace
}  // namespace fondue::test_mass
