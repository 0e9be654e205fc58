// Cloth that touches itself, other cloth, bodies and sand.

#include <gtest/gtest.h>

#include "behaviours/drag.h"
#include "behaviours/gravity.h"
#include "support/cloth.h"
#include "support/sand.h"

namespace fondue::test_cloth_contact {
namespace {

using namespace testing_support;

/// The number of edges of sheets that pass through triangles of sheets which do not share a corner with them.
int penetrations(const World& world) {
  const auto x = world.particles()[columns::position];
  const std::vector<SheetTriangle> triangles = sheets::triangles(world.particles());
  const BondSet& edges = world.particles().bonds(sheets::bond_set);
  int count = 0;
  for (const SheetTriangle& t : triangles) {
    const Vec3d a = x[t[0]].cast<double>(), u = x[t[1]].cast<double>() - a, w = x[t[2]].cast<double>() - a;
    const Vec3d n = u.cross(w);
    const double reach = std::max(u.norm(), w.norm());
    for (Index i = 0; i != world.particles().size(); ++i) {
      if ((x[i].cast<double>() - a).norm() > 3 * reach) continue;
      for (Index b = edges.begins()[i]; b != edges.begins()[i + 1]; ++b) {
        const Index j = edges.neighbours()[b];
        if (j < i || std::ranges::count(t, i) != 0 || std::ranges::count(t, j) != 0) continue;
        const Vec3d p = x[i].cast<double>(), q = x[j].cast<double>();
        const double before = (p - a).dot(n), after = (q - a).dot(n);
        if (before * after >= 0) continue;
        const Vec3d at = p + before / (before - after) * (q - p) - a;
        const double s = at.cross(w).dot(n) / n.squaredNorm(), r = u.cross(at).dot(n) / n.squaredNorm();
        count += s > 0 && r > 0 && s + r < 1;
      }
    }
  }
  return count;
}

double kinetic_energy_per_mass(const World& world) {
  double energy = 0, mass = 0;
  for (Index i = 0; i != world.particles().size(); ++i) {
    const double m = world.particles()[columns::mass][i];
    energy += 0.5 * m * static_cast<double>(world.particles()[columns::velocity][i].squaredNorm());
    mass += m;
  }
  return energy / mass;
}

/// Air slows light cloth by some times its weight per m/s: 0.2 kg/m^2 falls with 2 m/s.
void add_weight_and_air(ObjectSetup& object, double drag = 5) {
  object.tracks.push_back(track("gravity"));
  object.tracks.push_back(track("drag", {{Drag::linear, drag}}));
}

/// A cloth that falls on five spheres and the floor between them folds, and comes to rest.
TEST(ClothContact, OnFiveSpheresItComesToRestWithoutPassingItself) {
  WorldSetup setup = flat_cloth(1, 1, 0.05f, {.stretch = 3000, .friction = 0.4});
  setup.objects[0].shape = make_rectangle(Vec3(0, 0, 0.5f), 1, 1);
  add_weight_and_air(setup.objects[0]);
  for (int k = 0; k != 5; ++k) {
    const double angle = 0.4 * k * std::numbers::pi;
    setup.colliders.push_back(
        solid("sphere" + std::to_string(k),
              make_sphere(Vec3d(0.3 * std::cos(angle), 0.3 * std::sin(angle), 0.25).cast<float>(), 0.12f)));
  }
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  World world(setup);
  run_until(world, 3);
  EXPECT_LT(kinetic_energy_per_mass(world), 1e-6);
  EXPECT_EQ(penetrations(world), 0);
  float highest = 0;
  for (const Vec3& x : world.particles()[columns::position]) highest = std::max(highest, x.z());
  EXPECT_GT(highest, 0.36f) << "it lies on the spheres";
}

/// A strip that falls upright on the floor lays itself in folds, which lie on each other.
TEST(ClothContact, FoldsLieOnEachOther) {
  const float spacing = 0.04f;
  WorldSetup setup = flat_cloth(0.12f, 1, spacing, {.stretch = 2000, .bending = 2e-4, .friction = 0.4});
  setup.objects[0].shape = make_transformed(setup.objects[0].shape,
                                            {.translation = Vec3(0, 0, 0.55f), .axis = Vec3::UnitX(), .degrees = 83});
  add_weight_and_air(setup.objects[0], 3);
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  World world(setup);
  run_until(world, 1.5);
  EXPECT_EQ(penetrations(world), 0);
  float lowest = 1, highest = 0, from = 1, to = -1;
  for (const Vec3& x : world.particles()[columns::position]) {
    lowest = std::min(lowest, x.z());
    highest = std::max(highest, x.z());
    from = std::min(from, x.y());
    to = std::max(to, x.y());
  }
  EXPECT_GT(lowest, 0.0f);
  EXPECT_GT(highest, lowest + 0.8f * 0.6f * spacing) << "at least one layer on another";
  EXPECT_LT(to - from, 0.9f) << "shorter than it is long";
}

/// One cloth falls on another that is held at its edges: they meet, and neither passes.
TEST(ClothContact, OneClothCarriesAnother) {
  const float spacing = 0.05f;
  WorldSetup setup = flat_cloth(0.8f, 0.8f, spacing, {.stretch = 3000});
  add_weight_and_air(setup.objects[0], 5);
  setup.objects.push_back(sheet("upper", make_rectangle(Vec3(0, 0, 0.1f), 0.4f, 0.4f), spacing, {cloth()}));
  add_weight_and_air(setup.objects[1], 5);
  setup.pins = {pin("frame", make_difference(make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)),
                                             make_box(Vec3(-0.39f, -0.39f, -10), Vec3(0.39f, 0.39f, 10))))};
  setup.pins[0].object = 0;
  World world(setup);
  run_until(world, 1.2);
  EXPECT_EQ(penetrations(world), 0);
  const std::vector<SheetTriangle> triangles = sheets::triangles(world.particles());
  std::vector<SheetTriangle> lower;
  for (const SheetTriangle& t : triangles)
    if (world.particles()[columns::object][t[0]] == 0) lower.push_back(t);
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::object][i] == 1) {
      EXPECT_EQ(sheets_above(world, lower, world.particles()[columns::position][i]), 0);
    }
  // The frame carries both.
  double held = 0, weight = 0;
  int count = 0;
  for (; world.time() < 1.5; ++count) {
    world.step(1.5);
    held -= static_cast<double>(world.force_on_pin(0).z());
  }
  for (Index i = 0; i != world.particles().size(); ++i)
    if (world.particles()[columns::pin][i] == 0)
      weight += 9.81 * static_cast<double>(world.particles()[columns::mass][i]);
  EXPECT_NEAR(held / count / weight, 1, 0.03);
}

