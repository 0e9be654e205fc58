// Heat against exact solutions and the laws it keeps. Where nothing is said of motion, particles rest on a lattice: a
// slow sound lets steps be as long as conduction allows.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <cstring>

#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "cache/statistics.h"
#include "support/setups.h"

namespace fondue::test_heat {
namespace {

using namespace testing_support;

/// Diffusivity 1 at density 1.
std::vector<Track> resting_matter(std::initializer_list<Given> heat = {}) {
  Track conducts = track("heat", heat);
  for (const Parameter* p : {&Heat::conductivity, &Heat::heat_capacity})
    if (!conducts.values.given(*p)) conducts.values.set(*p, Keyable<float>(1.0f));
  return {track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 1e-3}}), conducts};
}

/// A bar from x = 0 to 1 between two blocks, endless across.
WorldSetup bar(int dimension, float dx, float support_ratio, float temperature, std::optional<float> left,
               std::optional<float> right) {
  WorldSetup setup = world_setup(dimension, dx);
  setup.support_ratio = support_ratio;
  const float width = 8 * dx, thick = dimension == 3 ? width : infinity;
  const float depth = dimension == 3 ? width : 0;
  setup.domain = Box{Vec3(-0.5f, 0, 0), Vec3(1.5f, width, depth)};
  setup.periodic = {false, true, dimension == 3};
  setup.objects.push_back(
      object("bar", make_box(Vec3(0, 0, dimension == 3 ? 0 : -infinity), Vec3(1, width, thick)), dx, resting_matter()));
  setup.objects[0].initial.set(columns::temperature, temperature);
  const Vec3 far = Vec3::Constant(2);
  setup.colliders.push_back(solid("left", make_box(Vec3(-0.5f, -far.y(), -far.z()), Vec3(0, 2, 2))));
  setup.colliders.push_back(solid("right", make_box(Vec3(1, -far.y(), -far.z()), Vec3(1.5f, 2, 2))));
  if (left) setup.colliders[0].temperature = *left;
  if (right) setup.colliders[1].temperature = *right;
  return setup;
}

/// Mean temperature of the particles within a distance of x.
double temperature_at(const World& world, double x, double within) {
  const auto position = world.particles()[columns::position];
  const auto T = world.particles()[columns::temperature];
  double sum = 0, count = 0;
  for (std::size_t i = 0; i != T.size(); ++i)
    if (std::abs(position[i].x() - x) < within) {
      sum += T[i];
      count += 1;
    }
  return sum / count;
}

std::pair<float, float> extremes(const World& world) {
  const auto T = world.particles()[columns::temperature];
  const auto [low, high] = std::ranges::minmax_element(T);
  return {*low, *high};
}

/// Second order in the spacing: 1e-3 of the step at 40 particles a unit. With R = 3 dx one layer of boundary particles
/// stands for three, right in the sum over all rows it reaches, not in each.
TEST(HeatConduction, HalfSpaceFollowsTheErrorFunction) {
  for (const float ratio : {2.0f, 3.0f}) {
    constexpr float dx = 1.0f / 40;
    World world(bar(2, dx, ratio, 300, 400, std::nullopt));
    run_until(world, 0.04);
    for (const auto& [at, expected] :
         {std::pair{.25, .72367}, std::pair{.5, .47950}, std::pair{1., .15730}, std::pair{1.5, .03390}}) {
      const double got = (temperature_at(world, 0.4 * at, dx) - 300) / 100;
      EXPECT_NEAR(got, expected, ratio == 2 ? 1.5e-3 : 6e-3) << "x/(2 sqrt(alpha t)) = " << at << ", R/dx = " << ratio;
    }
  }
}

TEST(HeatConduction, SlabBetweenColdFacesCoolsAsTheSeriesSays) {
  for (const int dimension : {2, 3}) {
    const float dx = dimension == 2 ? 1.0f / 24 : 1.0f / 12;
    World world(bar(dimension, dx, 2, 400, 300, 300));
    for (const auto& [fourier, expected] :
         {std::pair{.1, .9493}, std::pair{.2, .7723}, std::pair{.5, .3708}, std::pair{1., .1080}}) {
      run_until(world, 0.25 * fourier);
      // The two rows beside the middle lie half a spacing off it, which is what most of this is.
      const double got = (temperature_at(world, 0.5, dx) - 300) / 100;
      EXPECT_NEAR(got, expected, dimension == 2 ? 4e-3 : 1.2e-2) << "Fo = " << fourier << " in " << dimension << "D";
    }
  }
}

