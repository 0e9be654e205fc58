// Matter that moves as rigid bodies: what mechanics says of them, and how it begins and ends.

#include <gtest/gtest.h>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/contact.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/history.h"
#include "support/momenta.h"
#include "support/resumed.h"

namespace fondue::test_rigid_matter {
namespace {

using namespace testing_support;

constexpr float dx = 0.05f;

Track rigid(Keyable<float> weight = 1.0f) { return track("rigid", {}, std::move(weight)); }

Keyable<float> over_time(std::vector<double> keys, std::vector<float> values) {
  return {Curve<float>(std::move(keys), std::move(values), Interpolation::linear), "time"};
}

ObjectSetup bar(int nx, int ny, int nz, std::vector<Track> tracks) {
  return object("bar", block(3, dx, nx, ny, nz), dx, std::move(tracks));
}

/// The largest change of a distance between two particles since then.
double strain(const World& world, const std::vector<Vec3>& then) {
  const std::vector<Vec3> now = positions(world);
  double most = 0;
  for (std::size_t i = 0; i < now.size(); i += 7)
    for (std::size_t j = 0; j < i; j += 5)
      most = std::max(most, std::abs(static_cast<double>((now[i] - now[j]).norm() - (then[i] - then[j]).norm())));
  return most;
}

Vec3 centre(const World& world, Index of = 0) {
  Vec3d sum = Vec3d::Zero();
  double count = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::object][i] == of) {
      sum += world.particles()[columns::position][i].cast<double>();
      ++count;
    }
  return (sum / count).cast<float>();
}

TEST(RigidMatter, TumblesWithItsEnergyAndBothMomentaInItsShape) {
  // About the axis between its largest and its smallest inertia: it flips over and over.
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(bar(10, 6, 2, {rigid()}));
  setup.objects[0].velocity = Vec3(0.02f, -0.01f, 0.03f);
  setup.objects[0].angular_velocity = Vec3(0.05f, 6, 0.02f);
  setup.largest_step = 0.002f;
  World world(setup);
  const std::vector<Vec3> then = positions(world);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  const double E = kinetic_energy(world);
  float least = 1, most = -1;
  while (world.time() < 10) {
    world.step(10);
    // How the long axis stands to the axis it was spun about.
    const std::vector<Vec3> now = positions(world);
    const float flip = (now.back() - now.front()).normalized().dot((then.back() - then.front()).normalized());
    least = std::min(least, flip);
    most = std::max(most, flip);
  }
  EXPECT_LT(least, -0.8f);
  EXPECT_LT((momentum(world) - p).norm(), 1e-5 * p.norm()) << "rounding of 5,000 steps";
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-5 * L.norm());
  EXPECT_NEAR(kinetic_energy(world), E, 1e-4 * E);
  EXPECT_LT(strain(world, then), 1e-6) << "no more than rounding of the last positions";
}

