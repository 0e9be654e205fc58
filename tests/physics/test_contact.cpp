// Contact of elastic bodies with each other and with themselves.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <numbers>

#include "behaviours/contact.h"
#include "behaviours/drag.h"
#include "behaviours/elastic_shape.h"
#include "behaviours/fluid.h"
#include "behaviours/fracture.h"
#include "behaviours/gravity.h"
#include "core/random.h"
#include "support/bits.h"
#include "support/momenta.h"
#include "support/resumed.h"

namespace fondue::test_contact {
namespace {

using namespace testing_support;

Track slippery() { return track("contact", {{Contact::friction, 0}}); }

/// Smallest distance between particles of different objects, in spacings.
double nearest(const World& world) {
  const auto x = world.particles()[columns::position];
  const auto object = world.particles()[columns::object];
  float least = infinity;
  for (Index i = 0; i != x.size(); ++i)
    for (Index j = 0; j != i; ++j)
      if (object[i] != object[j]) least = std::min(least, (x[i] - x[j]).squaredNorm());
  return static_cast<double>(std::sqrt(least) / world.setup().spacing);
}

struct Outcome {
  double most_energy = 0, energy = 0, nearest = infinity, change_of_momentum = 0, change_of_spin = 0;
};

/// Runs a collision; energies over that of the start, changes of momenta over the size of the momentum.
Outcome collide(World& world, double until) {
  Outcome result;
  const double start = energy_of_solids(world);
  const Vec3d p = momentum(world), spin = angular_momentum(world);
  while (world.time() < until) {
    world.step(until);
    result.most_energy = std::max(result.most_energy, energy_of_solids(world) / start);
    if (world.steps() % 10 == 0) result.nearest = std::min(result.nearest, nearest(world));
  }
  result.energy = energy_of_solids(world) / start;
  result.change_of_momentum = (momentum(world) - p).norm() / p.norm();
  result.change_of_spin = (angular_momentum(world) - spin).norm() / p.norm();
  return result;
}

/// A bar that flies into another of its kind comes to rest, and the other flies on.
TEST(Contact, EqualBarsExchangeTheirMomentum) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  for (const float left : {-1.1f, 0.0f})
    setup.objects.push_back(object(left < 0 ? "flying" : "resting",
                                   make_box(Vec3(left, 0, 0), Vec3(left + 1, 0.2f, 0.2f)), dx,
                                   {elastic(1e5, 0.3), slippery()}));
  setup.objects[0].velocity = Vec3(1, 0, 0);
  World world(setup);
  const Outcome outcome = collide(world, 0.6);
  // A wave of length 2 L passes through both, and leaves a little behind in vibrations.
  EXPECT_NEAR(mean_velocity_x(world, 0), 0, 0.03);
  EXPECT_NEAR(mean_velocity_x(world, 1), 1, 0.03);
  EXPECT_LT(outcome.most_energy, 1.01);
  EXPECT_GT(outcome.energy, 0.95);
  EXPECT_LT(outcome.change_of_momentum, 1e-6);
  EXPECT_LT(outcome.change_of_spin, 1e-6);
}

struct Impact {
  double E, speed;
};
class Impacts : public testing::TestWithParam<Impact> {};
INSTANTIATE_TEST_SUITE_P(Contact, Impacts, testing::Values(Impact{1e4, 3}, Impact{1e5, 5}, Impact{1e7, 5}),
                         [](const auto& of) { return "of" + std::to_string(static_cast<int>(of.param.E)) + "Pa"; });

/// Cubes that meet with an edge ahead: no energy comes from nowhere, and they stay out of each other.
TEST_P(Impacts, GainNoEnergyAndDoNotPenetrate) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  const std::vector<Track> tracks = {elastic(GetParam().E, 0.3), slippery()};
  setup.objects.push_back(object("flying", make_box(Vec3(-0.5f, 0, 0), Vec3(-0.1f, 0.4f, 0.4f)), dx, tracks));
  setup.objects.push_back(object("resting", make_box(Vec3(0, 0.23f, 0.18f), Vec3(0.4f, 0.63f, 0.58f)), dx, tracks));
  setup.objects[0].velocity = Vec3(static_cast<float>(GetParam().speed), 0, 0);
  World world(setup);
  const Outcome outcome = collide(world, 0.4 / GetParam().speed + 3 / std::sqrt(GetParam().E / 1000));
  EXPECT_GT(mean_velocity_x(world, 1), 0.1 * GetParam().speed) << "they did meet";
  EXPECT_LT(outcome.most_energy, 1.01);
  EXPECT_GT(outcome.nearest, 0.55) << "spacings; surfaces touch at 1";
  EXPECT_LT(outcome.change_of_momentum, 1e-6);
  EXPECT_LT(outcome.change_of_spin, 1e-5);
}

