// The load of matter on colliders: what walls do to matter, matter does to walls, also where viscosity is solved for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "core/random.h"
#include "support/channel.h"
#include "support/setups.h"

namespace fondue::test_loads {
namespace {

using namespace testing_support;

constexpr int implicit_scheme = static_cast<int>(ViscosityScheme::implicit_);
constexpr int explicit_scheme = static_cast<int>(ViscosityScheme::explicit_);

/// Momentum and angular momentum about the origin of all matter; what the solve has left for the next step counts.
struct Momenta {
  Vec3d linear = Vec3d::Zero(), angular = Vec3d::Zero();
};
Momenta momenta(World& world) {
  Particles& p = world.particles();
  const auto left = optional_column(p, columns::solve_remainder);
  Momenta sum;
  for (Index i = 0; i != p.size(); ++i) {
    Vec3d v = p[columns::velocity][i].cast<double>();
    if (!left.empty()) v += left[i].cast<double>();
    sum.linear += p[columns::mass][i] * v;
    sum.angular += p[columns::mass][i] * p[columns::position][i].cast<double>().cross(v);
  }
  return sum;
}

class ClosedBox : public testing::TestWithParam<int> {
 protected:
  static constexpr float g = 9.81f;
  Vec3 up() const { return GetParam() == 2 ? Vec3(0, 1, 0) : Vec3(0, 0, 1); }

