// Scenes of rigid bodies, coarser than in the gallery: what must be seen, as numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "support/rigid.h"
#include "support/seen.h"

namespace fondue::test_gallery_bodies {
namespace {

using testing_support::gallery_scene;
using testing_support::rigid_state;

Index body_named(const World& world, const std::string& name) {
  for (Index b = 0; b != world.bodies().size(); ++b)
    if (world.bodies()[b].setup().name == name) return b;
  throw std::runtime_error("no body " + name);
}

TEST(Stack, StandsUntilTheBallComesAndFloatsInTheEnd) {
  World world(gallery_scene("stack", {{"scene.spacing", "0.04"}}));
  EXPECT_TRUE(world.notes().empty());
  const Index top = body_named(world, "box 4.1");
  const Vec3d start = rigid_state(world, top).centre;
  testing_support::run_until(world, 0.1);
  EXPECT_LT((rigid_state(world, top).centre - start).norm(), 1e-3);
  testing_support::run_until(world, 2.5);
  EXPECT_LT(rigid_state(world, top).centre.z(), start.z() - 0.2);
  int in_water = 0;
  for (const Index b : world.bodies().rigid().indices()) {
    const Vec3d at = rigid_state(world, b).centre;
    // Nothing has left the basin or sunk into its floor.
    EXPECT_GT(at.z(), 0.04);
    EXPECT_LT(std::abs(at.y()), 0.4);
    EXPECT_GT(at.x(), -0.8);
    EXPECT_LT(at.x(), 1.3);
    in_water += at.x() > 0.2;
  }
  EXPECT_GE(in_water, 5);
}

TEST(Boats, FloatTheHigherTheLighterTheyAre) {
  World world(gallery_scene("boats", {{"scene.spacing", "0.045"}}));
  testing_support::run_until(world, 3);
  // Height of the middle of the buoy, of the deck of the boat, of the top of the barrel above its own middle.
  const double boat = world.bodies()[body_named(world, "boat")].state().pose.position.z();
  const double buoy = rigid_state(world, body_named(world, "buoy")).centre.z();
  const double barrel = rigid_state(world, body_named(world, "barrel")).centre.z();
  EXPECT_GT(boat, buoy);
  EXPECT_GT(buoy, barrel);
  EXPECT_GT(barrel, 0.1);
}

TEST(Waterwheel, TurnsAtASteadyRate) {
  World world(gallery_scene("waterwheel", {{"scene.spacing", "0.03"}}));
  const Index wheel = body_named(world, "wheel");
  const auto turned = [&](double until) {
    double angle = 0;
    while (world.time() < until - 1e-9) {
      const double before = world.time();
      world.step(until);
      angle += rigid_state(world, wheel).angular_velocity.y() * (world.time() - before);
    }
    return angle;
  };
  turned(2);
  // Blades pass the jet one by one, so the rate is steady only on average.
  const double first = turned(3.5) / 1.5, second = turned(5) / 1.5;
  EXPECT_GT(first, 3);
  EXPECT_NEAR(second, first, 0.15 * first);
  // It turns in its bearing only.
  EXPECT_LT(rigid_state(world, wheel).centre.norm(), 2e-3);
}

}  // namespace
}  // namespace fondue::test_gallery_bodies