/// A block on a held slab that is tilted by an angle: what it has moved by after a while, and its acceleration then.
std::pair<double, double> slide(double degrees, double friction) {
  const float dx = 0.05f, angle = static_cast<float>(degrees * std::numbers::pi / 180);
  WorldSetup setup = world_setup(3, dx);
  const Track contact = track("contact", {{Contact::friction, friction}});
  setup.objects.push_back(
      object("slab", make_box(Vec3(-0.5f, -0.3f, -0.1f), Vec3(1.5f, 0.3f, 0)), dx, {elastic(1e6, 0.3, 0.5), contact}));
  setup.objects.push_back(object(
      "block", make_box(Vec3(0, -0.15f, 0), Vec3(0.3f, 0.15f, 0.15f)), dx,
      {elastic(1e6, 0.3, 0.5), contact,
       track("gravity", {{Gravity::acceleration, Vec3(9.81f * std::sin(angle), 0, -9.81f * std::cos(angle))}})}));
  PinSetup hold = pin("hold", make_box(Vec3::Constant(-2), Vec3(2, 2, 0)));
  hold.object = 0;
  setup.pins.push_back(hold);
  World world(setup);
  run_until(world, 0.3);
  const double speed = mean_velocity_x(world, 1);
  const auto place = [&] {
    return mean_of(
        world, [&](Index i) { return world.particles()[columns::object][i] == 1; },
        [&](Index i) { return world.particles()[columns::position][i].x(); });
  };
  const double before = place();
  run_until(world, 0.6);
  return {place() - before, (mean_velocity_x(world, 1) - speed) / 0.3};
}

TEST(Contact, FrictionIsCoulombs) {
  EXPECT_LT(std::abs(slide(20, 0.5).first), 0.005) << "tan 20 is less than 0.5: it sticks";
  const double angle = 40 * std::numbers::pi / 180;
  EXPECT_NEAR(slide(40, 0.5).second, 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)), 0.5);
  EXPECT_NEAR(slide(40, 0).second, 9.81 * std::sin(angle), 0.1) << "and without friction nothing holds it";
}

/// Arms of a U whose ends fly at each other.
double least_gap_of_arms(float contact) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object(
      "u", make_union({rectangle(0, 0, 0.8f, 0.2f), rectangle(0, 0.2f, 0.2f, 1.2f), rectangle(0.6f, 0.2f, 0.8f, 1.2f)}),
      dx, {elastic(3e4, 0.3, 0.2), track("contact", {}, contact)}));
  World world(setup);
  const std::vector<Vec3> start = positions(world);
  change_particles(world, [](const Vec3& x, Vec3& v) {
    if (x.y() > 0.2f) v.x() = (x.x() < 0.4f ? 1.0f : -1.0f) * (x.y() - 0.2f);
  });
  world.evaluate();
  float least = infinity;
  while (world.time() < 0.5) {
    world.step(0.5);
    const std::vector<Vec3> x = positions(world);
    for (std::size_t i = 0; i != x.size(); ++i)
      for (std::size_t j = 0; j != x.size(); ++j)
        if (start[i].y() > 0.4f && start[j].y() > 0.4f && start[i].x() < 0.3f && start[j].x() > 0.5f)
          least = std::min(least, x[j].x() - x[i].x() > 0 ? (x[j] - x[i]).norm() : 0.0f);
  }
  return static_cast<double>(least / dx);
}

TEST(Contact, AFoldedBodyDoesNotPassThroughItself) {
  // In spacings. The arms are soft and meet along a line, where particles of one come to lie between those of the
  // other.
  EXPECT_GT(least_gap_of_arms(1), 0.3);
  EXPECT_EQ(least_gap_of_arms(0), 0) << "its arms do reach each other";
}

