// Every material fades into every other: mass stays, nothing bursts, and without forces from outside both momenta are
// constant through the fade (L09 7.2).

#include <gtest/gtest.h>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/fluid.h"
#include "behaviours/plastic.h"
#include "behaviours/porous.h"
#include "behaviours/springs.h"
#include "behaviours/viscosity.h"
#include "support/momenta.h"
#include "support/shells.h"

namespace fondue::test_transitions {
namespace {

using namespace testing_support;

constexpr float dx = 0.02f;
constexpr double begin = 0.2, end = 0.5;

struct MaterialCase {
  const char* name;
  std::vector<Track> tracks;
};

std::vector<MaterialCase> materials() {
  const Track fluid = track("fluid"), friction = track("artificial_viscosity");
  return {
      {"water", {fluid, friction}},
      {"honey", {fluid, track("viscosity", {{Viscosity::dynamic_viscosity, 20}})}},
      {"sand", {fluid, friction, track("sand")}},
      // Stiff enough to be compressed by less than a hundredth by their weight.
      {"jelly", {elastic(5e5, 0.3, 0.1)}},
      {"clay", {elastic(5e5, 0.3, 0.1), track("plastic", {{Plastic::yield, 0.004}})}},
      {"springs", {fluid, friction, track("springs", {{Springs::stiffness, 1e4}})}},
      // Dry: its pores hold nothing that could leave with it.
      {"sponge", {elastic(5e5, 0.3, 0.1), track("porous", {{Porous::porosity, 0.7}, {Porous::permeability, 1e-9}})}},
      {"rigid", {track("rigid")}}};
}

/// Those of the first fade out while those of the second fade in. A behaviour that both have stays.
std::vector<Track> fading(const std::vector<Track>& from, const std::vector<Track>& to) {
  const auto has = [](const std::vector<Track>& tracks, const std::string& behaviour) {
    return std::ranges::any_of(tracks, [&](const Track& t) { return t.behaviour == behaviour; });
  };
  const auto curve = [](float a, float b) {
    return Keyable<float>(Curve<float>({begin, end}, {a, b}, Interpolation::linear), "time");
  };
  std::vector<Track> result;
  for (Track t : from) {
    if (!has(to, t.behaviour)) t.weight = curve(1, 0);
    result.push_back(t);
  }
  for (Track t : to)
    if (!has(from, t.behaviour)) {
      t.weight = curve(0, 1);
      result.push_back(t);
    }
  return result;
}

class Transitions : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  MaterialCase from() const { return materials()[GetParam().first]; }
  MaterialCase to() const { return materials()[GetParam().second]; }
};

std::vector<std::pair<int, int>> ordered_pairs() {
  std::vector<std::pair<int, int>> pairs;
  const int count = static_cast<int>(materials().size());
  for (int a = 0; a != count; ++a)
    for (int b = 0; b != count; ++b)
      if (a != b) pairs.push_back({a, b});
  return pairs;
}

std::string pair_name(const testing::TestParamInfo<std::pair<int, int>>& info) {
  return std::string(materials()[info.param.first].name) + "_to_" + materials()[info.param.second].name;
}

INSTANTIATE_TEST_SUITE_P(Of, Transitions, testing::ValuesIn(ordered_pairs()), pair_name);

double total(const World& world, const Column<float>& column) {
  double sum = 0;
  for (const float value : world.particles()[column]) sum += static_cast<double>(value);
  return sum;
}

/// Mean of sum_j V_j W over particles with neighbours on all sides: the volume that matter takes up, as 1/that.
double fullness(const World& world) {
  const Kernel kernel(KernelShape::cubic_spline, 2);
  const auto x = world.particles()[columns::position];
  const auto V = world.particles()[columns::volume], R = world.particles()[columns::support];
  double sum = 0, count = 0;
  for (std::size_t i = 0; i != x.size(); ++i) {
    double full = 0;
    Vec3 side = Vec3::Zero();
    for (std::size_t j = 0; j != x.size(); ++j) {
      const float W = V[j] * kernel.W((x[i] - x[j]).norm(), R[i]);
      full += static_cast<double>(W);
      side += W / R[i] * (x[j] - x[i]);
    }
    if (side.norm() > 0.01f) continue;
    sum += full;
    ++count;
  }
  return sum / count;
}

TEST_P(Transitions, ABlockInABoxKeepsItsMassAndVolumeAndDoesNotBurst) {
  constexpr int n = 16;
  constexpr float side = n * dx;
  WorldSetup setup = world_setup(2, dx);
  std::vector<Track> tracks = fading(from().tracks, to().tracks);
  tracks.push_back(track("gravity"));
  setup.objects.push_back(object("block", block(2, dx, n, n), dx, tracks));
  setup.colliders.push_back(container("box", rectangle(-dx, 0, side + dx, 3 * side), 1));
  World world(setup);
  const double mass = total(world, columns::mass), volume = total(world, columns::volume);
  const double before = fullness(world);
  // What falls by the height of the block and more has this speed.
  const float fastest = std::sqrt(2 * 9.81f * 1.5f * side);
  while (world.time() < end + 0.4) {
    world.step(end + 0.4);
    for (const Vec3& v : world.particles()[columns::velocity]) ASSERT_LT(v.norm(), fastest) << world.time();
  }
  EXPECT_EQ(total(world, columns::mass), mass);
  EXPECT_NEAR(total(world, columns::volume), volume, 0.02 * volume);
  EXPECT_NEAR(fullness(world), before, 0.02 * before);
}

TEST_P(Transitions, MomentaAreConstant) {
  WorldSetup setup = world_setup(2, dx);
  ObjectSetup body = object("block", block(2, dx, 12, 12), dx, fading(from().tracks, to().tracks));
  body.velocity = Vec3(1, 0.5f, 0);
  body.angular_velocity = Vec3(0, 0, 0.5f);
  setup.objects.push_back(body);
  World world(setup);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  run_until(world, end + 0.1);
  const double scale = p.norm();
  // Rounding of some thousand steps; an implicit solve leaves a remainder that it carries on.
  EXPECT_LT((momentum(world) - p).norm(), 1e-4 * scale);
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-3 * scale * 12 * dx);
}

