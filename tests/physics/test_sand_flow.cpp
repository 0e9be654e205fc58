// Sand that is poured, runs through openings and is moved by shovels, at the default settings.

#include <gtest/gtest.h>

#include "support/sand.h"

namespace fondue::test_sand_flow {
namespace {

using namespace testing_support;

/// How much longer the last but one third of a silo's filling takes to run out than the first.
double slowing_of_silo(std::vector<Track> tracks, unsigned seed = 1) {
  const float dx = 0.01f, width = 0.3f, opening = 0.08f;
  WorldSetup setup = world_setup(2, dx);
  setup.seed = seed;
  setup.objects.push_back(object("filling", rectangle(0, 0, width, 0.5f), dx, std::move(tracks)));
  setup.domain = Box{Vec3(-1, -0.3f, -1), Vec3(1, 2, 1)};
  setup.colliders.push_back(solid("left", rectangle(-0.1f, -0.1f, 0, 1), 1));
  setup.colliders.push_back(solid("right", rectangle(width, -0.1f, width + 0.1f, 1), 1));
  setup.colliders.push_back(solid("floor left", rectangle(0, -0.1f, (width - opening) / 2, 0)));
  setup.colliders.push_back(solid("floor right", rectangle((width + opening) / 2, -0.1f, width, 0)));
  World world(setup);
  const auto above = [&] {
    return static_cast<double>(
        std::ranges::count_if(world.particles()[columns::position], [](const Vec3& x) { return x.y() > 0; }));
  };
  const double all = above();
  // Times at which these parts are left.
  std::vector<double> times;
  for (const double left : {0.95, 0.65, 0.6, 0.3}) {
    while (above() > left * all && world.time() < 10) world.step(10);
    times.push_back(world.time());
  }
  return (times[3] - times[2]) / (times[1] - times[0]);
}

/// An hourglass measures time: sand runs as fast when it is nearly empty. Water, driven by its depth, slows down by
/// sqrt(0.8/0.45) = 1.33. Through eight spacings sand comes in jerks, a third of the filling in some thirty of them, so
/// that single runs scatter by 0.06 (0.82 to 1.05 in fourteen): their mean is meant.
TEST(SandFlow, RunsOutAtARateThatDoesNotDependOnTheFilling) {
  constexpr unsigned runs = 6;
  double mean = 0;
  for (unsigned seed = 1; seed <= runs; ++seed) mean += slowing_of_silo(sand(30), seed) / runs;
  EXPECT_NEAR(mean, 1, 0.1);
  EXPECT_NEAR(slowing_of_silo({track("gravity"), track("fluid")}), std::sqrt(0.8 / 0.45), 0.1);
}

/// A hopper with walls of 60 degrees runs empty through an opening of six spacings: nothing bridges it.
TEST(SandFlow, AHopperRunsEmpty) {
  const float dx = 0.01f, half = 0.03f;
  WorldSetup setup = world_setup(2, dx);
  const auto above = [&](float side) {
    return make_plane(Vec3(side * half, 0, 0), Vec3(side * std::sqrt(0.75f), -0.5f, 0));
  };
  const ShapePtr inside = make_intersection({above(-1), above(1)});
  setup.objects.push_back(
      object("filling", make_intersection({inside, rectangle(-0.5f, 0.05f, 0.5f, 0.25f)}), dx, sand(30)));
  setup.domain = Box{Vec3(-1, -0.3f, -1), Vec3(1, 2, 1)};
  for (const float side : {-1.0f, 1.0f})
    setup.colliders.push_back(
        solid(side < 0 ? "left" : "right",
              make_intersection({make_complement(above(side)),
                                 side < 0 ? rectangle(-0.4f, 0, 0, 0.5f) : rectangle(0, 0, 0.4f, 0.5f)}),
              0.5f));
  World world(setup);
  const Index all = world.particles().size();
  run_until(world, 3);
  const auto left =
      std::ranges::count_if(world.particles()[columns::position], [](const Vec3& x) { return x.y() > 0; });
  EXPECT_LT(static_cast<double>(left), 0.02 * all);
}

/// A scoop is driven into a bed, lifted and turned: it carries sand, loses none through its plates, and pours it out.
TEST(SandFlow, AScoopLiftsSandAndPoursItOut) {
  const float dx = 0.0125f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("bed", rectangle(0.05f, 0, 0.6f, 0.1f), dx, sand(30)));
  setup.domain = Box{Vec3(-0.6f, -0.3f, -1), Vec3(1, 2, 1)};
  setup.colliders.push_back(container("box", rectangle(-0.4f, 0, 0.6f, 2), 1));
  // In the frame of its lower corner: a plate along x and a back along y.
  ColliderSetup scoop = solid("scoop", make_union({rectangle(0, 0, 0.2f, 0.03f), rectangle(0, 0, 0.03f, 0.2f)}));
  scoop.motion.position = Keyable<Vec3>(
      Curve<Vec3>({0.1, 0.5, 0.9, 2},
                  {Vec3(-0.25f, 0.03f, 0), Vec3(0.2f, 0.03f, 0), Vec3(0.2f, 0.4f, 0), Vec3(0.2f, 0.4f, 0)},
                  Interpolation::smooth),
      "time");
  scoop.motion.rotation = Keyable<Vec3>(
      Curve<Vec3>({0.5, 0.7, 1.4, 1.8}, {Vec3(0, 0, 0), Vec3(0, 0, 0.35f), Vec3(0, 0, 0.35f), Vec3(0, 0, -1.2f)},
                  Interpolation::smooth),
      "time");
  setup.colliders.push_back(scoop);
  World world(setup);
  const auto above = [&](float height) {
    return std::ranges::count_if(world.particles()[columns::position], [&](const Vec3& x) { return x.y() > height; });
  };
  const Index all = world.particles().size();
  run_until(world, 1);
  const auto lifted = above(0.35f);
  run_until(world, 1.4);
  const auto held = above(0.35f);
  run_until(world, 2.4);
  EXPECT_GT(lifted, 40) << "a third of what lies above its plate";
  // Single grains roll off its lip: none to three of 43 to 90 in runs whose spacings differ by 2 %.
  EXPECT_GE(held, lifted - lifted / 10);
  EXPECT_EQ(above(0.35f), 0);
  EXPECT_EQ(world.particles().size(), all);
}

}  // namespace
}  // namespace fondue::test_sand_flow