TEST(HeatConduction, ASteadyFlowThroughTwoMaterialsDropsAsTheirResistances) {
  WorldSetup setup = bar(2, 1.0f / 20, 2, 300, 400, 300);
  ObjectSetup other = setup.objects[0];
  setup.objects[0].shape = rectangle(0, 0, 0.5f, 0.4f);
  other.name = "other";
  other.shape = rectangle(0.5f, 0, 1, 0.4f);
  other.tracks = resting_matter({{Heat::conductivity, 4}});
  setup.objects.push_back(other);
  World world(setup);
  run_until(world, 0.6);
  // The resistances are 0.5 and 0.125: the contact lies at 320 K.
  const double before = temperature_at(world, 0.475, 0.01), after = temperature_at(world, 0.525, 0.01);
  EXPECT_NEAR(before, 320 + 80 * 0.05, 1);
  EXPECT_NEAR(after, 320 - 20 * 0.05, 1);
}

/// Sloshing in an insulated tank, two fluids of different density, conductivity, heat capacity and temperature.
WorldSetup tank(int dimension, std::initializer_list<Given> of_the_first = {}) {
  const float dx = dimension == 2 ? 0.04f : 0.1f;
  const auto box = [&](float x0, float x1, float height) {
    return dimension == 2 ? rectangle(x0, 0, x1, height) : make_box(Vec3(x0, 0, 0), Vec3(x1, 0.5f, height));
  };
  WorldSetup setup = world_setup(dimension, dx);
  Track heat = track("heat", {{Heat::conductivity, 1e5}, {Heat::heat_capacity, 1000}});
  for (const Given& given : of_the_first) heat.values.set(*given.parameter, given.number);
  setup.objects.push_back(object("left", box(0, 0.5f, 0.8f), dx, {track("gravity"), track("fluid"), heat}));
  setup.objects.push_back(object("right", box(0.5f, 1, 0.5f), dx,
                                 {track("gravity"), track("fluid", {{Fluid::rest_density, 600}}),
                                  track("heat", {{Heat::conductivity, 2e4}, {Heat::heat_capacity, 400}})}));
  setup.objects[0].initial.set(columns::temperature, 2000.0f);
  setup.objects[1].initial.set(columns::temperature, 0.0f);
  setup.colliders.push_back(container("tank", box(0, 1, 1), 1));
  return setup;
}

TEST(HeatConservation, AClosedBoxKeepsItsHeatAndMakesNoNewExtremes) {
  for (const int dimension : {2, 3})
    for (const bool melts : {false, true}) {
      World world(melts ? tank(dimension, {{Heat::latent_heat, 5e5}, {Heat::melting_point, 1900}}) : tank(dimension));
      const double before = measure(world)["heat"];
      ASSERT_GT(before, 0);
      while (world.time() < 0.3) {
        world.step(0.3);
        const auto [low, high] = extremes(world);
        ASSERT_GE(low, 0.0f);
        ASSERT_LE(high, 2000.0f);
      }
      EXPECT_GT(temperature_at(world, 0.9, 0.1), 5) << "heat has come to the right";
      // Each flow is rounded to 1e-7 of itself, by either sign; a temperature alone would lose 1e-7 per step.
      EXPECT_NEAR(measure(world)["heat"] / before, 1, 1e-8) << dimension << "D" << (melts ? ", melting" : "");
    }
}

TEST(HeatConservation, IndividualStepsKeepHeatApproximately) {
  WorldSetup setup = tank(2);
  setup.individual_steps = true;
  // Half the size: shorter steps.
  setup.objects[1].spacing = 0.02f;
  World world(setup);
  const double before = measure(world)["heat"];
  for (int frame = 1; frame <= 5; ++frame) run_until(world, frame * setup.frame_seconds);
  EXPECT_NEAR(measure(world)["heat"] / before, 1, 1e-3);
}

TEST(HeatConservation, OneAndTwoThreadsGiveTheSameBits) {
  std::vector<std::vector<float>> results;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    World world(tank(2, {{Heat::latent_heat, 5e5}, {Heat::melting_point, 1900}, {Heat::surface_transfer, 100}}));
    run_until(world, 0.05);
    const auto T = world.particles()[columns::temperature];
    results.emplace_back(T.begin(), T.end());
  }
  EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), results[0].size() * sizeof(float)), 0);
}

