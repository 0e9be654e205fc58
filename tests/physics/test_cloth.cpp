// Cloth against exact solutions and laws.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "behaviours/drag.h"
#include "behaviours/gravity.h"
#include "behaviours/wind.h"
#include "core/random.h"
#include "support/cloth.h"
#include "support/resumed.h"

namespace fondue::test_cloth {
namespace {

using namespace testing_support;

double area_of(const World& world) {
  double area = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    area += static_cast<double>(world.particles()[columns::volume][i] / world.particles()[columns::thickness][i]);
  return area;
}

/// Energy per area of a flat sheet that is deformed evenly.
double energy_of(const Weave& weave, const Mat3& F) {
  World world(flat_cloth(1, 1, 0.1f, weave));
  change_particles(world, [&](Vec3& x, Vec3&) { x = F * x; });
  return statistic(world, "cloth energy") / area_of(world);
}

/// Along the warp and the weft the force per width is `stretch` times the strain, whatever the resistance to shear; and
/// shear is resisted by 3/8 of that times `shear`.
TEST(Cloth, StretchAndShearAreWhatTheParametersSay) {
  const double e = 1e-3;
  for (const double shear : {0.0, 0.2, 1.0}) {
    const Weave weave{.stretch = 3000, .shear = shear};
    // It narrows until the force across vanishes: the smallest energy of all widths.
    for (const int along : {0, 1}) {
      double least = infinity;
      for (int k = 0; k <= 100; ++k) {
        Mat3 F = Mat3::Identity();
        F(along, along) += static_cast<float>(e);
        F(1 - along, 1 - along) -= static_cast<float>(0.005 * k * e);
        least = std::min(least, energy_of(weave, F));
      }
      // Positions are rounded to 6e-8 of 0.1 m, strains of 1e-3 therefore to 1e-3 of themselves at worst.
      EXPECT_NEAR(least / (0.5 * 3000 * e * e), 1, 3e-3) << "shear " << shear << " along " << along;
    }
    Mat3 F = Mat3::Identity();
    F(0, 1) = static_cast<float>(2 * e);
    EXPECT_NEAR(energy_of(weave, F), 0.5 * 0.375 * shear * 3000 * 4 * e * e, 2e-2 * 0.5 * 3000 * e * e);
  }
}

/// A sheet without threads is stretched as easily in any direction.
TEST(Cloth, AShearOfOneIsIsotropic) {
  const Weave weave{.stretch = 3000, .shear = 1};
  Mat3 stretched = Mat3::Identity();
  stretched(0, 0) += 1e-3f;
  const double straight = energy_of(weave, stretched);
  for (const float angle : {0.3f, 0.785f, 1.1f}) {
    const Mat3 turn = Eigen::AngleAxisf(angle, Vec3::UnitZ()).toRotationMatrix();
    EXPECT_NEAR(energy_of(weave, turn * stretched * turn.transpose()) / straight, 1, 5e-3);
  }
}

/// Rolled up to a cylinder it stores B/(2 r^2) per area, but for its edges, which do not bend; chords are shorter than
/// arcs, so it must not resist stretching here.
TEST(Cloth, ACylinderHasTheEnergyOfItsCurvature) {
  const double B = 0.01, r = 0.5;
  World world(flat_cloth(1, 1, 0.02f, {.stretch = 1e-9, .bending = B}));
  change_particles(world, [&](Vec3& x, Vec3&) {
    const double angle = static_cast<double>(x.x()) / r;
    x = Vec3(static_cast<float>(r * std::sin(angle)), x.y(), static_cast<float>(-r * std::cos(angle)));
  });
  // 49 of 51 rows bend, which have 49 of 50 spacings.
  const double inner = 0.98 * 0.98;
  EXPECT_NEAR(statistic(world, "cloth energy") / (0.5 * B / (r * r) * inner), 1, 0.01);
}

TEST(Cloth, ForceIsMinusTheGradientOfTheEnergy) {
  for (const bool curved : {false, true}) {
    WorldSetup setup = flat_cloth(0.8f, 0.6f, 0.1f, {.stretch = 2000, .shear = 0.4, .bending = 0.5, .damping = 0});
    if (curved) setup.objects[0].shape = make_sphere(Vec3::Zero(), 0.3f);
    World world(setup);
    change_particles(
        world, [&, i = 0u](Vec3& x, Vec3&) mutable { x += 0.02f * (random_point(5, i++) - Vec3::Constant(0.5f)); });
    const std::vector<Vec3> a = world.substep_accelerations();
    Particles& particles = world.particles();
    for (const Index i : {0u, 7u, 21u, 33u, 40u}) {
      for (int axis = 0; axis != 3; ++axis) {
        constexpr float h = 5e-4f;
        float& place = particles[columns::position][i][axis];
        const float before = place;
        place = before + h;
        const double high = statistic(world, "cloth energy");
        place = before - h;
        const double low = statistic(world, "cloth energy");
        place = before;
        const double gradient = (high - low) / (2 * static_cast<double>(h)), m = particles[columns::mass][i];
        // Central differences leave h^2 times the third derivative.
        EXPECT_NEAR(m * static_cast<double>(a[i][axis]), -gradient, 2e-2 * m * static_cast<double>(a[i].norm()) + 1e-3)
            << "curved " << curved << " particle " << i << " axis " << axis;
      }
    }
  }
}

TEST(Cloth, RigidMotionIsFreeOfForce) {
  WorldSetup setup = flat_cloth(0.8f, 0.6f, 0.1f, {.bending = 0.01, .damping = 0.5});
  World world(setup);
  const Mat3 turn = Eigen::AngleAxisf(2.1f, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  change_particles(world, [&](Vec3& x, Vec3& v) {
    x = turn * x;
    v = Vec3(1, -2, 3).cross(x) + Vec3(1, 1, 0);
  });
  // Positions are rounded to 6e-8 m: times S/(sigma dx^2) = 2.5e6, times a few.
  for (const Vec3& a : world.substep_accelerations()) EXPECT_LT(a.norm(), 1.0f);
}

/// Span 1, length 1.2: a sag of .29234. A strip that hangs freely by its ends, without stiffness against bending.
TEST(Cloth, AHangingStripIsACatenary) {
  const float spacing = 0.04f;
  WorldSetup setup = flat_cloth(1.2f, 0.08f, spacing, {.stretch = 5000, .bending = 0});
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.objects[0].tracks.push_back(track("drag", {{Drag::linear, 3.0}}));
  const ShapePtr left = make_box(Vec3(-0.61f, -1, -1), Vec3(-0.599f, 1, 1)),
                 right = make_box(Vec3(0.599f, -1, -1), Vec3(0.61f, 1, 1));
  setup.pins = {pin("left", left), pin("right", right)};
  // The ends come together in half a second.
  setup.pins[0].motion.position = moved(Vec3(0.1f, 0, 0), 0.5);
  setup.pins[1].motion.position = moved(Vec3(-0.1f, 0, 0), 0.5);
  World world(setup);
  run_until(world, 3);
  float lowest = 0;
  for (const Vec3& x : world.particles()[columns::position]) lowest = std::min(lowest, x.z());
  // Chords of 30 segments, and a stretch of 3e-4.
  EXPECT_NEAR(lowest, -0.29234, 0.003);
  // Each pin carries half the weight, and both pull with the horizontal force of the catenary, weight/(2 sinh u) with
  // sinh(u)/u = 1.2.
  const double weight = 0.2 * 1.2 * 0.08 * 9.81, pinned = weight / 60;
  EXPECT_NEAR(world.force_on_pin(0).z(), -0.5 * weight + pinned, 0.02 * 0.5 * weight);
  EXPECT_NEAR(world.force_on_pin(1).z(), -0.5 * weight + pinned, 0.02 * 0.5 * weight);
  const double u = 1.0645;
  ASSERT_NEAR(std::sinh(u) / u, 1.2, 1e-3);
  EXPECT_NEAR(world.force_on_pin(0).x(), 0.5 * weight / std::sinh(u), 0.03 * weight);
}

/// Hung up by its upper edge a strip is longer by sigma g L^2/(2 S).
TEST(Cloth, AStripStretchesUnderItsOwnWeightAsTheLawSays) {
  const double S = 100, L = 1;
  WorldSetup setup = flat_cloth(0.2f, static_cast<float>(L), 0.05f, {.stretch = S, .bending = 0, .damping = 0.3});
  setup.objects[0].tracks.push_back(track("gravity", {{Gravity::acceleration, Vec3(0, -9.81f, 0)}}));
  setup.objects[0].tracks.push_back(track("drag", {{Drag::linear, 5.0}}));
  setup.pins = {pin("top", make_box(Vec3(-1, 0.499f, -1), Vec3(1, 0.51f, 1)))};
  World world(setup);
  run_until(world, 3);
  float lowest = 0;
  for (const Vec3& x : world.particles()[columns::position]) lowest = std::min(lowest, x.y());
  const double stretched = -0.5 - static_cast<double>(lowest), expected = 0.2 * 9.81 * L * L / (2 * S);
  EXPECT_LT(stretched / L, 0.02) << "less than 2 %";
  // The pinned row cannot narrow.
  EXPECT_NEAR(stretched / expected, 1, 0.05);
}

/// 3 m/s along a sheet of 0.2 kg/m^2 and 4 m/s across it.
TEST(Cloth, WindPressesAcrossASheetAndHardlyAlongIt) {
  WorldSetup setup = flat_cloth(0.4f, 0.4f, 0.1f);
  setup.objects[0].tracks.push_back(track("wind", {{Wind::velocity, Vec3(3, 0, 4)}}));
  World world(setup);
  world.evaluate();
  for (const Vec3& a : world.particles()[columns::acceleration]) {
    EXPECT_NEAR(a.z(), 1.2 / 0.2 * 16, 1e-3);
    EXPECT_NEAR(a.x(), 0.01 * 1.2 / 0.2 * 9, 1e-3);
    EXPECT_NEAR(a.y(), 0, 1e-4);
  }
}

/// Pins at a point, along an edge and on a collider take hold of the cloth where it is, also where their keyframes
/// begin elsewhere: nothing is stretched at the start. They carry it along, and let go.
TEST(Cloth, PinsOfEveryKindHoldItWhereItIsCarryItAndLetGo) {
  WorldSetup setup = flat_cloth(0.6f, 0.6f, 0.1f);
  setup.objects[0].tracks.push_back(track("gravity"));
  const auto along = [](const Vec3& from) {
    return Keyable<Vec3>{Curve<Vec3>({0, 0.1, 0.2}, {from, from, from + Vec3(0, 0, 0.02f)}, Interpolation::linear),
                         "time"};
  };
  setup.pins = {pin("point", make_sphere(Vec3(-0.3f, -0.3f, 0), 0.04f)),
                pin("edge", make_box(Vec3(-1, 0.25f, -0.55f), Vec3(1, 0.35f, -0.45f)),
                    {Curve<float>({0, 0.25}, {1, 0}, Interpolation::step), "time"}),
                pin("on collider", nullptr)};
  // Its keyframes begin half a metre above what it is given as.
  setup.pins[1].motion.position = along(Vec3(0, 0, 0.5f));
  setup.colliders.push_back(solid("rod", make_sphere(Vec3(0.3f, -0.3f, -0.06f), 0.05f)));
  setup.colliders[0].motion.position = along(Vec3::Zero());
  setup.pins[2].collider = 0;
  World world(setup);
  world.step(1e-4);
  EXPECT_LT(statistic(world, "largest stretch of cloth"), 1e-4);
  std::vector<Index> held[4];
  for (Index i = 0; i != world.particles().size(); ++i)
    held[world.particles()[columns::pin][i]].push_back(world.particles()[columns::id][i]);
  EXPECT_EQ(held[1].size(), 1u);
  EXPECT_EQ(held[2].size(), 7u);
  EXPECT_GE(held[3].size(), 1u);
  run_until(world, 0.2);
  std::vector<Vec3> x = positions(world);
  EXPECT_NEAR(x[held[1][0]].z(), 0, 1e-6f);
  for (const int k : {2, 3})
    for (const Index id : held[k]) EXPECT_NEAR(x[id].z(), 0.02f, 1e-5f) << "pin " << k;
  run_until(world, 0.4);
  x = positions(world);
  for (const Index id : held[2]) EXPECT_LT(x[id].z(), 0.0f) << "it falls";
  for (const Index id : held[3]) EXPECT_NEAR(x[id].z(), 0.02f, 1e-5f);
}

TEST(Cloth, MomentaAreConservedOverManySubsteps) {
  World world(flat_cloth(0.8f, 0.6f, 0.05f, {.bending = 0.01}));
  change_particles(world, [&, i = 0u](Vec3& x, Vec3& v) mutable {
    x += 0.01f * (random_point(5, i) - Vec3::Constant(0.5f));
    v = 2 * random_point(6, i++) - Vec3::Ones();
  });
  const auto momenta = [&] {
    std::pair<Vec3d, Vec3d> sums{Vec3d::Zero(), Vec3d::Zero()};
    for (Index i = 0; i != world.particles().size(); ++i) {
      const Vec3d p = (world.particles()[columns::mass][i] * world.particles()[columns::velocity][i]).cast<double>();
      sums.first += p;
      sums.second += world.particles()[columns::position][i].cast<double>().cross(p);
    }
    return sums;
  };
  double size = 0;
  for (Index i = 0; i != world.particles().size(); ++i)
    size += static_cast<double>(world.particles()[columns::mass][i] * world.particles()[columns::velocity][i].norm());
  const auto before = momenta();
  run_until(world, 0.05);
  const auto after = momenta();
  EXPECT_LT((after.first - before.first).norm(), 1e-5 * size);
  EXPECT_LT((after.second - before.second).norm(), 1e-5 * size);
}

TEST(Cloth, ResumedRunsAndRunsThatFadeGoOnWithTheSameBits) {
  WorldSetup setup = flat_cloth(0.5f, 0.5f, 0.05f);
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.objects[0].tracks[0].weight = {Curve<float>({0, 0.1, 0.2}, {0, 1, 1}, Interpolation::linear), "time"};
  setup.pins = {pin("corner", make_sphere(Vec3(0.25f, 0.25f, 0), 0.06f))};
  expect_resumed_the_same(setup, 0.15, 0.3);
}

}  // namespace
}  // namespace fondue::test_cloth
