// Sand at its default settings against what is known of sand: at which slope it stands, that it stops, how a grain
// slides, what a cut of moist sand carries, how it lands, what it does to bodies. How far columns spread:
// test_sand_columns.cpp; through openings and before shovels: test_sand_flow.cpp.

#include <gtest/gtest.h>

#include <numbers>

#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "support/rigid.h"
#include "support/sand.h"

namespace fondue::test_sand {
namespace {

using namespace testing_support;

constexpr double degrees = std::numbers::pi / 180;
constexpr float g = 9.81f;

/// The part below a line that falls from the wall to the edge of the floor.
ShapePtr wedge(double angle) {
  const float slope = static_cast<float>(angle * degrees);
  return make_intersection(
      {rectangle(0, 0, 0.4f, 0.6f), make_plane(Vec3(0.4f, 0, 0), Vec3(std::sin(slope), std::cos(slope), 0))});
}

/// A jet pours sand on a flatter heap until it runs over the edge of its floor, and stops.
double slope_poured(double angle, float dx) {
  WorldSetup setup = sand_on_floor(wedge(angle - 5), dx, sand(angle), 0.4f);
  EmitterSetup jet;
  jet.name = "jet";
  jet.centre = Vec3(0.03f, 0.4f * static_cast<float>(std::tan(angle * degrees)) + 0.15f, 0);
  jet.direction = Vec3(0, -1, 0);
  jet.radius = 0.02f;
  jet.speed = 0.3f;
  jet.on = Keyable<float>(Curve<float>({0, 2}, {1, 0}, Interpolation::step), "time");
  setup.emitters.push_back(jet);
  World world(setup);
  run_until(world, 3.5);
  return slope_between(world, 0.06f, 0.34f);
}

/// A wedge 15 degrees steeper than its angle slides over the edge of its floor until what is left stands.
double slope_left(double angle, float dx) {
  World world(sand_on_floor(wedge(angle + 15), dx, sand(angle), 0.4f));
  run_until(world, 2);
  return slope_between(world, 0.06f, 0.34f);
}

/// A slope of 28 bins whose tops lie within a spacing of a line is known to a degree; where the last slide stops
/// differs from slope to slope, so it is the mean that counts.
double mean_slope(double (&slope)(double, float), double angle, int count) {
  double mean = 0;
  for (int k = 0; k != count; ++k)
    mean += slope(angle, 0.01f - 0.001f * static_cast<float>(k) / static_cast<float>(count)) / count;
  testing::Test::RecordProperty("slope of " + std::to_string(static_cast<int>(angle)), std::to_string(mean));
  return mean;
}

TEST(Sand, APouredHeapStandsAtTheAngleOfFriction) {
  for (const double angle : {20.0, 30.0, 40.0}) EXPECT_NEAR(mean_slope(slope_poured, angle, 4), angle, 3);
}

/// The slide has gained speed when it passes the angle of friction and stops beyond it, as true avalanches do. For 40
/// degrees that is 2.9 +- 0.2 (twenty spacings); single slopes scatter by 1.3, so twice as many are taken as of the
/// others.
TEST(Sand, ASlideStopsNearTheAngleOfFriction) {
  for (const double angle : {20.0, 30.0}) EXPECT_NEAR(mean_slope(slope_left, angle, 5), angle, 3);
  EXPECT_NEAR(mean_slope(slope_left, 40, 10), 40, 3.5);
}

/// Mean speed along a slope after half a second: a layer on a rough floor under gravity that is tilted, periodic.
double speed_on_slope(double angle, double tilt) {
  const float dx = 0.01f;
  WorldSetup setup = world_setup(2, dx);
  std::vector<Track> tracks = sand(angle);
  tracks[0].values.set(Gravity::acceleration,
                       Keyable<Vec3>(Vec3(g * static_cast<float>(std::sin(tilt * degrees)),
                                          -g * static_cast<float>(std::cos(tilt * degrees)), 0)));
  setup.objects.push_back(object("layer", rectangle(0, 0, 0.2f, 0.1f), dx, tracks));
  setup.domain = Box{Vec3(0, -0.1f, -1), Vec3(0.2f, 0.4f, 1)};
  setup.periodic = {true, false, false};
  setup.colliders.push_back(solid("floor", rectangle(-1, -0.1f, 1, 0)));
  World world(setup);
  run_until(world, 0.5);
  double sum = 0;
  for (const Vec3& v : world.particles()[columns::velocity]) sum += static_cast<double>(v.x());
  return sum / static_cast<double>(world.particles().size());
}

/// What slides at 5 degrees above its angle has half a second of g (sin - tan(phi) cos) behind it. Gravity that sets in
/// at once stresses a layer by up to twice what it carries in the end, so below its angle it may slip for some tenths
/// of a second before it stands.
TEST(Sand, ALayerSlidesAboveItsAngleOnly) {
  EXPECT_LT(speed_on_slope(30, 27), 1e-3);
  const double expected = 0.5 * 9.81 * (std::sin(35 * degrees) - std::tan(30 * degrees) * std::cos(35 * degrees));
  EXPECT_NEAR(speed_on_slope(30, 35), expected, 0.25 * expected);
}

/// At 20, 16 and 13 particles across, for fillings that are disturbed differently: coarse piles are those that tremble.
TEST(Sand, APileAtRestStaysAtRest) {
  for (const float dx : {0.01f, 0.0125f, 0.0154f})
    for (const unsigned seed : {1u, 2u, 3u}) {
      WorldSetup setup = sand_on_floor(rectangle(0, 0, 0.2f, 0.2f), dx, sand(30), 2.0f);
      setup.seed = seed;
      World world(setup);
      run_until(world, 1.6);
      const auto places = places_of(world);
      run_until(world, 3.6);
      EXPECT_LT(moved_since(world, places).most, 0.1f)
          << "spacings in two seconds, of " << dx << " m, filling " << seed;
    }
}

/// v^2/(2 tan(phi) g); the contact gives way by a fraction of a per cent of a spacing, the step samples the end, and
/// the disorder of the filling lifts the grain at the start by up to a tenth of a spacing, through which it flies.
TEST(Sand, ASlidingGrainStopsWhereCoulombSays) {
  for (const double angle : {20.0, 30.0, 40.0}) {
    WorldSetup setup = world_setup(2, 0.01f);
    setup.objects.push_back(object("grain", rectangle(0, 0, 0.01f, 0.01f), 0.01f, sand(angle)));
    setup.objects[0].velocity = Vec3(1, 0, 0);
    setup.domain = Box{Vec3(-0.5f, -0.2f, -1), Vec3(0.8f, 1, 1)};
    setup.colliders.push_back(solid("floor", rectangle(-1, -0.1f, 1, 0)));
    World world(setup);
    const float from = world.particles()[columns::position][0].x();
    run_until(world, 0.5);
    const float stopped = world.particles()[columns::position][0].x();
    const double expected = 1 / (2 * std::tan(angle * degrees) * 9.81);
    EXPECT_NEAR(static_cast<double>(stopped - from), expected, 0.012 * expected) << "friction angle " << angle;
    run_until(world, 1);
    EXPECT_NEAR(world.particles()[columns::position][0].x(), stopped, 1e-5f) << "and stays there";
  }
}

/// How far the face of a vertical cut moves, in heights; cohesion in parts of rho g H/(4 tan(45 + phi/2)).
float face_moves(float part) {
  const float H = 0.3f;
  const double critical = 1600 * 9.81 * static_cast<double>(H) / (4 * std::tan(60 * degrees));
  World world(
      sand_on_floor(rectangle(0, 0, 1.5f * H, H), 0.0125f, sand(30, static_cast<double>(part) * critical), 1.5f));
  const float before = run_out_end(world);
  run_until(world, 1);
  return (run_out_end(world) - before) / H;
}

TEST(Sand, AVerticalCutOfMoistSandStandsByItsCohesion) {
  EXPECT_GT(face_moves(0.75f), 0.3f) << "too weak by a quarter";
  EXPECT_LT(face_moves(1.25f), 0.05f) << "strong enough by a quarter";
}

/// Energy of motion, gravity, compression and stress. The speed of sound is given: one that changes stores another
/// energy in the same compression. A step may round up by a few parts in a million.
TEST(Sand, EnergyNeverRises) {
  std::vector<Track> tracks = sand(30);
  tracks[1].values.set(Fluid::speed_of_sound, Keyable<float>(20.0f));
  World world(sand_on_floor(rectangle(0, 0, 0.2f, 0.2f), 0.01f, tracks, 2.0f));
  double least = energy_of(world), most_above = 0;
  const double start = least;
  while (world.time() < 1) {
    world.step(1);
    const double now = energy_of(world);
    most_above = std::max(most_above, now - least);
    least = std::min(least, now);
  }
  EXPECT_LT(most_above, 1e-3 * start);
  EXPECT_LT(least, 0.75 * start) << "friction has taken a good part";
}

struct Momenta {
  Vec3d linear = Vec3d::Zero(), angular = Vec3d::Zero();
};
Momenta momenta_of(const World& world) {
  Momenta sum;
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  for (Index i = 0; i != x.size(); ++i) {
    const Vec3d p = static_cast<double>(world.particles()[columns::mass][i]) * v[i].cast<double>();
    sum.linear += p;
    sum.angular += x[i].cast<double>().cross(p);
  }
  return sum;
}

/// A cohesive block that turns while it flies is under stress. Single precision rounds velocities and places to 1e-7 in
/// each of some hundred steps.
TEST(Sand, MomentaAreConservedInFlight) {
  for (const int d : {2, 3}) {
    WorldSetup setup = world_setup(d, 0.02f);
    const ShapePtr block =
        d == 2 ? rectangle(-0.1f, -0.1f, 0.1f, 0.1f) : make_box(Vec3::Constant(-0.1f), Vec3::Constant(0.1f));
    setup.objects.push_back(object("block", block, 0.02f,
                                   {track("fluid", {{Fluid::rest_density, 1600}, {Fluid::speed_of_sound, 10}}),
                                    track("sand", {{Sand::cohesion, 1000}})}));
    setup.objects[0].velocity = Vec3(1, 0.5f, 0);
    setup.objects[0].angular_velocity = Vec3(0, 0, 5);
    World world(setup);
    const Momenta before = momenta_of(world);
    run_until(world, 0.2);
    const Momenta after = momenta_of(world);
    float stressed = 0;
    for (const Vec6& S : world.particles()[columns::sand_stress]) stressed = std::max(stressed, S.norm());
    EXPECT_GT(stressed, 10) << d << "D: it is under stress";
    EXPECT_LT((after.linear - before.linear).norm(), 1e-5 * before.linear.norm()) << d << "D";
    EXPECT_LT((after.angular - before.angular).norm(), 1e-4 * before.angular.norm()) << d << "D";
    // Held together by its tension.
    float farthest = 0;
    Vec3 centre = Vec3::Zero();
    for (const Vec3& x : world.particles()[columns::position])
      centre += x / static_cast<float>(world.particles().size());
    for (const Vec3& x : world.particles()[columns::position]) farthest = std::max(farthest, (x - centre).norm());
    EXPECT_LT(farthest, 0.1f * std::sqrt(static_cast<float>(d)) + 0.02f) << d << "D";
  }
}

/// Kinetic energy and that of gravity, which no change of the speed of sound alters [J].
double mechanical_energy(const World& world) {
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  const auto m = world.particles()[columns::mass];
  double energy = 0;
  const int up = world.setup().dimension - 1;
  for (Index i = 0; i != x.size(); ++i)
    energy += static_cast<double>(m[i] * (0.5f * v[i].squaredNorm() + g * x[i][up]));
  return energy;
}

/// A block that falls 1 m: in flight its momentum is that of its fall, what hits the floor at 4.4 m/s may splash, but
/// not faster than that by more than a half, energy never rises, and no two particles end in one place.
void drop_block(int dimension, float dx) {
  SCOPED_TRACE(dimension == 2 ? "2D" : "3D");
  const int up = dimension - 1;
  WorldSetup setup = world_setup(dimension, dx);
  if (dimension == 2) {
    setup.objects.push_back(object("sand", rectangle(-0.1f, 1, 0.1f, 1.2f), dx, sand(30)));
    setup.colliders.push_back(solid("floor", rectangle(-2, -0.1f, 2, 0)));
  } else {
    setup.objects.push_back(object("sand", make_box(Vec3(-0.1f, -0.1f, 1), Vec3(0.1f, 0.1f, 1.2f)), dx, sand(30)));
    setup.colliders.push_back(solid("floor", make_box(Vec3(-2, -2, -0.1f), Vec3(2, 2, 0))));
  }
  World world(setup);
  const auto x = [&] { return world.particles()[columns::position]; };
  const double start = mechanical_energy(world);
  double mass = 0, most_above = 0, least = start;
  for (const float m : world.particles()[columns::mass]) mass += static_cast<double>(m);
  float fastest = 0;
  bool flies = true;
  while (world.time() < 1.5) {
    world.step(1.5);
    for (const Vec3& v : world.particles()[columns::velocity]) fastest = std::max(fastest, v.norm());
    if (flies && world.time() > 0.4) {
      flies = false;
      const Vec3d expected = -mass * 9.81 * world.time() * Vec3d::Unit(up);
      EXPECT_LT((momenta_of(world).linear - expected).norm(), 1e-5 * expected.norm()) << "in flight";
      float farthest = 0;
      for (const Vec3& at : x()) farthest = std::max(farthest, std::abs(at.x()));
      EXPECT_LT(farthest, 0.2f) << "it loosens in the air, but does not fly apart";
    }
    const double now = mechanical_energy(world);
    most_above = std::max(most_above, now - least);
    least = std::min(least, now);
  }
  EXPECT_LT(most_above, 0.005 * start);
  EXPECT_LT(fastest, 1.5f * std::sqrt(2 * g * 1.2f));
  std::size_t close = 0;
  for (Index i = 0; i != x().size(); ++i)
    for (Index j = 0; j != i; ++j) close += (x()[i] - x()[j]).squaredNorm() < 0.25f * dx * dx;
  EXPECT_LT(static_cast<double>(close), 0.01 * static_cast<double>(x().size())) << "pairs within half a spacing";
}

TEST(Sand, ADroppedBlockNeitherExplodesNorClumps) {
  drop_block(2, 0.01f);
  drop_block(3, 0.02f);
}

/// Sand that slides over the edges of a pedestal falls, it is not thrown: no grain has more energy than the highest
/// had, but for the 0.03 c with which contacts lift (sand.h).
TEST(Sand, GrainsFallOverAnEdgeAndAreNotThrown) {
  const float dx = 0.02f, top = 0.16f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("sand", make_box(Vec3(-0.08f, -0.08f, 0), Vec3(0.08f, 0.08f, top)), dx, sand(30)));
  setup.colliders.push_back(solid("pedestal", make_box(Vec3(-0.1f, -0.1f, -0.3f), Vec3(0.1f, 0.1f, 0))));
  World world(setup);
  Index over = 0;
  while (world.time() < 0.5) {
    world.step(0.5);
    const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
    for (Index i = 0; i != x.size(); ++i) {
      const float fallen = std::sqrt(2 * g * std::max(top - x[i].z(), 0.0f));
      ASSERT_LT(v[i].norm(), fallen + 0.6f) << x[i].transpose() << " at " << world.time();
      over += x[i].z() < -0.1f;
    }
  }
  EXPECT_GT(over, 0u);
}

/// A ball twice as dense as sand sinks in to less than its diameter and rests; sand carries its weight.
TEST(Sand, ABallSinksInAndRests) {
  WorldSetup setup = world_setup(3, 0.025f);
  setup.objects.push_back(object("bed", make_box(Vec3(0, 0, 0), Vec3(0.5f, 0.5f, 0.2f)), 0.025f, sand(30)));
  setup.colliders.push_back(container("box", make_box(Vec3(0, 0, 0), Vec3(0.5f, 0.5f, 1)), 1));
  const float radius = 0.08f;
  setup.colliders.push_back(rigid("ball", make_sphere(Vec3(0.25f, 0.25f, 0.2f + radius + 0.05f), radius), 3200));
  World world(setup);
  run_until(world, 1);
  const RigidState then = rigid_state(world, 1);
  run_until(world, 1.5);
  const RigidState now = rigid_state(world, 1);
  const double mass = world.bodies().rigid().properties(1).mass;
  EXPECT_LT((now.centre - then.centre).norm(), 0.1 * 0.025) << "a tenth of a spacing in half a second";
  EXPECT_LT(now.centre.z(), 0.2 + 0.9 * static_cast<double>(radius)) << "it has sunk in";
  EXPECT_GT(now.centre.z(), 0.2 - static_cast<double>(radius)) << "and not to the ground";
  EXPECT_NEAR(static_cast<double>(world.load_on(1).force.z()), mass * 9.81, 0.05 * mass * 9.81);
}

/// Friction that follows an attribute: of two layers on a slope of 20 degrees, the cold half (30 degrees of friction)
/// stays and the warm half (15 degrees) slides.
TEST(Sand, FrictionFollowsAnAttribute) {
  const float dx = 0.01f;
  WorldSetup setup = world_setup(2, dx);
  std::vector<Track> tracks = sand(30);
  tracks[0].values.set(Gravity::acceleration, Keyable<Vec3>(Vec3(3.355f, -9.218f, 0)));
  tracks[2].values.set(Sand::friction_angle,
                       Keyable<float>(Curve<float>({300, 320}, {30.0f, 15.0f}, Interpolation::linear), "temperature"));
  for (const float from : {0.0f, 0.4f}) {
    setup.objects.push_back(object(from > 0 ? "warm" : "cold", rectangle(from, 0, from + 0.2f, 0.06f), dx, tracks));
    setup.objects.back().initial.set(columns::temperature, from > 0 ? 320.0f : 300.0f);
  }
  setup.domain = Box{Vec3(-1, -0.2f, -1), Vec3(2, 1, 1)};
  setup.colliders.push_back(solid("slope", rectangle(-1, -0.1f, 2, 0)));
  World world(setup);
  const auto places = places_of(world);
  run_until(world, 0.4);
  double way[2] = {}, count[2] = {};
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Index o = world.particles()[columns::object][i];
    way[o] += static_cast<double>(world.particles()[columns::position][i].x() -
                                  places.at(world.particles()[columns::id][i]).x());
    count[o] += 1;
  }
  EXPECT_LT(way[0] / count[0], 0.04) << "its front slumps";
  // By g (sin - tan(15) cos) t^2/2 = 0.07 m more, as a whole.
  EXPECT_GT(way[1] / count[1] - way[0] / count[0], 0.05);
}