/// One step of every kind of loop; they differ by rounding alone.
TEST(HeatConduction, FastLoopsGiveWhatThePlainTwinGives) {
  const auto warmed = [](const PairLoops& loops) {
    WorldSetup setup = tank(3, {{Heat::surface_transfer, 1000}});
    setup.colliders[0].temperature = 700.0f;
    setup.objects[1].spacing = 0.07f;
    setup.objects[0].filling = setup.objects[1].filling = Filling::blue_noise;
    World world(setup, loops);
    world.step(1);
    std::vector<float> T(world.particles().next_id());
    for (Index i = 0; i != world.particles().size(); ++i)
      T[world.particles()[columns::id][i]] = world.particles()[columns::temperature][i];
    return T;
  };
  const std::vector<float> plain = warmed(plain_twin());
  EXPECT_GT(*std::ranges::max_element(plain), *std::ranges::min_element(plain) + 100);
  for (const PairLoops* loops : available_pair_loops()) {
    const std::vector<float> fast = warmed(*loops);
    ASSERT_EQ(fast.size(), plain.size());
    for (std::size_t i = 0; i != plain.size(); ++i) ASSERT_NEAR(fast[i], plain[i], 2e-3f) << loops->name;
  }
}

/// A block in vacuum: its surface gives h A (T - T_ambient). The edges count for less than both their sides.
TEST(SurfaceCooling, ABlockLosesHeatThroughItsArea) {
  for (const int dimension : {2, 3})
    for (const float ratio : {2.0f, 3.0f}) {
      constexpr float dx = 1.0f / 20, transfer = 0.05f;
      WorldSetup setup = world_setup(dimension, dx);
      setup.support_ratio = ratio;
      setup.objects.push_back(
          object("block", dimension == 2 ? rectangle(0, 0, 1, 1) : make_box(Vec3::Zero(), Vec3::Ones()), dx,
                 resting_matter({{Heat::surface_transfer, transfer}, {Heat::ambient_temperature, 300}})));
      setup.objects[0].initial.set(columns::temperature, 400.0f);
      setup.largest_step = 1e-5f;
      World world(setup);
      const double before = measure(world)["heat"];
      const int steps = 3;
      for (int k = 0; k != steps; ++k) world.step(1);
      const double loss = (before - measure(world)["heat"]) / world.time();
      const double expected = transfer * (dimension == 2 ? 4 : 6) * 100;
      EXPECT_NEAR(loss / expected, 1, 0.1) << dimension << "D, R/dx = " << ratio;
    }
}

TEST(SurfaceCooling, AtRestInATankOnlyTheFreeSurfaceCools) {
  for (const float ratio : {2.0f, 3.0f}) {
    constexpr float transfer = 1e4f;
    WorldSetup setup =
        tank(2, {{Heat::conductivity, 0}, {Heat::surface_transfer, transfer}, {Heat::ambient_temperature, 0}});
    setup.support_ratio = ratio;
    setup.objects.erase(setup.objects.begin() + 1);
    setup.objects[0].shape = rectangle(0, 0, 1, 0.6f);
    setup.objects[0].tracks.push_back(track("artificial_viscosity"));
    World world(setup);
    run_until(world, 0.5);
    const auto x = world.particles()[columns::position];
    const auto T = world.particles()[columns::temperature];
    double inside = 0, all = 0;
    for (std::size_t i = 0; i != T.size(); ++i) {
      all += 2000 - T[i];
      if (x[i].y() < 0.4f) inside += 2000 - T[i];
    }
    // A unit of area, 0.6 of volume; the surface cools a little as it goes, and draws together, with a wider support
    // more so.
    const double expected = transfer * 2000 * 0.5 / (0.6 * 1000 * 1000) * static_cast<double>(T.size());
    EXPECT_NEAR(all / expected, 1, ratio == 2 ? 0.1 : 0.2) << "R/dx = " << ratio;
    // With a wider support one layer of boundary particles does not cover quite as three would.
    EXPECT_LT(inside, (ratio == 2 ? 0.01 : 0.1) * expected) << "R/dx = " << ratio;
  }
}

TEST(LatentHeat, IsTakenUpAndGivenBackExactly) {
  const ThermalMaterial ice{2000, 334000, 273};
  ThermalState state{250, 0, 0};
  const double start = heat_content(state, ice);
  absorb(state, ice, 23 * 2000 + 0.25 * 334000);
  EXPECT_EQ(state.temperature, 273);
  EXPECT_FLOAT_EQ(state.melted, 0.25f);
  absorb(state, ice, 0.75 * 334000 + 10 * 2000);
  EXPECT_FLOAT_EQ(state.temperature, 283);
  EXPECT_EQ(state.melted, 1);
  // All of it in one step, both ways.
  absorb(state, ice, -(33 * 2000 + 334000.0));
  EXPECT_FLOAT_EQ(state.temperature, 250);
  EXPECT_EQ(state.melted, 0);
  // A million steps too small for a float.
  for (int k = 0; k != 1000000; ++k) absorb(state, ice, 0.01);
  EXPECT_NEAR(heat_content(state, ice) - start, 10000, 1e-3) << "2e-9 of what is there";
  EXPECT_NEAR(state.temperature, 255, 1e-4);
}