/// How far a patch of cloth slides in half a second down another that lies on a slope and is held.
double slid(double friction) {
  const float spacing = 0.05f;
  WorldSetup setup = flat_cloth(1.2f, 0.3f, spacing, {.stretch = 3000, .friction = friction});
  setup.objects.push_back(sheet("patch", make_rectangle(Vec3(0.3f, 0, 0.6f * spacing), 0.2f, 0.2f), spacing,
                                {cloth({.friction = friction})}));
  const double slope = 0.4;
  const Vec3 g(static_cast<float>(-9.81 * std::sin(slope)), 0, static_cast<float>(-9.81 * std::cos(slope)));
  setup.objects[1].tracks.push_back(track("gravity", {{Gravity::acceleration, g}}));
  setup.pins = {pin("all", make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)))};
  setup.pins[0].object = 0;
  World world(setup);
  const auto middle = [&] {
    return mean_of(
        world, [&](Index i) { return world.particles()[columns::object][i] == 1; },
        [&](Index i) { return world.particles()[columns::position][i].x(); });
  };
  const double before = middle();
  run_until(world, 0.3);
  return before - middle();
}

/// From silk to velvet: a slope of tan 0.42 holds what has more friction, and what has less slides as Coulomb says.
TEST(ClothContact, ClothSlidesOnClothAsFrictionSays) {
  const double slope = 0.4, t = 0.3;
  for (const double friction : {0.0, 0.2}) {
    const double a = 9.81 * (std::sin(slope) - friction * std::cos(slope));
    // It begins at rest, but a little off the cloth below.
    EXPECT_NEAR(slid(friction) / (0.5 * a * t * t), 1, 0.1) << friction;
  }
  EXPECT_LT(slid(0.8), 0.01);
}