/// Viscosity beside friction that follows an attribute, as mud is made: two equal blocks without friction, of which the
/// warm one has 200 Pa s.
TEST(Sand, ViscosityFollowsAnAttribute) {
  const float dx = 0.02f;
  WorldSetup setup = world_setup(2, dx);
  std::vector<Track> tracks = sand(0);
  tracks.push_back(track("viscosity"));
  tracks[3].values.set(Viscosity::dynamic_viscosity,
                       Keyable<float>(Curve<float>({300, 320}, {0.0f, 200.0f}, Interpolation::linear), "temperature"));
  for (const float from : {0.0f, 3.0f}) {
    setup.objects.push_back(object(from > 0 ? "warm" : "cold", rectangle(from, 0, from + 0.2f, 0.2f), dx, tracks));
    setup.objects.back().initial.set(columns::temperature, from > 0 ? 320.0f : 300.0f);
  }
  setup.domain = Box{Vec3(-2, -0.2f, -1), Vec3(5, 1, 1)};
  setup.colliders.push_back(solid("floor", rectangle(-2, -0.1f, 5, 0), 1));
  World world(setup);
  run_until(world, 0.3);
  float farthest[2] = {};
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Index o = world.particles()[columns::object][i];
    farthest[o] = std::max(farthest[o], world.particles()[columns::position][i].x() - (o == 0 ? 0 : 3.0f) - 0.2f);
  }
  EXPECT_GT(farthest[0], 0.2f) << "runs like water";
  EXPECT_LT(farthest[1], 0.5f * farthest[0]) << "creeps like mud";
}