/// Sheets fade into sheets: cloth that stiffens to a shell, and a shell that gives way as cloth.
class SheetTransitions : public testing::TestWithParam<bool> {
 protected:
  static ObjectSetup fading_sheet(bool to_shell) {
    const ShellWall wall{.E = 2e5, .damping = 0.1, .thickness = 0.01};
    const std::vector<Track> soft = {cloth({.stretch = 2000, .bending = 1e-3})}, stiff = {shell(wall)};
    ObjectSetup object = sheet("sheet", make_rectangle(Vec3(0, 0, 0.2f), 0.4f, 0.4f), 0.04f,
                               to_shell ? fading(soft, stiff) : fading(stiff, soft));
    object.thickness = static_cast<float>(wall.thickness);
    object.density = 300;
    return object;
  }
};

std::string sheet_name(const testing::TestParamInfo<bool>& info) {
  return info.param ? "cloth_to_shell" : "shell_to_cloth";
}

INSTANTIATE_TEST_SUITE_P(Of, SheetTransitions, testing::Bool(), sheet_name);

TEST_P(SheetTransitions, ASheetOnAFloorKeepsItsMassAndAreaAndDoesNotBurst) {
  WorldSetup setup = world_setup(3, 0.04f);
  setup.objects.push_back(fading_sheet(GetParam()));
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.colliders.push_back(solid("floor", make_box(Vec3(-1, -1, -0.2f), Vec3(1, 1, 0.1f))));
  World world(setup);
  const double mass = total(world, columns::mass), volume = total(world, columns::volume);
  const auto area = [&] {
    double sum = 0;
    const auto x = world.particles()[columns::position];
    for (const SheetTriangle& t : sheets::triangles(world.particles()))
      sum += 0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm();
    return sum;
  };
  const double before = area();
  // A fall of 10 cm.
  const float fastest = 1.1f * std::sqrt(2 * 9.81f * 0.1f);
  while (world.time() < end + 0.2) {
    world.step(end + 0.2);
    for (const Vec3& v : world.particles()[columns::velocity]) ASSERT_LT(v.norm(), fastest) << world.time();
  }
  EXPECT_EQ(total(world, columns::mass), mass);
  EXPECT_EQ(total(world, columns::volume), volume);
  EXPECT_NEAR(area(), before, 0.03 * before) << "it bends and hardly stretches";
}

TEST_P(SheetTransitions, MomentaAreConstant) {
  WorldSetup setup = world_setup(3, 0.04f);
  setup.objects.push_back(fading_sheet(GetParam()));
  setup.objects[0].velocity = Vec3(1, 0.5f, 0);
  setup.objects[0].angular_velocity = Vec3(0.5f, 0, 0.5f);
  World world(setup);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  run_until(world, end + 0.1);
  EXPECT_LT((momentum(world) - p).norm(), 1e-4 * p.norm());
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-3 * p.norm() * 0.4);
}

/// Sheets melt: their triangles go, and their particles are fluid or sand with their mass and volume.
class MeltingSheets : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  static ObjectSetup melting() {
    const auto [is_shell, to_sand] = GetParam();
    const Track solid =
        is_shell ? shell({.E = 2e5, .damping = 0.1, .thickness = 0.02}) : cloth({.stretch = 2000, .bending = 1e-3});
    std::vector<Track> fluid = {track("fluid"), track("artificial_viscosity")};
    if (to_sand) fluid.push_back(track("sand"));
    ObjectSetup object = sheet("sheet", make_rectangle(Vec3(0, 0, 0.2f), 0.4f, 0.4f), 0.04f, fading({solid}, fluid));
    object.thickness = 0.02f;
    return object;
  }
};