TEST(RigidMatter, RestsOnAFloorWhereItStood) {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(bar(6, 4, 4, {rigid(), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_box(Vec3(-2, -2, -1), Vec3(2, 2, 0))));
  World world(setup);
  const std::vector<Vec3> then = positions(world);
  run_until(world, 2);
  const std::vector<Vec3> now = positions(world);
  for (std::size_t i = 0; i != now.size(); ++i) ASSERT_LT((now[i] - then[i]).norm(), 0.01f * dx);
  EXPECT_NEAR(world.force_on(0).z(), -9.81 * 96 * 1000 * std::pow(dx, 3), 0.01 * 9.81 * 96 * 1000 * std::pow(dx, 3));
}

TEST(RigidMatter, SlidesDownASlopeSteeperThanItsFrictionAsCoulombSays) {
  for (const double angle : {20.0, 40.0}) {
    // The slope is a floor with gravity aslant.
    const double mu = 0.5, radians = angle / 180 * std::numbers::pi;
    WorldSetup setup = world_setup(3, dx);
    setup.objects.push_back(
        bar(8, 4, 2,
            {rigid(), track("contact", {{Contact::friction, mu}}),
             track("gravity", {{Gravity::acceleration, 9.81f * Vec3(static_cast<float>(std::sin(radians)), 0,
                                                                    -static_cast<float>(std::cos(radians)))}})}));
    setup.colliders.push_back(solid("floor", make_box(Vec3(-2, -2, -1), Vec3(9, 2, 0))));
    setup.colliders[0].friction = static_cast<float>(mu);
    // In contact the motion is of first order in the step.
    setup.largest_step = 0.002f;
    World world(setup);
    const float before = centre(world).x();
    run_until(world, 0.8);
    const double a = std::max(0.0, 9.81 * (std::sin(radians) - mu * std::cos(radians)));
    EXPECT_NEAR(centre(world).x() - before, 0.5 * a * 0.8 * 0.8, 0.005 * a + 0.001) << angle << " degrees";
  }
}

TEST(RigidMatter, BouncesAsItsColliderSays) {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("ball", make_sphere(Vec3(0, 0, 0.7f), 0.2f), dx, {rigid(), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_box(Vec3(-2, -2, -1), Vec3(2, 2, 0))));
  setup.colliders[0].bounce = 0.5f;
  setup.largest_step = 0.001f;
  World world(setup);
  const float top = centre(world).z();
  float lowest = top, risen = 0;
  while (world.time() < 0.75) {
    world.step(0.75);
    lowest = std::min(lowest, centre(world).z());
    if (centre(world).z() > lowest + 0.001f) risen = std::max(risen, centre(world).z());
  }
  // Half the speed: a quarter of the height.
  EXPECT_NEAR(risen - lowest, 0.25f * (top - lowest), 0.02f * (top - lowest));
}

TEST(RigidMatter, GivesWhatItHitsTheExactOpposite) {
  // A rigid body that is hit off its centre, without gravity.
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(bar(6, 4, 4, {rigid()}));
  setup.objects[0].velocity = Vec3(1, 0, 0);
  ColliderSetup ball = solid("ball", make_box(Vec3(0.36f, 0.12f, -0.1f), Vec3(0.66f, 0.4f, 0.3f)));
  ball.rigid.emplace().density = 700;
  ball.rigid->gravity = Vec3(Vec3::Zero());
  setup.colliders.push_back(ball);
  // An impulse reaches a rigid body as a force held over the next step, in which it moves by less than this matters.
  setup.largest_step = 0.0005f;
  World world(setup);
  const auto all = [&] {
    const MassProperties& properties = world.bodies().rigid().properties(0);
    const RigidState state(world.bodies()[0].state(), properties);
    const Vec3d p = properties.mass * state.velocity;
    return std::pair(Vec3d(momentum(world) + p),
                     Vec3d(angular_momentum(world) + state.centre.cross(p) + state.angular_momentum(properties)));
  };
  const auto [p, L] = all();
  run_until(world, 0.5);
  ASSERT_LT(centre(world).x(), 0.15f + 0.4f) << "it was stopped or slowed";
  ASSERT_GT(world.bodies()[0].state().velocity.x(), 0.1);
  const auto [p_then, L_then] = all();
  EXPECT_LT((p_then - p).norm(), 1e-4 * p.norm());
  EXPECT_LT((L_then - L).norm(), 5e-3 * L.norm());
}

TEST(RigidMatter, PiecesCollideWithEachOtherAndKeepMomenta) {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(bar(6, 4, 4, {rigid()}));
  setup.objects[0].velocity = Vec3(1, 0, 0);
  setup.objects.push_back(object("other", make_box(Vec3(0.4f, 0.1f, 0.05f), Vec3(0.6f, 0.3f, 0.25f)), dx, {rigid()}));
  World world(setup);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  run_until(world, 0.6);
  EXPECT_GT(centre(world, 1).x(), 0.6f) << "it was hit";
  EXPECT_GT(centre(world, 1).x() - centre(world, 0).x(), 0.2f) << "nothing went through";
  EXPECT_LT((momentum(world) - p).norm(), 1e-5 * p.norm());
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-4 * L.norm());
}

TEST(RigidMatter, TakesTheMomentaOfWhatItIsMadeOf) {
  // Water that turns and swirls inside stiffens: both momenta stay, and then it is one body.
  for (const bool at_once : {false, true}) {
    WorldSetup setup = world_setup(3, dx);
    const double fade = at_once ? 1e-6 : 0.1;
    Track fluid = track("fluid", {}, over_time({0.05, 0.05 + fade}, {1, 0}));
    setup.objects.push_back(bar(8, 6, 4, {fluid, rigid(over_time({0.05, 0.05 + fade}, {0, 1}))}));
    setup.objects[0].velocity = Vec3(0.5f, 0, 0);
    setup.objects[0].angular_velocity = Vec3(0, 0.5f, 1);
    World world(setup);
    change_particles(world, [](const Vec3& x, Vec3& v) { v += 0.1f * Vec3(std::sin(20 * x.y()), 0, 0); });
    world.evaluate();
    const Vec3d p = momentum(world), L = angular_momentum(world);
    run_until(world, 0.25);
    const std::vector<Vec3> then = positions(world);
    EXPECT_LT((momentum(world) - p).norm(), 1e-4 * p.norm());
    EXPECT_LT((angular_momentum(world) - L).norm(), 1e-4 * L.norm());
    run_until(world, 0.5);
    EXPECT_LT(strain(world, then), 1e-6);
  }
}

