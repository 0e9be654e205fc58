// Porous bodies and sand with free fluid: nothing is lost, nothing is pushed by what is soaked up, and what the fluid
// in the pores does to the body. The flow itself is tested in tests/unit/behaviours/test_pore_flow.cpp.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <numbers>

#include "behaviours/cloth.h"
#include "behaviours/drag.h"
#include "behaviours/elastic.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/inner_pressure.h"
#include "behaviours/porous.h"
#include "behaviours/sand.h"
#include "behaviours/surface_grip.h"
#include "simulation/simulation.h"
#include "support/bits.h"
#include "support/cloth.h"
#include "support/momenta.h"
#include "support/resumed.h"

namespace fondue::test_porous {
namespace {

using namespace testing_support;

/// Free, absorbed and evaporated fluid; object 0 is the fluid.
double fluid_mass(const World& world, Index fluid = 0) {
  const Particles& p = world.particles();
  double sum = 0;
  for (Index i = 0; i != p.size(); ++i) {
    if (p[columns::object][i] == fluid) sum += static_cast<double>(p[columns::mass][i]);
    sum += static_cast<double>(p[columns::absorbed_mass][i]) + static_cast<double>(p[columns::absorbed_remainder][i]) +
           static_cast<double>(p[columns::emission][i]) + static_cast<double>(p[columns::evaporated_mass][i]);
  }
  return sum;
}

double absorbed(const World& world) { return statistic(world, "absorbed fluid"); }

/// A sponge that drinks fast: the time scales of these tests are those of the water around it.
Track sponge(std::initializer_list<Given> more = {}) {
  Track result = track("porous", {{Porous::porosity, 0.7}, {Porous::permeability, 1e-9}});
  for (const Given& given : more) result.values.set(*given.parameter, given.number);
  return result;
}

/// A ball of water flies into a dry sponge in empty space.
WorldSetup drop_and_sponge(int dimension) {
  const float dx = 0.02f;
  WorldSetup setup = world_setup(dimension, dx);
  setup.objects.push_back(object("water", make_sphere(Vec3::Zero(), 0.1f), dx, {track("fluid")}));
  const float flat = dimension == 2 ? infinity : 0.12f;
  setup.objects.push_back(object("sponge", make_box(Vec3(0.115f, -0.16f, -flat), Vec3(0.235f, 0.16f, flat)), dx,
                                 {elastic(3e4, 0.2), sponge()}));
  setup.objects[0].velocity = Vec3(1, 0, 0);
  setup.objects[1].density = 300;
  return setup;
}

class Porousness : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(In, Porousness, testing::Values(2, 3), testing::PrintToStringParamName());

TEST_P(Porousness, AbsorptionKeepsMassAndMomentum) {
  World world(drop_and_sponge(GetParam()));
  const double mass = fluid_mass(world);
  const Vec3d p = momentum(world);
  run_until(world, GetParam() == 2 ? 0.4 : 0.15);
  EXPECT_GT(absorbed(world), 0.15 * mass) << "it drinks";
  EXPECT_NEAR(fluid_mass(world) / mass, 1, 1e-6);
  EXPECT_LT((momentum(world) - p).norm(), 2e-6 * p.norm());
  for (Index i = 0; i != world.particles().size(); ++i)
    EXPECT_EQ(world.particles()[columns::support][i], 0.04f) << "supports do not shrink";
}

/// The step is that of the same water and body without pores.
TEST_P(Porousness, AbsorptionDoesNotShortenTheStep) {
  const auto smallest_step = [&](bool porous) {
    WorldSetup setup = drop_and_sponge(GetParam());
    if (!porous) setup.objects[1].tracks.pop_back();
    World world(setup);
    double least = infinity;
    const double end = GetParam() == 2 ? 0.3 : 0.1;
    while (world.time() < end) {
      world.step(end);
      if (world.time() < end) least = std::min(least, world.last_step());
    }
    return least;
  };
  EXPECT_GT(smallest_step(true), 0.9 * smallest_step(false));
}

TEST_P(Porousness, OneAndTwoThreadsGiveTheSameBits) {
  std::vector<Bytes> results;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    World world(drop_and_sponge(GetParam()));
    run_until(world, 0.1);
    EXPECT_GT(absorbed(world), 0);
    results.push_back(bytes_of(world.particles()));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_P(Porousness, AResumedRunGoesOnWithTheSameBits) {
  expect_resumed_the_same(drop_and_sponge(GetParam()), 0.06, 0.1);
}

/// A soaked body that is squeezed between plates gives what no longer fits, and only that (L09 6.4).
TEST(Porousness, ASqueezedSpongeGivesWhatNoLongerFits) {
  const float dx = 0.02f;
  WorldSetup setup = world_setup(2, dx);
  // Somewhere in the scene is a drop of the fluid, so that there is something to be emitted.
  setup.objects.push_back(object("water", rectangle(-2, 0, -1.96f, 0.04f), dx, {track("fluid")}));
  setup.objects.push_back(
      object("sponge", rectangle(0, 0, 0.4f, 0.2f), dx,
             {elastic(1e5, 0.0), sponge({{Porous::capillary_strength, 100}, {Porous::permeability, 3e-8}})}));
  setup.objects[1].initial.set(columns::saturation, 1.0f);
  setup.objects[1].density = 300;
  setup.colliders.push_back(solid("floor", rectangle(-1, -0.2f, 1, 0), 1));
  ColliderSetup lid = solid("lid", rectangle(-1, 0.2f, 1, 0.4f), 1);
  lid.motion.position =
      Keyable<Vec3>(Curve<Vec3>({0.0, 0.4}, {Vec3(Vec3::Zero()), Vec3(0, -0.03f, 0)}, Interpolation::linear), "time");
  setup.colliders.push_back(lid);
  World world(setup);
  const double mass = fluid_mass(world), held = absorbed(world);
  run_until(world, 6.0);
  EXPECT_NEAR(fluid_mass(world) / mass, 1, 1e-6);
  double capacity = 0, rest = 0;
  const Particles& p = world.particles();
  for (Index i = 0; i != p.size(); ++i)
    if (p[columns::object][i] == 1) {
      capacity += 1000 * 0.7 * static_cast<double>(p[columns::volume][i] * p[columns::dilation][i]);
      rest += static_cast<double>(p[columns::absorbed_mass][i]);
    }
  EXPECT_NEAR(capacity / held, 0.85, 0.02) << "squeezed by 15 %";
  // What is left in the pores is what fits into them; capillarity holds back a little.
  EXPECT_NEAR(rest / capacity, 1, 0.01);
}

/// A light sponge floats while it is dry and goes down when it is full.
TEST(Porousness, ASoakedBodyIsHeavierAndSinks) {
  const float dx = 0.025f;
  std::vector<double> heights;
  for (const float saturation : {0.0f, 1.0f}) {
    WorldSetup setup = world_setup(2, dx);
    setup.objects.push_back(object("water", rectangle(0, 0, 0.8f, 0.4f), dx, {track("gravity"), track("fluid")}));
    setup.objects.push_back(object("sponge", rectangle(0.3f, 0.42f, 0.5f, 0.57f), dx,
                                   {track("gravity"), elastic(1e5, 0.3), sponge({{Porous::permeability, 1e-14}})}));
    setup.objects[1].density = 500;
    setup.objects[1].initial.set(columns::saturation, saturation);
    setup.colliders.push_back(container("tank", rectangle(0, 0, 0.8f, 1), 1));
    World world(setup);
    const double mass = fluid_mass(world);
    run_until(world, 1.2);
    heights.push_back(mean_of(
        world, [&](Index i) { return world.particles()[columns::object][i] == 1; },
        [&](Index i) { return world.particles()[columns::position][i].y(); }));
    EXPECT_NEAR(fluid_mass(world) / mass, 1, 1e-6);
  }
  EXPECT_GT(heights[0], 0.35) << "floats";
  EXPECT_LT(heights[1], 0.15) << "lies on the ground";
}

/// A brick, which is rigid, floats on water, soaks it up, and goes down in the shape that it had.
TEST(Porousness, ABrickSoaksUpWaterAndSinksInItsShape) {
  const float dx = 0.025f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("water", rectangle(0, 0, 0.8f, 0.4f), dx, {track("gravity"), track("fluid")}));
  setup.objects.push_back(object(
      "brick", rectangle(0.3f, 0.42f, 0.5f, 0.57f), dx,
      {track("gravity"), track("rigid"), sponge({{Porous::permeability, 1e-8}, {Porous::capillary_strength, 2000}})}));
  setup.objects[1].density = 700;
  setup.colliders.push_back(container("tank", rectangle(0, 0, 0.8f, 1), 1));
  World world(setup);
  const auto size_of = [&] {
    double sum = 0;
    std::vector<Vec3> x;
    for (Index i = 0; i != world.particles().size(); ++i)
      if (world.particles()[columns::object][i] == 1) x.push_back(world.particles()[columns::position][i]);
    for (const Vec3& a : x)
      for (const Vec3& b : x) sum += static_cast<double>((a - b).squaredNorm());
    return std::sqrt(sum) / static_cast<double>(x.size());
  };
  const double mass = fluid_mass(world), size = size_of();
  run_until(world, 2);
  EXPECT_NEAR(fluid_mass(world) / mass, 1, 1e-6);
  // Full, it has 1.2 to 1.4 times the density of water.
  EXPECT_GT(statistic(world, "mean saturation"), 0.95);
  EXPECT_LT(mean_of(
                world, [&](Index i) { return world.particles()[columns::object][i] == 1; },
                [&](Index i) { return world.particles()[columns::position][i].y(); }),
            0.15)
      << "lies on the ground";
  EXPECT_NEAR(size_of() / size, 1, 1e-5);
}

/// Fluid in the pores presses with share k_p S: a free body grows by that over 2 (lambda + mu) in each direction.
TEST(Porousness, PoresSwellTheBody) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(
      object("sponge", rectangle(0, 0, 0.5f, 0.5f), dx,
             {elastic(1e5, 0.25), sponge({{Porous::pore_pressure_constant, 5e4}, {Porous::stress_share, 0.2}}),
              track("drag", {{Drag::linear, 8}})}));
  setup.objects[0].initial.set(columns::saturation, 0.8f);
  World world(setup);
  run_until(world, 2);
  const double lambda = 1e5 * 0.25 / (1.25 * 0.5), shear = 1e5 / 2.5;
  // The larger pores are less full.
  double strain = 0;
  for (int k = 0; k != 20; ++k) strain = 0.2 * 5e4 * 0.8 / ((1 + strain) * (1 + strain)) / (2 * (lambda + shear));
  double low = infinity, high = -infinity;
  for (const Vec3& x : world.particles()[columns::position]) {
    low = std::min(low, static_cast<double>(x.x()));
    high = std::max(high, static_cast<double>(x.x()));
  }
  EXPECT_NEAR((high - low) / 0.45 - 1, strain, 0.03 * strain);
}

/// A modulus over saturation: a hanging strip stretches by rho g L^2/(2 E), with the mass and the modulus of wet
/// matter.
TEST(Porousness, WetMatterIsSofterWhereACurveSaysSo) {
  const float dx = 0.05f;
  std::vector<double> stretches;
  for (const float saturation : {0.0f, 1.0f}) {
    WorldSetup setup = world_setup(2, dx);
    Track body = elastic(1e5, 0);
    body.values.set(Elastic::youngs_modulus,
                    Keyable<float>(Curve<float>({0, 1}, {2e5f, 1e5f}, Interpolation::linear), "saturation"));
    setup.objects.push_back(
        object("strip", rectangle(0, 0, 0.2f, 1), dx,
               {track("gravity"), body, sponge({{Porous::permeability, 1e-16}}), track("drag", {{Drag::linear, 8}})}));
    setup.objects[0].density = 300;
    setup.objects[0].initial.set(columns::saturation, saturation);
    setup.pins.push_back({"top", rectangle(-1, 0.9f, 1, 1.1f), {}, {}, {}, 1.0f});
    World world(setup);
    run_until(world, 3);
    double low = infinity;
    for (const Vec3& x : world.particles()[columns::position]) low = std::min(low, static_cast<double>(x.y()));
    stretches.push_back(0.025 - low);
  }
  // (300 + 700) kg/m^2 at first on half the modulus; but stretched pores are larger, so less full and stiffer.
  const auto stretch = [](double density, bool wet) {
    double sum = 0;
    constexpr int parts = 100;
    for (int k = 0; k != parts; ++k) {
      const double load = density * 9.81 * (k + 0.5) / parts;
      double strain = 0;
      for (int round = 0; round != 20; ++round) strain = load / (2e5 - (wet ? 1e5 / (1 + strain) : 0));
      sum += strain / parts;
    }
    return sum;
  };
  EXPECT_NEAR(stretches[1] / stretches[0], stretch(1000, true) / stretch(300, false), 0.1);
}

/// Stretched pores hold less of what fits, compressed ones more, so a modulus over saturation follows the strain. A
/// body that bounces without damping must not live on that: it is never given more energy than it has at the start.
TEST(Porousness, AModulusThatFollowsTheStrainAddsNoEnergy) {
  const float dx = 0.02f;
  WorldSetup setup = world_setup(2, dx);
  Track body = elastic(1e5, 0.2);
  body.values.set(Elastic::youngs_modulus,
                  Keyable<float>(Curve<float>({0.3, 0.7}, {2e5f, 2e4f}, Interpolation::linear), "saturation"));
  setup.objects.push_back(object("sponge", rectangle(0, 0.3f, 0.3f, 0.6f), dx,
                                 {track("gravity"), body, sponge({{Porous::permeability, 1e-16}})}));
  setup.objects[0].density = 300;
  setup.objects[0].initial.set(columns::saturation, 0.6f);
  setup.colliders.push_back(solid("floor", rectangle(-1, -0.2f, 1.3f, 0), 1));
  World world(setup);
  const auto total = [&] {
    return kinetic_energy(world) + statistic(world, "potential energy") + statistic(world, "elastic energy");
  };
  const double start = total();
  double most = 0, squashed = 0;
  while (world.time() < 1) {
    world.step(1);
    most = std::max(most, total());
    squashed = std::max(squashed, statistic(world, "elastic energy"));
    ASSERT_LT(most, 1.02 * start) << "at " << world.time();
  }
  EXPECT_GT(squashed, 0.02 * start) << "it did meet the floor";
}

/// Cohesion over saturation (L09 6.12): a moist column stands where a dry one and a soaked one fall.
TEST(Porousness, MoistSandStandsWhereDryAndSoakedSandFalls) {
  const float dx = 0.02f;
  std::vector<double> heights;
  for (const float saturation : {0.0f, 0.4f, 1.0f}) {
    WorldSetup setup = world_setup(2, dx);
    Track sand = track("sand");
    sand.values.set(Sand::cohesion,
                    Keyable<float>(Curve<float>({0, 0.4, 1}, {0, 2000, 0}, Interpolation::linear), "saturation"));
    sand.values.set(Sand::friction_angle,
                    Keyable<float>(Curve<float>({0.4, 1}, {30, 0}, Interpolation::linear), "saturation"));
    setup.objects.push_back(object("sand", rectangle(0, 0, 0.2f, 0.4f), dx,
                                   {track("gravity"), track("fluid", {{Fluid::rest_density, 1600}}), sand,
                                    sponge({{Porous::porosity, 0.4}, {Porous::permeability, 1e-13}})}));
    setup.objects[0].initial.set(columns::saturation, saturation);
    setup.colliders.push_back(solid("floor", rectangle(-2, -0.2f, 2, 0)));
    World world(setup);
    run_until(world, 0.7);
    double high = 0;
    for (const Vec3& x : world.particles()[columns::position]) high = std::max(high, static_cast<double>(x.y()));
    heights.push_back(high);
  }
  EXPECT_LT(heights[0], 0.3) << "dry";
  EXPECT_GT(heights[1], 0.37) << "moist";
  EXPECT_LT(heights[2], 0.2) << "mud";
}

/// Cloth whose surface holds on the more the wetter it is, with as much in its pores as it weighs.
WorldSetup wet_or_dry_cloth(float saturation, const Vec3& place) {
  WorldSetup setup = flat_cloth(0.2f, 0.2f, 0.02f);
  ObjectSetup& cloth = setup.objects[0];
  cloth.shape = make_rectangle(place, 0.2f, 0.2f);
  const auto over = [&](const Parameter& parameter, float dry, float wet) {
    cloth.tracks[0].values.set(parameter,
                               Keyable<float>(Curve<float>({0, 1}, {dry, wet}, Interpolation::linear), "saturation"));
  };
  over(Cloth::friction, 0.1f, 1);
  over(Cloth::adhesion, 0, 20);
  cloth.tracks.push_back(track("gravity"));
  cloth.tracks.push_back(sponge({{Porous::porosity, 0.5}, {Porous::permeability, 1e-14}}));
  cloth.initial.set(columns::saturation, saturation);
  return setup;
}

/// Wet cloth of 4 Pa under a ceiling stays there by its adhesion of 20 Pa; dry cloth falls (L09 6.8).
TEST(Porousness, WetClothSticksAndDryClothFalls) {
  for (const float saturation : {0.0f, 1.0f}) {
    WorldSetup setup = wet_or_dry_cloth(saturation, Vec3(0, 0, -0.007f));
    setup.colliders.push_back(solid("ceiling", make_box(Vec3(-1, -1, 0), Vec3(1, 1, 0.2f))));
    World world(setup);
    run_until(world, 0.3);
    for (const Vec3& x : world.particles()[columns::position]) {
      if (saturation > 0)
        EXPECT_GT(x.z(), -0.02f);
      else
        EXPECT_LT(x.z(), -0.3f);
    }
  }
}

/// On a slope of 20 degrees dry cloth slides by Coulomb's friction of 0.1, and wet cloth does not move.
TEST(Porousness, FrictionOfClothFollowsItsWetness) {
  const float angle = 20 * std::numbers::pi_v<float> / 180;
  for (const float saturation : {0.0f, 1.0f}) {
    WorldSetup setup = wet_or_dry_cloth(saturation, Vec3(0, 0, 0.007f));
    setup.objects[0].tracks[1] =
        track("gravity", {{Gravity::acceleration, Vec3(9.81f * std::sin(angle), 0, -9.81f * std::cos(angle))}});
    setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
    World world(setup);
    run_until(world, 0.3);
    const double way = mean_of(
        world, [](Index) { return true; }, [&](Index i) { return world.particles()[columns::position][i].x(); });
    const double free =
        0.5 * 9.81 * (std::sin(20 * std::numbers::pi / 180) - 0.1 * std::cos(20 * std::numbers::pi / 180)) * 0.09;
    if (saturation > 0)
      EXPECT_LT(way, 0.002);
    else
      EXPECT_NEAR(way / free, 1, 0.1);
  }
}

/// Pressed cloth keeps a part 1/(1 + p/compaction) of its pores, and gives what no longer fits.
TEST(Porousness, PressedClothGivesItsWater) {
  WorldSetup setup = flat_cloth(0.2f, 0.2f, 0.02f);
  setup.objects[0].shape = make_rectangle(Vec3(0, 0, 0.007f), 0.2f, 0.2f);
  setup.objects[0].tracks[0].values.set(Cloth::compaction, 50.0);
  setup.objects[0].tracks[0].values.set(Cloth::adhesion, 1.0);
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.objects[0].tracks.push_back(sponge({{Porous::permeability, 1e-8}, {Porous::capillary_strength, 10}}));
  // 98 Pa by its own weight, and some by the water in it.
  setup.objects[0].thickness = 4e-3f;
  setup.objects[0].density = 2500;
  setup.objects[0].initial.set(columns::saturation, 1.0f);
  setup.objects.push_back(object("water", make_box(Vec3(0.3f, 0.3f, 0), Vec3(0.32f, 0.32f, 0.02f)), 0.01f,
                                 {track("gravity"), track("fluid")}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  World world(setup);
  const double mass = fluid_mass(world, 1), held = absorbed(world);
  run_until(world, 0.8);
  EXPECT_NEAR(fluid_mass(world, 1) / mass, 1, 1e-6);
  double left = 1;
  for (int k = 0; k != 20; ++k) left = 1 / (1 + (2500 + 700 * left) * 4e-3 * 9.81 / 50);
  const auto J = world.particles()[columns::dilation];
  const double mean = mean_of(
      world, [&](Index i) { return world.particles()[columns::object][i] == 0; }, [&](Index i) { return J[i]; });
  // Some particles are pressed more than others, and what these lose is less than what those gain.
  EXPECT_NEAR(mean, left, 0.08);
  // What is about to leave is less than a tenth of a particle of water on every site, a tenth of its pores.
  EXPECT_NEAR(absorbed(world) / held, mean, 0.1);
}

/// A wet square dries by its rate times its surface, and what is gone is counted.
TEST(Porousness, AWetBodyDriesAtItsSurface) {
  const float dx = 0.025f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("sponge", rectangle(0, 0, 0.5f, 0.5f), dx,
                                 {elastic(1e5, 0.3), sponge({{Porous::evaporation, 10}, {Porous::humidity, 0.5}})}));
  setup.objects[0].initial.set(columns::saturation, 0.9f);
  setup.largest_step = 1e-3f;
  World world(setup);
  const double mass = fluid_mass(world, 99);
  run_until(world, 0.2);
  EXPECT_NEAR(fluid_mass(world, 99) / mass, 1, 1e-6);
  // Four sides of half a metre; the surface is less than full, and corners count for less than both their sides.
  EXPECT_NEAR(statistic(world, "evaporated fluid") / (10 * 0.5 * 2 * 0.2 * 0.9), 1, 0.15);
}

TEST(Porousness, MoistSandIsPouredIntoAnEmptyWorld) {
  Simulation simulation(parse_scene(R"(
[scene]
name = "pour"
spacing = 0.03
[time]
duration = 0.2
[materials.moist]
gravity = {}
fluid = { rest_density = 1600 }
sand = {}
porous = { porosity = 0.4 }
[[emitters]]
name = "spout"
material = "moist"
radius = 0.06
saturation = 0.4
)",
                                    "pour.toml"));
  while (simulation.time() < 0.1) simulation.step();
  const Particles& particles = simulation.particles();
  ASSERT_GT(particles.size(), 0u);
  // The newest may not have been seen by an exchange of mass yet; the oldest have.
  const auto id = particles[columns::id];
  const std::size_t oldest = static_cast<std::size_t>(std::ranges::min_element(id) - id.begin());
  const double pores = 1000 * 0.4 * static_cast<double>(particles[columns::volume][oldest]);
  EXPECT_NEAR(static_cast<double>(particles[columns::absorbed_mass][oldest]) / pores, 0.4, 0.01);
}

}  // namespace
}  // namespace fondue::test_porous
