// Fluids at rest: hydrostatic pressure, buoyancy.

#include <gtest/gtest.h>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "cache/statistics.h"
#include "support/setups.h"

namespace fondue::test_rest {
namespace {

using namespace testing_support;

std::vector<Track> calm_water(double g) {
  return {track("gravity", {{Gravity::acceleration, Vec3(0, static_cast<float>(-g), 0)}}), track("fluid"),
          track("artificial_viscosity", {{ArtificialViscosity::alpha, 0.3}})};
}

TEST(Hydrostatics, PressureIsWeightOfTheColumnAbove) {
  constexpr float H = 0.9f, g = 1, dx = 0.03f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("water", rectangle(0, 0, 0.6f, H), dx, calm_water(g)));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 0.6f, 1.2f)));
  World world(setup);
  const Index count = world.particles().size();
  ASSERT_EQ(count, 600u);

  run_until(world, 1);
  const double early = measure(world).kinetic_energy;
  run_until(world, 12);
  const Statistics rest = measure(world);
  EXPECT_LT(rest.kinetic_energy, 0.2 * early) << "the motion of settling dies out";
  EXPECT_EQ(world.particles().size(), count);

  // Mean pressure of each layer against rho g (H - z), of the water as it stands now: 5 % of the pressure at the base.
  // The mean is also over half a second, since the swing of the whole column dies out slowly: walls do not damp it.
  constexpr int layers = 10;
  double pressure[layers] = {}, expected[layers] = {}, number[layers] = {};
  for (int moment = 1; moment <= 20; ++moment) {
    run_until(world, 12 + 0.025 * moment);
    const auto x = world.particles()[columns::position];
    const auto p = world.particles()[columns::pressure];
    float top = 0;
    for (const Vec3& at : x) top = std::max(top, at.y() + 0.5f * dx);
    EXPECT_NEAR(top, H, 0.02 * H) << "compression lowers the surface by less than 2 %";
    for (Index i = 0; i != count; ++i) {
      const int layer = std::min(layers - 1, static_cast<int>(x[i].y() / top * layers));
      pressure[layer] += p[i];
      expected[layer] += 1000 * g * (top - x[i].y());
      number[layer] += 1;
    }
  }
  for (int layer = 0; layer != layers; ++layer)
    EXPECT_NEAR(pressure[layer] / number[layer], expected[layer] / number[layer], 0.05 * 900)
        << "layer " << layer << " from the base";
}

TEST(Hydrostatics, AFixedBodyIsLiftedByTheWeightOfTheWaterItDisplaces) {
  // The error is 5.7 % at dx = 0.02, 2.6 % here and 1.4 % at 0.01: boundary particles stand half a spacing inside.
  constexpr float dx = 0.0125f, side = 0.2f;
  WorldSetup setup = world_setup(2, dx);
  const ShapePtr body = rectangle(0.2f, 0.2f, 0.2f + side, 0.2f + side);
  setup.objects.push_back(object("water", make_difference(rectangle(0, 0, 0.6f, 0.6f), body), dx, calm_water(9.81)));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 0.6f, 0.8f)));
  setup.colliders.push_back(solid("body", body));
  World world(setup);
  run_until(world, 1);
  // The mean over half a second takes out what is left of the sloshing.
  Vec3d force = Vec3d::Zero();
  int samples = 0;
  for (double t = 1; t < 1.5; t += 0.01, ++samples) {
    run_until(world, t + 0.01);
    force += world.force_on(1).cast<double>();
  }
  force /= samples;
  const double archimedes = 1000 * 9.81 * side * side;
  EXPECT_NEAR(force.y(), archimedes, 0.05 * archimedes);
  EXPECT_NEAR(force.x(), 0, 0.05 * archimedes);
}

}  // namespace
}  // namespace fondue::test_rest