/// Torn in two by its hands and pushed together again, the pieces meet instead of passing through each other.
TEST(Contact, BrokenPiecesCollide) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object(
      "bar", make_box(Vec3(-0.5f, -0.1f, -0.1f), Vec3(0.5f, 0.1f, 0.1f)), dx,
      {elastic(1e5, 0.3, 0.5), track("fracture", {{Fracture::limit, 0.12}}), track("drag", {{Drag::linear, 20}})}));
  RegionSetup notch;
  notch.name = "notch";
  notch.behaviour = "fracture";
  notch.shape = make_box(Vec3(-0.03f, -1, -1), Vec3(0.03f, 1, 1));
  notch.values.set(Fracture::region_factor, Keyable<float>(0.5f));
  setup.regions.push_back(notch);
  for (const float side : {-1.0f, 1.0f}) {
    const Vec3 centre(0.9f * side, 0, 0);
    PinSetup clamp =
        pin(side < 0 ? "left" : "right", make_box(centre - Vec3::Constant(0.5f), centre + Vec3::Constant(0.5f)));
    clamp.motion.position = Keyable<Vec3>(
        Curve<Vec3>({0, 0.2, 0.4, 0.7},
                    {Vec3(0, 0, 0), Vec3(0.1f * side, 0, 0), Vec3(0.1f * side, 0, 0), Vec3(-0.1f * side, 0, 0)},
                    Interpolation::linear),
        "time");
    setup.pins.push_back(clamp);
  }
  World world(setup);
  run_until(world, 0.4);
  // Which side a particle belongs to, by id.
  const std::vector<Vec3> torn = positions(world);
  run_until(world, 0.7);
  const std::vector<Vec3> pushed = positions(world);
  float deepest = 0, least = infinity;
  for (std::size_t i = 0; i != torn.size(); ++i)
    for (std::size_t j = 0; j != torn.size(); ++j) {
      if (!(torn[i].x() < -0.02f && torn[j].x() > 0.02f)) continue;
      deepest = std::max(deepest, pushed[i].x() - pushed[j].x());
      if (torn[j].x() - torn[i].x() > 2.5f * dx) least = std::min(least, (pushed[i] - pushed[j]).norm());
    }
  EXPECT_GT(least / dx, 0.5) << "pieces stay out of each other";
  EXPECT_LT(deepest, 3 * dx) << "though 20 cm of push would make them overlap by more";
  EXPECT_GT(statistic(world, "elastic energy"), 1) << "they are pressed together";
}

/// The stiffness, and with it the step, follows what meets, not how far something could fall in the scene.
TEST(Contact, TheStepDoesNotDependOnTheHeightOfTheScene) {
  const float dx = 0.05f;
  std::vector<double> steps;
  for (const float height : {1.0f, 40.0f}) {
    WorldSetup setup = world_setup(3, dx);
    for (const float bottom : {0.0f, 0.21f})
      setup.objects.push_back(object(bottom > 0 ? "upper" : "lower",
                                     make_box(Vec3(0, 0, bottom), Vec3(0.2f, 0.2f, bottom + 0.2f)), dx,
                                     {elastic(1e4, 0.3, 0.5), track("gravity")}));
    setup.colliders.push_back(container("room", make_box(Vec3(-0.3f, -0.3f, 0), Vec3(0.5f, 0.5f, height))));
    World world(setup);
    run_until(world, 0.3);
    EXPECT_GT(nearest(world), 0.75) << "spacings; surfaces touch at 1";
    steps.push_back(static_cast<double>(world.steps()));
  }
  EXPECT_NEAR(steps[1] / steps[0], 1, 0.05);
}

TEST(Contact, BodiesThatOverlapAtTheStartAreMovedApart) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("left", make_box(Vec3::Zero(), Vec3::Constant(0.4f)), dx, {elastic(1e5, 0.3, 0.3)}));
  setup.objects.push_back(object("right", make_box(Vec3(0.35f, 0.02f, 0.03f), Vec3(0.75f, 0.42f, 0.43f)), dx,
                                 {elastic(1e5, 0.3, 0.3), track("drag", {{Drag::linear, 1}})}));
  World world(setup);
  ASSERT_EQ(world.notes().size(), 2u);
  EXPECT_NE(world.notes()[0].find("object 'left' overlaps"), std::string::npos);
  const double before = nearest(world);
  float fastest = 0;
  while (world.time() < 1.5) {
    world.step(1.5);
    for (const Vec3& v : world.particles()[columns::velocity]) fastest = std::max(fastest, v.norm());
  }
  EXPECT_LT(fastest, 1) << "nothing explodes";
  EXPECT_LT(before, 0.6);
  EXPECT_GT(nearest(world), 0.85);
}

}  // namespace
}  // namespace fondue::test_contact
