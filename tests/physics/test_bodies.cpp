// Bodies and the matter at them: density of several sizes at a wall, lids and conveyors that drag for ever, poses that
// are saved and continued from.

#include <gtest/gtest.h>

#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "support/channel.h"

namespace fondue::test_bodies {
namespace {

using namespace testing_support;

Keyable<Vec3> sliding(const Vec3& velocity) {
  return {Curve<Vec3>({0, 1000}, {Vec3::Zero(), Vec3(1000 * velocity)}, Interpolation::linear), "time"};
}

std::vector<Track> thick_fluid(float viscosity) {
  return {track("fluid", {{Fluid::rest_density, 1}, {Fluid::speed_of_sound, 10}}),
          track("viscosity", {{Viscosity::dynamic_viscosity, viscosity}})};
}

TEST(WallsOfMatterOfSeveralSizes, TheFirstRowMeasuresItsRestDensity) {
  for (const int dimension : {2, 3})
    for (const PairLoops* loops : {&chosen_pair_loops(), &plain_twin()}) {
      constexpr float dx = 0.1f;
      WorldSetup setup = world_setup(dimension, dx);
      const Vec3 up = dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
      setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), up)));
      // Three blocks that do not touch, each large enough to have an inside.
      float left = 0;
      for (const float spacing : {dx, dx / 2, 2 * dx}) {
        const float width = 10 * spacing, deep = dimension == 2 ? infinity : width;
        const Vec3 low(left, dimension == 2 ? 0 : -width, dimension == 2 ? -infinity : 0);
        const Vec3 high(left + width, dimension == 2 ? 6 * spacing : 0, dimension == 2 ? deep : 6 * spacing);
        setup.objects.push_back(object(std::to_string(spacing), make_box(low, high), spacing, {track("fluid")}));
        left += width + 1;
      }
      World world(setup, *loops);
      ASSERT_FLOAT_EQ(world.bodies()[0].spacing(), dx / 2);
      const auto x = world.particles()[columns::position];
      const auto s = world.particles()[columns::density_ratio];
      const auto o = world.particles()[columns::object];
      std::array<int, 3> rows = {};
      for (std::size_t i = 0; i != x.size(); ++i) {
        const ObjectSetup& own = setup.objects[o[i]];
        const Box box = own.shape->bounds();
        const auto inside = [&](int a) {
          return x[i][a] > box.min[a] + 2.1f * own.spacing && x[i][a] < box.max[a] - 2.1f * own.spacing;
        };
        if (!inside(0) || (dimension == 3 && !inside(1)) || x[i].dot(up) > 0.6f * own.spacing) continue;
        ++rows[o[i]];
        EXPECT_NEAR(s[i], 1, 0.02) << own.name << " in " << dimension << " dimensions, " << loops->name;
      }
      for (const int row : rows) EXPECT_GT(row, 3);
    }
}

TEST(SlidingPlane, CouetteFlowIsSteadyHoweverFarThePlaneHasTravelled) {
  constexpr float dx = 1.0f / 16;
  WorldSetup setup = channel(dx, thick_fluid(0.2f));
  setup.colliders[0] = solid("floor", make_plane(Vec3::Zero(), Vec3(0, 1, 0)));
  setup.colliders[1] = solid("ceiling", make_plane(Vec3(0, 1, 0), Vec3(0, -1, 0)));
  setup.colliders[1].motion.position = sliding(Vec3(1, 0, 0));
  World world(setup);
  // Six diffusion times, ten lengths of the domain; 0.04 is what this resolution leaves of the straight profile.
  for (const double t : {3.0, 5.5}) {
    run_until(world, t);
    for (const float y : {0.25f, 0.5f, 0.75f}) EXPECT_NEAR(velocity_at(world, y, dx), y, 0.04) << "t = " << t;
  }
}

/// A square cavity under a lid: a plane that slides, or that rests and whose surface moves.
WorldSetup cavity(bool slides) {
  constexpr float dx = 1.0f / 16;
  WorldSetup setup = world_setup(2, dx);
  setup.support_ratio = 3;
  setup.objects.push_back(object("fluid", rectangle(0, 0, 1, 1), dx, thick_fluid(0.1f)));
  setup.colliders.push_back(solid("floor", rectangle(-1, -1, 2, 0)));
  setup.colliders.push_back(solid("left", rectangle(-1, 0, 0, 2)));
  setup.colliders.push_back(solid("right", rectangle(1, 0, 2, 2)));
  setup.colliders.push_back(solid("lid", make_plane(Vec3(0, 1, 0), Vec3(0, -1, 0))));
  if (slides)
    setup.colliders.back().motion.position = sliding(Vec3(1, 0, 0));
  else
    setup.colliders.back().surface_velocity = Vec3(1, 0, 0);
  return setup;
}