TEST(RigidMatter, FallsApartWhereItIsLetGo) {
  // The middle of a spinning bar turns to dust: its ends are two bodies that fly apart, each turning as it did.
  WorldSetup setup = world_setup(3, dx);
  const Keyable<float> unless_marked(Curve<float>({0, 0.5}, {1, 0}, Interpolation::linear), "mark");
  setup.objects.push_back(bar(12, 3, 3, {rigid(unless_marked), track("history")}));
  setup.objects[0].angular_velocity = Vec3(0, 0, 2);
  RegionSetup zone;
  zone.name = "zone";
  zone.behaviour = History::description.name;
  zone.shape = make_box(Vec3(0.2f, -1, -1), Vec3(0.4f, 1, 1));
  zone.values.set(History::zone_value, Keyable<float>(1.0f));
  zone.values.set(History::zone_rate, Keyable<float>(1e5f));
  zone.on = over_time({0.1, 0.1001, 0.12, 0.1201}, {0, 1, 1, 0});
  setup.regions.push_back(zone);
  setup.largest_step = 0.002f;
  World world(setup);
  const std::vector<Vec3> at_first = positions(world);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  run_until(world, 0.09);
  EXPECT_LT(strain(world, at_first), 1e-6) << "one body so far";
  run_until(world, 0.6);
  const std::vector<Vec3> now = positions(world);
  const auto distance = [&](const std::vector<Vec3>& at, bool same_end) {
    std::vector<float> all;
    for (std::size_t i = 0; i != at.size(); ++i)
      for (std::size_t j = 0; j != i; ++j) {
        const float x = at_first[i].x(), y = at_first[j].x();
        const bool ends = std::abs(x - 0.3f) > 0.15f && std::abs(y - 0.3f) > 0.15f;
        if (ends && ((x < 0.3f) == (y < 0.3f)) == same_end) all.push_back((at[i] - at[j]).norm());
      }
    return all;
  };
  const std::vector<float> within = distance(at_first, true), within_now = distance(now, true);
  for (std::size_t k = 0; k != within.size(); ++k) ASSERT_NEAR(within_now[k], within[k], 1e-6f);
  EXPECT_GT(std::ranges::min(distance(now, false)), std::ranges::min(distance(at_first, false)) + 0.1f);
  EXPECT_LT((momentum(world) - p).norm(), 1e-4 * 0.3 * L.norm());
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-4 * L.norm());
}

TEST(RigidMatter, FloatsAtItsDensity) {
  WorldSetup setup = world_setup(2, dx);
  const Track calm = track("artificial_viscosity", {{ArtificialViscosity::alpha, 0.3}});
  setup.objects.push_back(object("pool", rectangle(0, 0, 1.5f, 0.5f), dx, {track("fluid"), calm, track("gravity")}));
  setup.objects.push_back(object("block", rectangle(0.5f, 0.5f, 1, 0.7f), dx, {rigid(), track("gravity")}));
  setup.objects[1].density = 500;
  setup.colliders.push_back(container("tank", rectangle(0, 0, 1.5f, 2), 1));
  World world(setup);
  run_until(world, 4);
  float bottom = infinity;
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::object][i] == 1)
      bottom = std::min(bottom, world.particles()[columns::position][i].y() - dx / 2);
  const float level = (1.5f * 0.5f + 0.5f * 0.5f * 0.2f) / 1.5f;
  EXPECT_NEAR(level - bottom, 0.1f, 0.4f * dx) << "half of it is below the level";
}

TEST(RigidMatter, GoesOnFromAFrameWithTheSameBits) {
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(bar(
      6, 4, 4,
      {track("fluid", {}, over_time({0.1, 0.15}, {1, 0})), track("gravity"), rigid(over_time({0.1, 0.15}, {0, 1}))}));
  setup.objects[0].velocity = Vec3(1, 0, 0);
  setup.colliders.push_back(solid("floor", make_box(Vec3(-2, -2, -1), Vec3(3, 2, -0.1f))));
  for (const double time : {0.12, 0.2}) expect_resumed_the_same(setup, time, 0.3);
}

}  // namespace
}  // namespace fondue::test_rigid_matter