/// Cohesion that follows time: a cut stands, and falls when it dries.
TEST(Sand, ACutFallsWhenItsCohesionGoes) {
  const float H = 0.2f;
  std::vector<Track> tracks = sand(30, 0);
  tracks[2].values.set(Sand::cohesion,
                       Keyable<float>(Curve<float>({0.5, 0.6}, {1000.0f, 0.0f}, Interpolation::linear), "time"));
  World world(sand_on_floor(rectangle(0, 0, H, H), 0.0125f, tracks, 1.5f));
  const float before = run_out_end(world);
  run_until(world, 0.5);
  EXPECT_LT(run_out_end(world) - before, 0.05f * H);
  run_until(world, 1.5);
  EXPECT_GT(run_out_end(world) - before, 0.5f * H);
}

double mean_of_heights(const World& world) {
  double sum = 0;
  for (const Vec3& x : world.particles()[columns::position]) sum += static_cast<double>(x.y());
  return sum / static_cast<double>(world.particles().size());
}

/// How much higher the middle of a layer lies that was sheared, until friction has stopped it.
double growth_when_sheared(double dilatancy) {
  const float dx = 0.01f, height = 0.1f;
  WorldSetup setup = world_setup(2, dx);
  std::vector<Track> tracks = sand(30);
  tracks[2].values.set(Sand::dilatancy_angle, Keyable<float>(static_cast<float>(dilatancy)));
  setup.objects.push_back(object("layer", rectangle(0, 0, 0.2f, height), dx, tracks));
  setup.domain = Box{Vec3(0, -0.1f, -1), Vec3(0.2f, 0.4f, 1)};
  setup.periodic = {true, false, false};
  setup.colliders.push_back(solid("floor", rectangle(-1, -0.1f, 1, 0)));
  World world(setup);
  // Shear that is uniform at the start and dies away by friction.
  for (Index i = 0; i != world.particles().size(); ++i)
    world.particles()[columns::velocity][i] = Vec3(30 * world.particles()[columns::position][i].y(), 0, 0);
  const double before = mean_of_heights(world);
  run_until(world, 1);
  for (const float n : world.particles()[columns::loosening]) EXPECT_LE(n, 0.1f) << "the critical state";
  return mean_of_heights(world) / before - 1;
}

TEST(Sand, DenseSandNeedsMoreRoomWhenItIsSheared) {
  const double none = growth_when_sheared(0), some = growth_when_sheared(10);
  EXPECT_NEAR(none, 0, 0.02);
  EXPECT_GT(some, none + 0.02);
}

}  // namespace
}  // namespace fondue::test_sand