/// Sand on a tilted cloth stays if both are rough, and runs off if the cloth is slippery.
TEST(ClothContact, SandStaysOnRoughClothAndRunsOffSmoothCloth) {
  const float spacing = 0.04f;
  for (const double friction : {0.0, 2.0}) {
    WorldSetup setup = flat_cloth(1, 0.6f, spacing, {.stretch = 5000, .friction = friction});
    setup.objects.push_back(
        object("sand", make_box(Vec3(-0.1f, -0.1f, spacing), Vec3(0.1f, 0.1f, 3.5f * spacing)), spacing, sand(30)));
    const double slope = 0.25;
    const Vec3 g(static_cast<float>(-9.81 * std::sin(slope)), 0, static_cast<float>(-9.81 * std::cos(slope)));
    for (Track& t : setup.objects[1].tracks)
      if (t.behaviour == "gravity") t.values.set(Gravity::acceleration, Keyable<Vec3>(g));
    setup.pins = {pin("all", make_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)))};
    setup.pins[0].object = 0;
    World world(setup);
    run_until(world, 0.3);
    const double moved = -mean_of(
        world, [&](Index i) { return world.particles()[columns::object][i] == 1; },
        [&](Index i) { return world.particles()[columns::position][i].x(); });
    const double free = 0.5 * 9.81 * std::sin(slope) * 0.09;
    if (friction > 0)
      EXPECT_LT(moved, 0.35 * free);
    else
      EXPECT_GT(moved, 0.8 * free);
  }
}

}  // namespace
/// How long a block is that was stretched by a tenth and let go 20 ms before, a metre away from a sheet if there is one.
float length_of_oscillating_block(bool beside_cloth) {
  WorldSetup setup = beside_cloth ? flat_cloth(0.2f, 0.2f, 0.02f) : world_setup(3, 0.02f);
  const Index block = static_cast<Index>(setup.objects.size());
  setup.objects.push_back(object("block", make_box(Vec3(1, 0, 0), Vec3(1.1f, 0.1f, 0.1f)), 0.02f, {elastic(2e4)}));
  World world(setup);
  const auto of_block = [&](Index i) { return world.particles()[columns::object][i] == block; };
  change_particles(world, [&, i = Index{0}](Vec3& x, Vec3&) mutable {
    if (of_block(i++)) x.x() = 1.05f + 1.1f * (x.x() - 1.05f);
  });
  run_until(world, 0.02);
  const auto x = world.particles()[columns::position];
  float low = infinity, high = -infinity;
  for (Index i = 0; i != x.size(); ++i)
    if (of_block(i)) low = std::min(low, x[i].x()), high = std::max(high, x[i].x());
  return high - low;
}

/// Both are taken through a step together, with bonds of different kinds in one order.
TEST(ClothContact, ElasticBodiesBesideClothMoveAsIfAlone) {
  const float alone = length_of_oscillating_block(false), beside = length_of_oscillating_block(true);
  // From 88 mm at the start to the other side of its 80 mm at rest.
  EXPECT_LT(alone, 0.076f);
  // Substeps differ in length.
  EXPECT_NEAR(beside, alone, 2e-4);
}

}  // namespace fondue::test_cloth_contact