std::string melting_name(const testing::TestParamInfo<std::tuple<bool, bool>>& info) {
  return std::string(std::get<0>(info.param) ? "shell" : "cloth") +
         (std::get<1>(info.param) ? "_to_sand" : "_to_water");
}

INSTANTIATE_TEST_SUITE_P(Of, MeltingSheets, testing::Combine(testing::Bool(), testing::Bool()), melting_name);

TEST_P(MeltingSheets, KeepTheirMassAndVolumeAndDoNotBurst) {
  WorldSetup setup = world_setup(3, 0.04f);
  setup.objects.push_back(melting());
  setup.objects[0].tracks.push_back(track("gravity"));
  setup.colliders.push_back(container("box", make_box(Vec3(-0.3f, -0.3f, 0), Vec3(0.3f, 0.3f, 1)), 1));
  World world(setup);
  const double mass = total(world, columns::mass), volume = total(world, columns::volume);
  const float fastest = 1.1f * std::sqrt(2 * 9.81f * 0.2f);
  while (world.time() < end + 0.3) {
    world.step(end + 0.3);
    for (const Vec3& v : world.particles()[columns::velocity]) ASSERT_LT(v.norm(), fastest) << world.time();
    EXPECT_EQ(sheets::triangles(world.particles()).empty(), world.time() >= end) << world.time();
  }
  EXPECT_EQ(total(world, columns::mass), mass);
  EXPECT_NEAR(total(world, columns::volume), volume, 0.02 * volume);
  for (const float thickness : world.particles()[columns::thickness]) EXPECT_EQ(thickness, 0);
}

TEST_P(MeltingSheets, MomentaAreConstant) {
  WorldSetup setup = world_setup(3, 0.04f);
  setup.objects.push_back(melting());
  setup.objects[0].velocity = Vec3(1, 0.5f, 0);
  setup.objects[0].angular_velocity = Vec3(0.5f, 0, 0.5f);
  World world(setup);
  const Vec3d p = momentum(world), L = angular_momentum(world);
  run_until(world, end + 0.1);
  EXPECT_LT((momentum(world) - p).norm(), 1e-4 * p.norm());
  EXPECT_LT((angular_momentum(world) - L).norm(), 1e-3 * p.norm() * 0.4);
}

TEST(Transition, HardenedMatterFloatsAtItsDensityAndMeltsAgain) {
  // The shot of L09 fig. 7.6 in the plane: a liquid of half the density of water hardens, floats and melts.
  WorldSetup setup = world_setup(2, dx);
  const Track calm = track("artificial_viscosity", {{ArtificialViscosity::alpha, 0.3}});
  setup.objects.push_back(object("pool", rectangle(0, 0, 0.6f, 0.2f), dx, {track("fluid"), calm, track("gravity")}));
  const auto over_time = [](float first, float then, float last) {
    return Keyable<float>(Curve<float>({0.1, 0.15, 1.5, 1.55}, {first, then, then, last}, Interpolation::linear),
                          "time");
  };
  Track fluid = track("fluid", {{Fluid::rest_density, 500}}), friction = calm, solid = elastic(2e5, 0.3, 0.3);
  fluid.weight = friction.weight = over_time(1, 0, 1);
  solid.weight = over_time(0, 1, 0);
  setup.objects.push_back(
      object("duck", rectangle(0.2f, 0.2f, 0.4f, 0.32f), dx, {fluid, friction, solid, track("gravity")}));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 0.6f, 1), 1));
  World world(setup);
  const double mass = total(world, columns::mass);
  const auto extent = [&](int axis) {
    float low = infinity, high = -infinity;
    const Particles& p = world.particles();
    for (Index i = 0; i != p.size(); ++i) {
      if (p[columns::object][i] != 1) continue;
      low = std::min(low, p[columns::position][i][axis]);
      high = std::max(high, p[columns::position][i][axis]);
    }
    return std::pair(low, high);
  };
  run_until(world, 1.5);
  // The pool's area and half of the body's make the level; half of the body is below it.
  const float level = (0.6f * 0.2f + 0.5f * 0.2f * 0.12f) / 0.6f;
  const auto [bottom, top] = extent(1);
  EXPECT_NEAR(level - (bottom - 0.5f * dx), 0.06f, 0.02f) << "its draught";
  EXPECT_NEAR(top - bottom + dx, 0.12f, 0.02f) << "it keeps its shape";
  run_until(world, 3);
  const auto [left, right] = extent(0);
  EXPECT_GT(right - left, 0.4f) << "it spreads on the water";
  EXPECT_GT(extent(1).first, level - 0.08f) << "and stays on it";
  EXPECT_EQ(total(world, columns::mass), mass);
}

}  // namespace
}  // namespace fondue::test_transitions