TEST(SlidingPlane, ALidDrivesACavityForEver) {
  World slides(cavity(true)), rests(cavity(false));
  // Means over a second: a band of the cavity holds some ten particles, and which ones it holds changes all the time.
  struct Flow {
    double top = 0, below = 0;
  };
  const auto flow_until = [](World& world, double t) {
    constexpr int samples = 20;
    Flow mean;
    for (int k = 1; k <= samples; ++k) {
      run_until(world, t - 1 + k / static_cast<double>(samples));
      mean.top += velocity_at(world, 0.95f, 0.06f) / samples;
      mean.below += velocity_at(world, 0.4f, 0.1f) / samples;
    }
    return mean;
  };
  double early = 0;
  for (const double t : {2.0, 12.0}) {
    const auto [top, below] = flow_until(slides, t);
    const Flow of_rest = flow_until(rests, t);
    // The lid has travelled as many lengths of the cavity as seconds have passed.
    EXPECT_GT(top, 0.35) << "t = " << t;
    EXPECT_LT(below, -0.03) << "t = " << t;
    if (early == 0) early = top;
    EXPECT_NEAR(top, early, 0.1) << "t = " << t;
    // A surface that moves does the same as a plane that does.
    EXPECT_NEAR(of_rest.top, top, 0.05) << "t = " << t;
    EXPECT_NEAR(of_rest.below, below, 0.02) << "t = " << t;
  }
}

TEST(Conveyor, CarriesABlockOfViscousFluid) {
  constexpr float dx = 0.025f, speed = 0.3f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("block", rectangle(0, 0, 0.3f, 0.15f), dx,
                                 {track("gravity", {{Gravity::acceleration, Vec3(0, -9.81f, 0)}}), track("fluid"),
                                  track("viscosity", {{Viscosity::dynamic_viscosity, 5000}})}));
  setup.colliders.push_back(solid("belt", rectangle(-0.5f, -0.3f, 2, 0)));
  setup.colliders.back().surface_velocity = Vec3(speed, 0.7f, 0);
  World world(setup);
  run_until(world, 1);
  double mean = 0;
  for (const Vec3& v : world.particles()[columns::velocity]) mean += v.x() / world.particles().size();
  // The belt's momentum has long reached the top (h^2/nu is 5 ms) and the block hardly slumps, which would move its
  // middle if it did so unevenly. The part of the surface velocity across the top has no effect.
  EXPECT_NEAR(mean, speed, 0.03 * speed);
  for (const Vec3& x : world.particles()[columns::position]) EXPECT_LT(x.y(), 0.16f);
}

TEST(SavedBodies, ARunGoesOnBitForBitAndItsFramesHaveThePoses) {
  WorldSetup setup = cavity(true);
  setup.colliders[1].motion.rotation =
      Keyable<Vec3>(Curve<Vec3>({0, 1}, {Vec3::Zero(), Vec3(0, 0, 0.2f)}, Interpolation::smooth), "time");
  World whole(setup), first(setup);
  run_until(whole, 0.1);
  run_until(whole, 0.2);
  run_until(first, 0.1);
  const auto state = first.state();
  ASSERT_EQ(state.at("body.lid").size(), 13u);
  EXPECT_NEAR(state.at("body.lid")[0], 0.1, 1e-9);
  EXPECT_NEAR(state.at("body.lid")[7], 1, 1e-9);
  World second(setup, std::move(first.particles()), state);
  EXPECT_EQ(second.state(), state);
  // A frame of version 0.1 has no poses.
  auto older = state;
  older.erase("body.lid");
  EXPECT_EQ(World(setup, Particles{}, older).state().at("body.lid"), state.at("body.lid"));
  run_until(second, 0.2);
  EXPECT_EQ(second.state(), whole.state());
  const auto a = whole.particles()[columns::position], b = second.particles()[columns::position];
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
}

}  // namespace
}  // namespace fondue::test_bodies