  /// A container full of honey, with a ball in it.
  WorldSetup setup(float viscosity) const {
    const int d = GetParam();
    const float side = d == 2 ? 1.0f : 0.6f;
    const ShapePtr inside = d == 2 ? rectangle(0, 0, side, side) : make_box(Vec3::Zero(), Vec3::Constant(side));
    WorldSetup result = world_setup(d, 0.1f);
    result.largest_step = 1e-3f;
    result.objects.push_back(object(
        "honey", inside, 0.1f,
        {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 10}}),
         track("viscosity", {{Viscosity::dynamic_viscosity, viscosity}, {Viscosity::scheme, implicit_scheme}})}));
    result.colliders.push_back(container("box", inside));
    result.colliders.push_back(
        solid("ball", make_sphere(Vec3(0.5f * side, 0.5f * side, d == 2 ? 0.0f : 0.5f * side), 0.15f)));
    return result;
  }
  /// A swirl that walls and ball rub against.
  static void swirl(World& world) {
    const float middle = world.setup().dimension == 2 ? 0.5f : 0.3f;
    for (Index i = 0; i != world.particles().size(); ++i) {
      const Vec3 x = world.particles()[columns::position][i] - Vec3(middle, middle, 0);
      world.particles()[columns::velocity][i] = 0.3f * Vec3(-x.y(), x.x(), 0);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(In, ClosedBox, testing::Values(2, 3),
                         [](const auto& in) { return std::to_string(in.param) + "D"; });

/// d/dt of the momentum is the weight less the loads on all colliders, step by step. The solve ends early, but what it
/// leaves is carried over and counts: no error of the iteration is in the sums.
TEST_P(ClosedBox, LoadsAreTheChangeOfMomentum) {
  for (const float viscosity : {10.0f, 1e4f})
    for (const PairLoops* loops : {available_pair_loops().front(), &plain_twin()}) {
      World world(setup(viscosity), *loops);
      swirl(world);
      double mass = 0;
      for (const float m : world.particles()[columns::mass]) mass += m;
      const double weight = mass * g, size = 1;
      double largest_shear = 0;
      // In the first step velocities are still predicted, since nothing was solved for yet.
      world.step(1e-3);
      for (int k = 2; k != 20; ++k) {
        const Momenta before = momenta(world);
        world.step(1e-3 * k);
        const double dt = world.last_step();
        const Momenta after = momenta(world);
        const Wrench box = world.load_on(0), ball = world.load_on(1);
        Vec3d gravity_torque = Vec3d::Zero();
        for (Index i = 0; i != world.particles().size(); ++i)
          gravity_torque += world.particles()[columns::position][i].cast<double>().cross(
              (-world.particles()[columns::mass][i] * g * up()).cast<double>());
        const Vec3d force = (-static_cast<float>(weight) * up() - box.force - ball.force).cast<double>();
        const Vec3d torque = gravity_torque - (box.torque + ball.torque).cast<double>();
        EXPECT_LT(((after.linear - before.linear) / dt - force).norm(), 1e-3 * weight) << "step " << k;
        // A remainder moves with its particle before it is added: v x remainder, once more as much.
        EXPECT_LT(((after.angular - before.angular) / dt - torque).norm(), 2e-3 * weight * size) << "step " << k;
        largest_shear =
            std::max<double>(largest_shear, std::abs(box.torque.z() + ball.torque.z() - gravity_torque.z()));
      }
      EXPECT_GT(largest_shear, 0.005 * weight * size) << "walls do feel the swirl";
    }
}

/// Where a point is taken changes the torque by the lever of the force.
TEST_P(ClosedBox, TorquesAreAboutTheGivenPoint) {
  World world(setup(1e3f));
  swirl(world);
  for (int k = 1; k != 4; ++k) world.step(1e-3 * k);
  const Vec3 point(0.7f, -0.4f, 0.2f);
  for (const Index collider : {0u, 1u}) {
    const Wrench about_origin = world.load_on(collider), about_point = world.load_on(collider, point);
    EXPECT_EQ(about_origin.force, about_point.force);
    const Vec3 expected = about_origin.torque - point.cross(about_origin.force);
    EXPECT_LT((about_point.torque - expected).norm(), 1e-4f * (about_origin.torque.norm() + about_origin.force.norm()));
  }
}

/// Wax that stands: container and ball together carry its weight.
TEST_P(ClosedBox, MatterAtRestLoadsItsContainerWithItsWeight) {
  World world(setup(1e4f));
  run_until(world, 0.3);
  double mass = 0;
  for (const float m : world.particles()[columns::mass]) mass += m;
  Vec3d sum = Vec3d::Zero();
  constexpr int samples = 50;
  for (int k = 0; k != samples; ++k) {
    world.step(world.time() + 1e-3);
    sum += (world.force_on(0) + world.force_on(1)).cast<double>() / samples;
  }
  // It still creeps: 0.06 % of the weight in two dimensions.
  EXPECT_LT((sum + mass * g * up().cast<double>()).norm(), 5e-3 * mass * g);
}

/// Honey that sloshes in its container, where both schemes can run: the same loads over time, within the first order of
/// the solve.
TEST_P(ClosedBox, BothSchemesLoadItAlike) {
  std::vector<std::vector<double>> loads;
  for (const int scheme : {implicit_scheme, explicit_scheme}) {
    WorldSetup honey = setup(100);
    honey.objects[0].tracks[2].values.set(Viscosity::scheme, Keyable<float>(static_cast<float>(scheme)));
    World world(honey);
    std::vector<double> means;
    for (int tenth = 0; tenth != 4; ++tenth) {
      double sum = 0;
      for (int k = 0; k != 100; ++k) {
        world.step(0.1 * tenth + 1e-3 * (k + 1));
        sum += world.force_on(0).dot(up()) + world.force_on(1).dot(up());
      }
      means.push_back(sum / 100);
    }
    loads.push_back(means);
  }
  // Sloshing makes them differ by half of the weight from tenth to tenth of a second.
  const auto [least, most] = std::ranges::minmax(loads[0]);
  for (std::size_t k = 0; k != 4; ++k) EXPECT_NEAR(loads[0][k], loads[1][k], 0.03 * (most - least)) << "tenth " << k;
}

/// Mean forces along x on floor and ceiling of a channel whose ceiling moves, once the flow is steady.
struct PlateForces {
  double floor = 0, ceiling = 0;
};
PlateForces couette(int scheme, float viscosity, float largest_step) {
  WorldSetup setup =
      channel(0.0625f, {track("fluid", {{Fluid::speed_of_sound, 10}, {Fluid::allow_tension, 0}}),
                        track("viscosity", {{Viscosity::dynamic_viscosity, viscosity}, {Viscosity::scheme, scheme}})});
  setup.colliders[1].surface_velocity = Vec3(1, 0, 0);
  setup.largest_step = largest_step;
  World world(setup);
  // Almost steady from the start: the velocity is the height.
  for (Index i = 0; i != world.particles().size(); ++i)
    world.particles()[columns::velocity][i] = Vec3(world.particles()[columns::position][i].y(), 0, 0);
  run_until(world, 0.3);
  PlateForces sum;
  double time = 0;
  while (world.time() < 0.6) {
    world.step(0.6);
    sum.floor += world.last_step() * world.force_on(0).x();
    sum.ceiling += world.last_step() * world.force_on(1).x();
    time += world.last_step();
  }
  return {sum.floor / time, sum.ceiling / time};
}

TEST(Couette, BothPlatesFeelOppositeForcesAndBothSchemesAgree) {
  constexpr float viscosity = 500;
  // mu U/H per unit of length, on half a metre.
  constexpr double exact = viscosity * 0.5;
  const PlateForces by_solve = couette(implicit_scheme, viscosity, 1e-3f);
  const PlateForces by_steps = couette(explicit_scheme, viscosity, 1e-3f);
  for (const PlateForces& forces : {by_solve, by_steps}) {
    // Steady but for the disorder that particles moving past each other make, a few per cent.
    EXPECT_NEAR(forces.floor, -forces.ceiling, 0.04 * exact);
    EXPECT_GT(forces.floor, 0) << "the floor is dragged along";
    // The viscous sum over disordered particles is within a few per cent (viscosity.h), and so is the wall's.
    EXPECT_NEAR(forces.floor, exact, 0.1 * exact);
    EXPECT_NEAR(forces.ceiling, -exact, 0.1 * exact);
  }
  EXPECT_NEAR(by_solve.floor, by_steps.floor, 0.04 * exact);
  EXPECT_NEAR(by_solve.ceiling, by_steps.ceiling, 0.04 * exact);
}

/// No explicit scheme could run this one: it is a thousand times stiffer.
TEST(Couette, StiffMatterCarriesTheForceFromPlateToPlate) {
  constexpr float viscosity = 5e5f;
  constexpr double exact = viscosity * 0.5;
  const PlateForces forces = couette(implicit_scheme, viscosity, 1e-3f);
  EXPECT_NEAR(forces.floor, -forces.ceiling, 0.04 * exact);
  EXPECT_NEAR(forces.floor, exact, 0.1 * exact);
}

}  // namespace
}  // namespace fondue::test_loads
