// Boundary particles complete what is missing below a surface, stay where matter is, and move as the surface does.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "unit/bodies/helpers.h"

namespace fondue {
namespace {

using namespace testing_support;

/// Up in the plane z = 0, and in space.
Vec3 up(int dimension) { return dimension == 2 ? Vec3(0, 1, 0) : Vec3(0, 0, 1); }

/// Density over rest density of the first row of a lattice that rests on a floor, at a few places along it.
std::vector<double> densities_at_the_floor(const Walls& walls, const Lattice& fluid) {
  const Kernel kernel(fluid.kernel, fluid.dimension);
  const float h = fluid.spacing, R = fluid.support(), V = lattice_volume(kernel, h, R);
  const int n = static_cast<int>(std::ceil(fluid.support_ratio)), n_z = fluid.dimension == 3 ? n : 0;
  double above = 0;
  for (int a = -n; a <= n; ++a)
    for (int b = -n_z; b <= n_z; ++b)
      for (int k = 0; k <= n; ++k)
        above += static_cast<double>(V * kernel.W(h * std::sqrt(static_cast<float>(a * a + b * b + k * k)), R));
  std::vector<double> densities;
  for (int i = 0; i != 5; ++i) {
    // As fill_lattice places them, from the corner of the region on.
    Vec3 x = Vec3(1, 1, 0) * (-1.5f + h * (std::floor(1.5f / h) + static_cast<float>(i - 2) + 0.5f));
    if (fluid.dimension == 2) x.y() = 0;
    x += 0.5f * h * up(fluid.dimension);
    double density = above;
    for (std::size_t b = 0; b != walls.size(); ++b) {
      const BoundaryLayer& layer = walls.layers[walls.collider[b]];
      const float u = layer.support / R;
      density += static_cast<double>(walls.volume[b] * layer.volume_times_u(u) / u *
                                     kernel.W((x - walls.position[b]).norm(), R));
    }
    densities.push_back(density);
  }
  return densities;
}

TEST(BoundaryParticles, CompleteTheDensityOfMatterOfAnySpacing) {
  for (const int dimension : {2, 3})
    for (const float support_ratio : {2.0f, 2.5f, 3.0f}) {
      constexpr float s = 0.05f;
      const Bodies bodies({collider("floor", make_plane(Vec3::Zero(), up(dimension)))},
                          lattice(dimension, s, support_ratio), {Vec3::Constant(-1.5f), Vec3::Constant(1.5f)});
      // 0.2 per cent: the calibration is exact for the body's own spacing, but for rounding.
      for (const auto& [relative, tolerance] : {std::pair{1.0f, 0.002}, std::pair{1.5f, 0.02}, std::pair{2.0f, 0.02},
                                                std::pair{3.0f, 0.02}, std::pair{4.0f, 0.02}})
        for (const double density :
             densities_at_the_floor(bodies.walls(), lattice(dimension, relative * s, support_ratio)))
          EXPECT_NEAR(density, 1, tolerance)
              << dimension << " dimensions, R = " << support_ratio << " h, h = " << relative << " s";
    }
}

TEST(BoundaryParticles, FactorsAreExactlyOneForTheirOwnSpacing) {
  const Bodies bodies({collider("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1)))}, lattice(3, 0.1f), unit_region);
  const BoundaryLayer& layer = bodies.walls().layers[0];
  for (const SizeFactor& factor : {layer.volume_times_u, layer.shear, layer.heat, layer.pull}) {
    EXPECT_EQ(factor(1.0f), 1.0f);
    // Smooth: nothing jumps beside it.
    EXPECT_NEAR(factor(0.98f), 1, 0.05);
  }
}

TEST(BoundaryParticles, AColliderIsSampledAtItsOwnSpacing) {
  ColliderSetup fine = collider("fine", make_sphere(Vec3::Zero(), 0.5f));
  fine.spacing = 0.05f;
  const Bodies bodies({fine, collider("usual", make_sphere(Vec3::Zero(), 0.5f))}, lattice(3, 0.1f), unit_region);
  const Walls& walls = bodies.walls();
  std::array<int, 2> count = {};
  for (std::size_t b = 0; b != walls.size(); ++b) {
    ++count[walls.collider[b]];
    const float spacing = walls.collider[b] == 0 ? 0.05f : 0.1f;
    EXPECT_NEAR(walls.position[b].norm(), 0.5f - 0.5f * spacing, 0.01f * spacing);
  }
  // Areas at the two depths, over the areas of a particle.
  EXPECT_NEAR(count[0] / static_cast<double>(count[1]), 4 * std::pow(0.475 / 0.45, 2), 0.5);
  EXPECT_TRUE(bodies.notes().empty());
  fine.spacing = 0.2f;
  EXPECT_EQ(Bodies({fine}, lattice(3, 0.1f), unit_region).notes().size(), 1u);
}

TEST(EndlessShape, APlaneThatSlidesKeepsItsBoundaryParticles) {
  ColliderSetup plane = collider("lid", make_plane(Vec3(0, 0, 0.5f), Vec3(0, 0, -1)));
  plane.motion.position = moving(0, Vec3::Zero(), 1000, Vec3(2000, -1000, 0));
  Bodies bodies({plane}, lattice(3, 0.1f), unit_region);
  const std::vector<Vec3> before = bodies.walls().position;
  ASSERT_GT(before.size(), 300u);
  for (const double t : {0.1, 10.0, 999.0}) {
    bodies.move_to(t);
    for (std::size_t b = 0; b != before.size(); ++b) {
      EXPECT_LT((bodies.walls().position[b] - before[b]).norm(), 1e-6f);
      EXPECT_LT((bodies.walls().velocity[b] - Vec3(2, -1, 0)).norm(), 1e-6f);
    }
  }
}

TEST(EndlessShape, APlaneThatTurnsAboutItsNormalIsATurntable) {
  ColliderSetup plane = collider("table", make_plane(Vec3::Zero(), Vec3(0, 0, 1)));
  plane.motion.rotation = moving(0, Vec3::Zero(), 100, Vec3(0, 0, 300));
  Bodies bodies({plane}, lattice(3, 0.1f), unit_region);
  const std::vector<Vec3> before = bodies.walls().position;
  bodies.move_to(37);
  for (std::size_t b = 0; b != before.size(); ++b) {
    EXPECT_LT((bodies.walls().position[b] - before[b]).norm(), 1e-5f);
    EXPECT_LT((bodies.walls().velocity[b] - Vec3(0, 0, 3).cross(before[b])).norm(), 1e-4f);
  }
}

TEST(EndlessShape, APlaneThatTiltsAndComesFromAfarCoversTheRegion) {
  ColliderSetup plane = collider("piston", make_plane(Vec3(0, 0, 0), Vec3(0, 0, 1)));
  plane.motion.position = moving(0, Vec3(0, 0, -9), 1, Vec3(40, 0, 0));
  plane.motion.rotation = moving(0, Vec3::Zero(), 1, Vec3(0, 0.8f, 0));
  Bodies bodies({plane}, lattice(3, 0.1f), unit_region);
  bodies.move_to(0.999999);
  // The plane is through (40, 0, 0) and far from the region; what is nearest to the centre has boundary particles.
  const BodyState& state = bodies[0].state();
  const Vec3d normal = state.pose.rotation * Vec3d::UnitZ();
  const Vec3d nearest = normal.dot(state.pose.position) * normal;
  float closest = infinity;
  for (const Vec3& x : bodies.walls().position) {
    EXPECT_NEAR((x.cast<double>() - state.pose.position).dot(normal), -0.05, 1e-4);
    closest = std::min(closest, (x - nearest.cast<float>()).norm());
  }
  EXPECT_LT(closest, 0.15f);
}

TEST(EndlessShape, AChannelSlidesAlongItselfOnlyAndABoxGoesItsWay) {
  const Vec3 low(-infinity, -0.5f, -0.5f), high(infinity, 0.5f, 0.5f);
  ColliderSetup beam = collider("beam", make_box(low, high)),
                box = collider("box", make_box(-Vec3::Ones(), Vec3::Ones()));
  beam.motion.position = box.motion.position = moving(0, Vec3::Zero(), 10, Vec3(30, 1, 0));
  Bodies bodies({beam, box}, lattice(3, 0.2f), unit_region);
  const std::vector<Vec3> before = bodies.walls().position;
  bodies.move_to(5);
  for (std::size_t b = 0; b != before.size(); ++b) {
    const Vec3 moved = bodies.walls().collider[b] == 0 ? Vec3(0, 0.5f, 0) : Vec3(15, 0.5f, 0);
    EXPECT_LT((bodies.walls().position[b] - before[b] - moved).norm(), 1e-5f);
    EXPECT_LT((bodies.walls().velocity[b] - Vec3(3, 0.1f, 0)).norm(), 1e-5f);
  }
}

TEST(SurfaceVelocity, MovesTheSurfaceAlongItselfInTheFrameOfTheBody) {
  ColliderSetup ball = collider("ball", make_sphere(Vec3::Zero(), 0.5f));
  ball.surface_velocity = moving(0, Vec3::Zero(), 1, Vec3(2, 0, 0));
  ball.motion.rotation = Vec3(0, 0, std::numbers::pi_v<float> / 2);
  Bodies bodies({ball}, lattice(3, 0.1f), unit_region);
  const std::vector<Vec3> before = bodies.walls().position;
  EXPECT_TRUE(bodies.move_to(0.5));
  const Walls& walls = bodies.walls();
  EXPECT_EQ(walls.position, before);
  for (std::size_t b = 0; b != walls.size(); ++b) {
    // Half way to 2 m/s, turned from x to y, less its part across the surface.
    const Vec3 v(0, 1, 0), expected = v - v.dot(walls.normal[b]) * walls.normal[b];
    EXPECT_LT((walls.velocity[b] - expected).norm(), 1e-5f);
  }
}

TEST(SurfaceVelocity, ARoughConveyorCarriesWhatHitsIt) {
  for (const float roughness : {0.0f, 0.5f, 1.0f}) {
    ColliderSetup belt = collider("belt", make_box(Vec3(-9, -9, -1), Vec3(9, 9, 0)));
    belt.surface_velocity = Vec3(3, 0, 5);
    belt.roughness = roughness;
    const Bodies bodies({belt}, lattice(3, 0.1f), unit_region);
    const Vec3 start(0, 0, 0.01f);
    Vec3 x(0, 0, -0.5f), v(0, 0, -5);
    const Bodies::Interval interval = bodies.interval(0, 0.1);
    bodies.guard(bodies.all(interval), start, x, v);
    EXPECT_LT((v - Vec3(3 * roughness, 0, 0)).norm(), 1e-4f);
    EXPECT_NEAR(x.x(), 0.3f * roughness, 0.001f);
    EXPECT_GT(x.z(), 0.0099f);
  }
}

}  // namespace
}  // namespace fondue
