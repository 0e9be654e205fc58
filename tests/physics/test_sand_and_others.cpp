// Sand with what is in it and beside it: balls, water, shovels, elastic bodies, cloth, shells.

#include <gtest/gtest.h>

#include "behaviours/gravity.h"
#include "support/momenta.h"
#include "support/rigid.h"
#include "support/sand.h"
#include "support/shells.h"

namespace fondue::test_sand_and_others {
namespace {

using namespace testing_support;

constexpr float dx = 0.0125f;

/// A bed of sand 0.6 m wide and 0.2 m deep between smooth walls.
WorldSetup bed_of(std::vector<Track> tracks) {
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("bed", rectangle(0, 0, 0.6f, 0.2f), dx, std::move(tracks)));
  setup.domain = Box{Vec3(-0.3f, -0.3f, -1), Vec3(1, 2, 1)};
  setup.colliders.push_back(container("box", rectangle(0, 0, 0.6f, 2), 1));
  return setup;
}

/// How deep below the surface of the sand the bottom of a ball comes to rest, in radii.
double depth_of_ball(std::vector<Track> tracks) {
  const float radius = 0.06f;
  WorldSetup setup = bed_of(std::move(tracks));
  setup.colliders.push_back(
      rigid("ball", make_sphere(Vec3(0.3f, 0.2f + radius + 0.1f, 0), radius), 3000, Vec3(0, -9.81f, 0)));
  World world(setup);
  run_until(world, 1.2);
  const double then = rigid_state(world, 1).centre.y();
  run_until(world, 1.5);
  EXPECT_NEAR(rigid_state(world, 1).centre.y(), then, 0.1 * static_cast<double>(dx)) << "it rests";
  return (0.2 + static_cast<double>(radius) - rigid_state(world, 1).centre.y()) / static_cast<double>(radius);
}

/// Dropped by 0.1 m, a ball of about twice the density of sand sinks into loose sand (20 degrees, as poured beads) by a
/// good part of its radius and hardly leaves a trace on packed, moist sand.
TEST(SandAndOthers, ABallSinksIntoLooseSandAndRestsOnPackedSand) {
  const double loose = depth_of_ball(sand(20)), packed = depth_of_ball(sand(40, 1500));
  EXPECT_GT(loose, 0.5);
  EXPECT_LT(packed, 0.25);
  EXPECT_GT(packed, -0.1);
}

/// Until there is flow through pores, sand keeps water out: a layer of water lies on it for a second. One row may mix.
TEST(SandAndOthers, WaterStaysOnTopOfSand) {
  WorldSetup setup = bed_of(sand(30));
  setup.objects.push_back(object("water", rectangle(0, 0.2f, 0.6f, 0.3f), dx, {track("gravity"), track("fluid")}));
  World world(setup);
  run_until(world, 1);
  const auto x = world.particles()[columns::position];
  const auto o = world.particles()[columns::object];
  float top = 0;
  Index deep = 0, water = 0;
  for (Index i = 0; i != x.size(); ++i) {
    if (o[i] == 0) top = std::max(top, x[i].y());
    if (o[i] == 1) {
      ++water;
      deep += x[i].y() < 0.2f - 2 * dx;
    }
  }
  EXPECT_EQ(deep, 0u) << "of " << water << " particles of water two rows down";
  EXPECT_LT(top, 0.2f + 2 * dx) << "no sand floats up";
}

/// A shovel that pushes along the floor moves sand and leaks none through its blade, and nothing is thrown.
TEST(SandAndOthers, AShovelPushesSandAlong) {
  WorldSetup setup = bed_of(sand(30));
  setup.objects[0].shape = rectangle(0.15f, 0, 0.45f, 0.05f);
  ColliderSetup blade = solid("blade", rectangle(0.1f, 0.001f, 0.13f, 0.3f));
  blade.motion.position =
      Keyable<Vec3>(Curve<Vec3>({0.2, 1.0}, {Vec3(0, 0, 0), Vec3(0.24f, 0, 0)}, Interpolation::linear), "time");
  setup.colliders.push_back(blade);
  World world(setup);
  float fastest = 0;
  while (world.time() < 1.3) {
    world.step(1.3);
    if (world.time() > 0.2)
      for (const Vec3& v : world.particles()[columns::velocity]) fastest = std::max(fastest, v.norm());
  }
  Index behind = 0;
  for (const Vec3& x : world.particles()[columns::position]) behind += x.x() < 0.34f;
  EXPECT_EQ(behind, 0u) << "grains behind the blade";
  EXPECT_EQ(world.particles().size(), 24u * 4);
  // The speed of the blade, and that of a fall from the heap before it, which is 0.1 m high.
  EXPECT_LT(fastest, std::sqrt(0.3f * 0.3f + 2 * 9.81f * 0.1f));
}

/// Gravity that pulls along x as on a slope; up is y in two dimensions and z in three.
Track gravity_on_slope(double degrees, int dimension) {
  const double angle = degrees * std::numbers::pi / 180;
  const auto along = static_cast<float>(9.81 * std::sin(angle)), down = static_cast<float>(-9.81 * std::cos(angle));
  return track("gravity", {{Gravity::acceleration, dimension == 2 ? Vec3(along, down, 0) : Vec3(along, 0, down)}});
}

double mean_x(const World& world, Index object) {
  return mean_of(
      world, [&](Index i) { return world.particles()[columns::object][i] == object; },
      [&](Index i) { return world.particles()[columns::position][i].x(); });
}

/// An elastic block on a bed of sand that is tilted by 15 degrees: without friction it would slide 0.2 m in 0.4 s. It
/// settles into the sand by a fraction of a spacing first.
TEST(SandAndOthers, AnElasticBlockDoesNotSlideOnSand) {
  WorldSetup setup = bed_of(sand(30));
  setup.objects[0].tracks[0] = gravity_on_slope(15, 2);
  setup.objects.push_back(
      object("block", rectangle(0.2f, 0.2f, 0.3f, 0.25f), dx, {gravity_on_slope(15, 2), elastic(1e5, 0.3, 0.1)}));
  World world(setup);
  run_until(world, 0.2);
  const double before = mean_x(world, 1);
  run_until(world, 0.6);
  EXPECT_LT(mean_x(world, 1) - before, 0.02) << "metres";
}

/// Sand and an elastic block that rub against each other in flight: their momenta are those of both.
TEST(SandAndOthers, FrictionWithElasticBodiesConservesMomenta) {
  WorldSetup setup = world_setup(2, dx);
  std::vector<Track> matter = {track("fluid", {{Fluid::rest_density, 1600}, {Fluid::speed_of_sound, 10}}),
                               track("sand", {{Sand::cohesion, 500}})};
  setup.objects.push_back(object("sand", rectangle(-0.1f, 0, 0.1f, 0.1f), dx, std::move(matter)));
  setup.objects.push_back(object("block", rectangle(-0.1f, 0.1f, 0.1f, 0.15f), dx, {elastic(1e5)}));
  setup.objects[1].density = 1600;
  setup.objects[0].velocity = Vec3(0.2f, 0.1f, 0);
  setup.objects[1].velocity = Vec3(-0.2f, -0.1f, 0);
  World world(setup);
  const Vec3d linear = momentum(world), angular = angular_momentum(world);
  const double each = momentum(world, 1).norm();
  run_until(world, 0.1);
  EXPECT_LT((momentum(world) - linear).norm(), 1e-4 * each);
  EXPECT_LT((angular_momentum(world) - angular).norm(), 1e-3 * angular.norm());
  EXPECT_GT(mean_velocity_x(world, 1), -0.15) << "friction has slowed the block down";
}

/// A heap on a cloth that is held and tilted by 12 degrees: mu = sqrt(0.3 tan(30)) holds up to 22. Without friction it
/// would be 0.16 m away.
TEST(SandAndOthers, SandDoesNotSlideOnCloth) {
  const float spacing = 0.02f;
  WorldSetup setup = flat_cloth(0.4f, 0.4f, spacing);
  setup.pins.push_back(pin("frame", make_box(Vec3::Constant(-1), Vec3(1, 1, 0.01f))));
  setup.pins[0].object = 0;
  setup.objects.push_back(
      object("heap", make_box(Vec3(-0.06f, -0.06f, 0.02f), Vec3(0.06f, 0.06f, 0.06f)), spacing, sand(30)));
  setup.objects[1].tracks[0] = gravity_on_slope(12, 3);
  World world(setup);
  run_until(world, 0.1);
  const double before = mean_x(world, 1);
  run_until(world, 0.4);
  EXPECT_LT(mean_x(world, 1) - before, 0.03);
}

/// The same on a plate of shell that is held along its rim only, which bends by a millimetre under the heap. On a
/// smooth plate, mu = 0, the heap slides by g sin(12) t^2/2 between 0.1 s and 0.4 s, 0.153 m.
TEST(SandAndOthers, SandHoldsOrSlidesOnAShellByItsFriction) {
  const float spacing = 0.02f;
  for (const bool smooth : {false, true}) {
    WorldSetup setup =
        flat_shell(0.4f, 0.4f, spacing, {.E = 1e8, .damping = 0.3, .thickness = 0.01, .friction = smooth ? 0 : 0.3});
    setup.pins.push_back(pin("frame", make_difference(make_box(Vec3::Constant(-1), Vec3(1, 1, 0.01f)),
                                                      make_box(Vec3(-0.175f, -0.175f, -2), Vec3(0.175f, 0.175f, 2)))));
    setup.pins[0].object = 0;
    setup.objects.push_back(
        object("heap", make_box(Vec3(-0.06f, -0.06f, 0.02f), Vec3(0.06f, 0.06f, 0.06f)), spacing, sand(30)));
    setup.objects[1].tracks[0] = gravity_on_slope(12, 3);
    World world(setup);
    run_until(world, 0.1);
    const double before = mean_x(world, 1);
    run_until(world, 0.4);
    const double slid = mean_x(world, 1) - before;
    if (smooth)
      EXPECT_NEAR(slid, 0.153, 0.015);
    else
      EXPECT_LT(slid, 0.03);
  }
}

}  // namespace
}  // namespace fondue::test_sand_and_others