TEST(LatentHeat, RelaxationIsExactHoweverItIsDivided) {
  const ThermalMaterial wax{2000, 20000, 330};
  for (const double target : {0.0, 300.0, 330.0, 331.0, 500.0})
    for (const float start : {290.0f, 330.0f, 400.0f}) {
      ThermalState once{start, wax.melted_at(start), 0}, often = once;
      relax(once, wax, target, 2);
      for (int k = 0; k != 1000; ++k) relax(often, wax, target, 0.002);
      EXPECT_NEAR(once.temperature, often.temperature, 1e-3) << start << " to " << target;
      EXPECT_NEAR(once.melted, often.melted, 1e-5) << start << " to " << target;
      EXPECT_GE(once.temperature, std::min<double>(start, target));
      EXPECT_LE(once.temperature, std::max<double>(start, target));
      relax(once, wax, target, 1e9);
      EXPECT_NEAR(once.temperature, target, 1e-4) << "and ends there";
    }
}

/// Stefan's problem: a solid at its melting point beside a hot wall; the front is at 2 lambda sqrt(alpha t) with
/// sqrt(pi) lambda exp(lambda^2) erf(lambda) = c (T_wall - T_melt)/L, here lambda = 0.6201 for 1.
TEST(LatentHeat, TheFrontOfStefansProblemGrowsAsTheRootOfTime) {
  constexpr float dx = 1.0f / 40;
  WorldSetup setup = bar(2, dx, 2, 300, 400, std::nullopt);
  setup.objects[0].tracks = resting_matter({{Heat::latent_heat, 100}, {Heat::melting_point, 300}});
  World world(setup);
  for (const double time : {0.04, 0.09, 0.16}) {
    run_until(world, time);
    double melted = 0;
    for (const float share : world.particles()[columns::melted]) melted += share;
    const double front = melted / world.particles().size();
    EXPECT_NEAR(front, 2 * 0.6201 * std::sqrt(time), 0.1 * dx) << "at " << time;
  }
}

TEST(HotRegions, ApproachTheirTemperatureAndNeverPassIt) {
  for (const double rate : {3.0, 1e6}) {
    WorldSetup setup = world_setup(2, 0.1f);
    setup.objects.push_back(
        object("disc", make_sphere(Vec3::Zero(), 0.5f), 0.1f, resting_matter({{Heat::conductivity, 0}})));
    setup.objects[0].initial.set(columns::temperature, 300.0f);
    RegionSetup flame;
    flame.name = "flame";
    flame.behaviour = Heat::description.name;
    flame.shape = make_sphere(Vec3(-10, 0, 0), 1.0f);
    // It comes after one second.
    flame.motion.position =
        Keyable<Vec3>(Curve<Vec3>({0, 1}, {Vec3::Zero(), Vec3(10, 0, 0)}, Interpolation::step), "time");
    flame.values.set(Heat::region_temperature, Keyable<float>(1000.0f));
    flame.values.set(Heat::region_rate, Keyable<float>(static_cast<float>(rate)));
    setup.regions.push_back(flame);
    setup.largest_step = 0.1f;
    World world(setup);
    run_until(world, 0.9);
    EXPECT_EQ(extremes(world).second, 300);
    run_until(world, 0.9999);
    run_until(world, 2);
    // All steps that end at a time of 1 or later are inside.
    const auto [low, high] = extremes(world);
    EXPECT_NEAR(low, 1000 - 700 * std::exp(-rate * 1.0001), 0.1);
    EXPECT_LE(high, 1000);
  }
}

TEST(HeatedObjects, TemperatureOverThePlaceIsThatOfTheStart) {
  WorldSetup setup = world_setup(2, 0.1f);
  setup.objects.push_back(object("strip", rectangle(0, 0, 1, 0.3f), 0.1f, resting_matter()));
  setup.objects[0].initial.set(columns::temperature,
                               Keyable<float>(Curve<float>({0, 1}, {300, 400}, Interpolation::linear), "x"));
  const World world(setup);
  const auto x = world.particles()[columns::position];
  const auto T = world.particles()[columns::temperature];
  for (std::size_t i = 0; i != T.size(); ++i) EXPECT_NEAR(T[i], 300 + 100 * x[i].x(), 1e-3);
}

}  // namespace
}  // namespace fondue::test_heat
