// Rigid bodies in water: momentum that is exchanged and conserved, draught, light bodies.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "cache/statistics.h"
#include "support/rigid.h"

namespace fondue::test_floating {
namespace {

using namespace testing_support;

constexpr float g = 9.81f;

Vec3d momentum_of_matter(const World& world) {
  Vec3d sum = Vec3d::Zero();
  const Particles& particles = world.particles();
  for (Index i = 0; i != particles.size(); ++i)
    sum += static_cast<double>(particles[columns::mass][i]) * particles[columns::velocity][i].cast<double>();
  return sum;
}

TEST(BodyInFluid, ExchangesMomentumExactly) {
  // A drop hits a free body off its middle, far from everything.
  constexpr float dx = 0.02f;
  for (const bool viscous : {false, true}) {
    WorldSetup setup = world_setup(3, dx);
    std::vector<Track> tracks = {track("fluid", {{Fluid::rest_density, 1000}}), track("artificial_viscosity")};
    if (viscous) tracks.push_back(track("viscosity"));
    setup.objects.push_back(object("drop", make_sphere(Vec3(0, 0.03f, 0.2f), 0.08f), dx, tracks));
    setup.objects[0].velocity = Vec3(0, 0, -2);
    setup.colliders.push_back(rigid("plate", box_at(Vec3::Zero(), Vec3(0.2f, 0.2f, 0.08f)), 400, Vec3::Zero()));
    World world(setup);
    const Vec3d before = momentum_of_matter(world);
    const double mass = world.bodies().rigid().properties(0).mass;
    run_until(world, 0.2);
    const RigidState state = rigid_state(world, 0);
    const Vec3d after = momentum_of_matter(world) + mass * state.velocity;
    // The body has taken a good part of it and turns.
    EXPECT_GT(mass * state.velocity.norm(), 0.2 * before.norm());
    EXPECT_GT(std::abs(state.angular_velocity.x()), 0.3);
    EXPECT_LT((after - before).norm(), 1e-4 * before.norm()) << (viscous ? "viscous" : "");
  }
}

struct Pool {
  WorldSetup setup;
  float width, depth;
};

/// A plane pool of water with a body that floats in it.
WorldSetup pool(float dx, float width, float depth, ColliderSetup body) {
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("water", rectangle(0, 0, width, depth), dx,
                                 {track("gravity", {{Gravity::acceleration, Vec3(0, -g, 0)}}), track("fluid"),
                                  track("artificial_viscosity", {})}));
  setup.colliders.push_back(container("tank", rectangle(0, 0, width, 3 * depth), 1));
  body.slip = 1;
  setup.colliders.push_back(std::move(body));
  return setup;
}

/// Mean height of its centre of mass over the last part of a run, how fast it still moves then, and the mean
/// compression of the water.
struct Rest {
  double height = 0, fastest = 0, tilt = 0, compression = 0;
};
Rest rest_of(World& world, Index body, double from, double to) {
  run_until(world, from);
  Rest rest;
  constexpr int samples = 20;
  for (int k = 1; k <= samples; ++k) {
    run_until(world, from + (to - from) * k / samples);
    const RigidState state = rigid_state(world, body);
    rest.height += state.centre.y() / samples;
    rest.compression += measure(world)["mean compression"] / samples;
    rest.fastest = std::max(rest.fastest, state.velocity.norm());
    rest.tilt = std::max(rest.tilt, std::abs(2 * std::atan2(state.rotation.z(), state.rotation.w())));
  }
  return rest;
}

TEST(FloatingBlock, DrawsWhatArchimedesSays) {
  constexpr float dx = 0.0125f, width = 0.8f, depth = 0.3f, side = 0.2f;
  for (const float density : {250.0f, 500.0f, 800.0f}) {
    // Released with its lower half in the water; a wide block lies flat.
    const float low = depth - 0.5f * side;
    WorldSetup setup =
        pool(dx, width, depth, rigid("block", rectangle(0.2f, low, 0.6f, low + side), density, Vec3(0, -g, 0)));
    World world(setup);
    const double water = static_cast<double>(world.particles().size()) * static_cast<double>(dx * dx);
    const Rest rest = rest_of(world, 1, 4, 6);
    // Water, compressed by its weight, fills the pool around what is under water: level = (water + draught x length) /
    // width.
    const double draught = static_cast<double>(density / 1000 * side);
    const double level = (water / (1 + rest.compression) + draught * 0.4) / static_cast<double>(width);
    const double got = level - (rest.height - 0.5 * static_cast<double>(side));
    EXPECT_NEAR(got / draught, 1, 0.03) << density;
    EXPECT_LT(rest.tilt, 0.05) << density;
    EXPECT_LT(rest.fastest, 0.05) << density;
  }
}

/// A ball of ten spacings in a tank. Its draught is measured from the level that the water has by its volume,
/// compressed as it is by its weight.
TEST(FloatingSphere, DrawsWhatArchimedesSays) {
  constexpr float dx = 0.04f, half = 0.4f, depth = 0.4f, radius = 0.2f;
  constexpr double R = static_cast<double>(radius), density = 0.25;
  // Depth of a cap of this part of the volume: h^2 (3 R - h) = 4 R^3 density.
  double draught = R;
  for (int k = 0; k != 50; ++k) draught = std::sqrt(4 * R * R * R * density / (3 * R - draught));
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("water", make_box(Vec3(-half, -half, 0), Vec3(half, half, depth)), dx,
                                 {track("gravity"), track("fluid"), track("artificial_viscosity")}));
  setup.colliders.push_back(container("tank", make_box(Vec3(-half, -half, 0), Vec3(half, half, 3 * depth)), 1));
  ColliderSetup ball = rigid("ball", make_sphere(Vec3(0, 0, depth + radius - static_cast<float>(draught)), radius),
                             static_cast<float>(1000 * density));
  ball.slip = 1;
  setup.colliders.push_back(ball);
  World world(setup);
  const double area = 4 * static_cast<double>(half * half);
  const double water = static_cast<double>(world.particles().size()) * std::pow(static_cast<double>(dx), 3);
  run_until(world, 1.2);
  double got = 0;
  constexpr int samples = 20;
  for (int k = 1; k <= samples; ++k) {
    run_until(world, 1.2 + 0.8 * k / samples);
    const double compressed = 1 + measure(world)["mean compression"];
    const double level = (water / compressed + density * 4 / 3 * std::numbers::pi * R * R * R) / area;
    got += (level - (rigid_state(world, 1).centre.z() - R)) / samples;
  }
  EXPECT_NEAR(got / draught, 1, 0.03);
}

TEST(LightBody, FloatsWithoutBeingThrownAbout) {
  constexpr float dx = 0.02f;
  for (const float density : {200.0f, 50.0f, 10.0f, 2.0f}) {
    WorldSetup setup =
        pool(dx, 0.6f, 0.24f, rigid("cork", rectangle(0.24f, 0.2f, 0.36f, 0.32f), density, Vec3(0, -g, 0)));
    World world(setup);
    double fastest = 0, highest = 0;
    for (int k = 1; k <= 200; ++k) {
      run_until(world, 0.01 * k);
      fastest = std::max(fastest, rigid_state(world, 1).velocity.norm());
      if (k > 150) highest = std::max(highest, rigid_state(world, 1).velocity.norm());
    }
    // Rising from where it is released it cannot be faster than this.
    EXPECT_LT(fastest, 1.5) << density;
    EXPECT_LT(highest, 0.2) << density;
  }
}

}  // namespace
}  // namespace fondue::test_floating
