// A block by a list of materials: it does to the last bit what the same weights of single behaviours do, keeps its mass
// and momenta through every fade, and comes to the same end when it is interrupted in one.

#include <gtest/gtest.h>

#include "scene/scene.h"
#include "support/momenta.h"
#include "support/resumed.h"

namespace fondue::test_material_tracks {
namespace {

using namespace testing_support;

constexpr double end_of_run = 0.5;

const std::string flat_scene = R"([scene]
dimension = 2
spacing = 0.02
[time]
duration = 0.5
)";

/// Sand becomes water, water becomes honey; both fades are over at 0.4 s.
const std::string as_a_list = R"([materials.sand]
fluid = { rest_density = 1200 }
sand = { friction_angle = 32 }
[materials.water]
fluid = {}
artificial_viscosity = { alpha = 0.05 }
[materials.honey]
fluid = { rest_density = 1200 }
viscosity = { dynamic_viscosity = 20 }
[[objects]]
name = "block"
materials = [ { material = "sand" }, { material = "water", from = 0.1, fade = 0.1 }, { material = "honey", from = 0.25, fade = 0.15 } ]
shape = { type = "box", min = [0, 0], max = [0.32, 0.32] }
)";

const std::string as_single_weights = R"([materials.all]
fluid = [ { rest_density = 1200, weight = { time = [0.1, 0.2], value = [1, 0] } },
          { weight = { time = [0.1, 0.2, 0.25, 0.4], value = [0, 1, 1, 0] } },
          { rest_density = 1200, weight = { time = [0.25, 0.4], value = [0, 1] } } ]
sand = { friction_angle = 32, weight = { time = [0.1, 0.2], value = [1, 0] } }
artificial_viscosity = { alpha = 0.05, weight = { time = [0.1, 0.2, 0.25, 0.4], value = [0, 1, 1, 0] } }
viscosity = { dynamic_viscosity = 20, weight = { time = [0.25, 0.4], value = [0, 1] } }
[[objects]]
name = "block"
material = "all"
shape = { type = "box", min = [0, 0], max = [0.32, 0.32] }
)";

const std::string in_a_box = R"(gravity = {}
[[colliders]]
name = "box"
container = true
shape = { type = "box", min = [-0.1, 0], max = [0.6, 1] }
)";

WorldSetup world_of(const std::string& matter, const std::string& more) {
  return parse_scene(flat_scene + matter + more, "block.toml").world;
}

double total_mass(const World& world) {
  double sum = 0;
  for (const float mass : world.particles()[columns::mass]) sum += static_cast<double>(mass);
  return sum;
}

TEST(MaterialTracks, AreTheSameToTheLastBitAsSingleWeights) {
  World list(world_of(as_a_list, in_a_box)), single(world_of(as_single_weights, in_a_box));
  const double mass = total_mass(list);
  run_until(list, end_of_run);
  run_until(single, end_of_run);
  expect_same_bits(list, single);
  EXPECT_EQ(total_mass(list), mass);
}

TEST(MaterialTracks, MomentaAreConstantThroughTheFades) {
  WorldSetup setup = world_of(as_a_list, "");
  setup.objects[0].velocity = Vec3(1, 0.5f, 0);
  setup.objects[0].angular_velocity = Vec3(0, 0, 0.5f);
  World world(setup);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  const double mass = total_mass(world);
  run_until(world, end_of_run);
  // Rounding of some thousand steps, as for single weights (test_transitions.cpp).
  EXPECT_LT((momentum(world) - p).norm(), 1e-4 * p.norm());
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-3 * p.norm() * 0.32);
  EXPECT_EQ(total_mass(world), mass);
}

TEST(MaterialTracks, AnInterruptedFadeGoesOnAsIfNothingHadHappened) {
  const WorldSetup setup = world_of(as_a_list, in_a_box);
  for (const double time : {0.15, 0.3}) expect_resumed_the_same(setup, time, 0.45);
}

}  // namespace
}  // namespace fondue::test_material_tracks
