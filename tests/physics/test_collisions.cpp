// What triangles and other solids do to what hits them: nothing passes, hits take what they should, sticky walls pull.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "core/random.h"
#include "shapes/mesh.h"
#include "shapes/mesh_sequence.h"
#include "support/setups.h"
#include "unit/shapes/helpers.h"

namespace fondue::test_collisions {
namespace {

using namespace testing_support;
using testing_support::cube_mesh;
using testing_support::random_direction;
using testing_support::sheet_mesh;
using testing_support::sphere_mesh;

Bodies only(const ColliderSetup& collider, float dx) {
  WorldSetup setup = world_setup(3, dx);
  setup.colliders.push_back(collider);
  // No boundary particles are needed.
  return Bodies(setup.colliders, setup.wall_lattice(), Box{Vec3::Constant(1e5f), Vec3::Constant(1.0001e5f)});
}

/// Particles thrown about at 0.01 to 1e4 spacings a step, from where they are to where the collider lets them: all must
/// stay where `belongs` says.
void expect_none_passes(const ColliderSetup& collider, float dx, const Vec3& start,
                        const std::function<bool(const Vec3&, double)>& belongs) {
  const Bodies colliders = only(collider, dx);
  constexpr std::uint64_t particles = 10, steps = 30;
  int hits = 0;
  for (std::uint64_t i = 0; i != particles; ++i) {
    Vec3 x = start;
    for (std::uint64_t step = 0; step != steps; ++step) {
      const double t = 0.01 * static_cast<double>(step);
      const std::uint64_t number = i * steps + step;
      const float length = dx * std::pow(10.0f, 6 * random_unit(5, number) - 2);
      const Vec3 wanted = x + length * random_direction(6, number);
      Vec3 end = wanted, v = (wanted - x) / 0.01f;
      const Bodies::Interval interval = colliders.interval(t, t + 0.01);
      colliders.guard(colliders.all(interval), x, end, v);
      hits += end != wanted;
      x = end;
      ASSERT_TRUE(x.allFinite() && belongs(x, t + 0.01))
          << "particle " << i << " passed in step " << step << ": " << x.transpose();
    }
  }
  EXPECT_GT(hits, 100);
}

bool in_cube(const Vec3& x) { return x.minCoeff() > 0 && x.maxCoeff() < 1; }

TEST(Collisions, NothingPassesAClosedSheetFromWithin) {
  expect_none_passes(solid("ball", make_mesh(sphere_mesh(12, 1), MeshInside::sheet)), 0.02f, Vec3(0.1f, 0.2f, 0.1f),
                     [](const Vec3& x, double) { return x.norm() < 1; });
  // Into its edges and corners.
  expect_none_passes(solid("cube", make_mesh(cube_mesh(), MeshInside::sheet)), 0.02f, Vec3(0.3f, 0.4f, 0.5f),
                     [](const Vec3& x, double) { return in_cube(x); });
}

TEST(Collisions, NothingPassesTrianglesOfAMicrometre) {
  expect_none_passes(solid("ball", make_mesh(sphere_mesh(12, 1e-5f), MeshInside::sheet)), 1e-6f, Vec3(1e-6f, 2e-6f, 0),
                     [](const Vec3& x, double) { return x.norm() < 1e-5f; });
}

ColliderSetup tumbling(ShapePtr shape) {
  ColliderSetup cube = solid("cube", std::move(shape));
  cube.motion.position = Keyable<Vec3>(
      Curve<Vec3>({0, 1, 2}, {Vec3::Zero(), Vec3(3, 1, 0), Vec3(-2, 5, 1)}, Interpolation::smooth), "time");
  cube.motion.rotation =
      Keyable<Vec3>(Curve<Vec3>({0, 2}, {Vec3::Zero(), Vec3(10, 20, -15)}, Interpolation::linear), "time");
  return cube;
}

TEST(Collisions, NothingPassesATumblingCube) {
  const ColliderSetup hollow = tumbling(make_mesh(cube_mesh(), MeshInside::sheet));
  expect_none_passes(hollow, 0.02f, Vec3(0.3f, 0.4f, 0.5f),
                     [&](const Vec3& x, double t) { return in_cube(pose_at(hollow.motion, t).to_local(x)); });
  // From outside most throws miss it: they begin where it is.
  const ColliderSetup full = tumbling(make_mesh(cube_mesh()));
  const Bodies colliders = only(full, 0.02f);
  for (std::uint64_t i = 0; i != 500; ++i) {
    const double t = 0.02 * static_cast<double>(i % 100);
    const Pose pose = pose_at(full.motion, t);
    const Vec3 local = 2 * random_point(7, i) - Vec3::Constant(0.5f);
    if (in_cube(local)) continue;
    const Vec3 start = pose.to_world(local);
    Vec3 x = start + 2 * random_direction(8, i), v = (x - start) / 0.02f;
    const Bodies::Interval interval = colliders.interval(t, t + 0.02);
    colliders.guard(colliders.all(interval), start, x, v);
    ASSERT_FALSE(in_cube(pose_at(full.motion, t + 0.02).to_local(x))) << i;
  }
}

/// An upright sheet of n x n squares across x = 1.
ShapePtr upright_sheet(int n, MeshInside inside = MeshInside::sheet, float towards = -1) {
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      mesh.vertices.emplace_back(1, 4 * float(i) / float(n) - 2, towards * (4 * float(j) / float(n) - 2));
  const auto at = [&](int i, int j) { return static_cast<Index>(i * (n + 1) + j); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) add_polygon(mesh, {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  return make_mesh(mesh, inside);
}

WorldSetup jet_against(const ShapePtr& sheet, float speed, std::vector<Track> tracks) {
  constexpr float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("jet", make_box(Vec3(0.1f, 0, 0), Vec3(0.5f, 0.3f, 0.3f)), dx, std::move(tracks)));
  setup.objects.back().velocity = Vec3(speed, 0, 0);
  setup.colliders.push_back(solid("sheet", sheet));
  return setup;
}

void expect_before_the_sheet(const World& world) {
  for (const Vec3& x : world.particles()[columns::position])
    if (std::abs(x.y()) < 2 && std::abs(x.z()) < 2) {
      ASSERT_LT(x.x(), 1) << "t = " << world.time();
    }
}

TEST(Collisions, AJetThatFliesFortySupportsAStepDoesNotPassASheet) {
  // 2 ms of 2000 m/s are 4 m or 80 spacings. Nothing but the sheet acts on it.
  WorldSetup setup = jet_against(upright_sheet(20), 2000, {track("gravity")});
  setup.largest_step = 0.002f;
  World world(setup);
  ASSERT_GT(world.particles().size(), 200u);
  for (int step = 0; step != 10; ++step) {
    world.step(1);
    expect_before_the_sheet(world);
  }
}

TEST(Collisions, AJetOfWaterOfAHundredMetresASecondDoesNotPassASheet) {
  World world(jet_against(upright_sheet(20), 100, {track("gravity"), track("fluid"), track("artificial_viscosity")}));
  for (int k = 1; k <= 10; ++k) {
    run_until(world, 0.001 * k);
    expect_before_the_sheet(world);
  }
}

TEST(Collisions, AOneSidedSheetStopsOnlyWhatComesAgainstItsNormals) {
  for (const float towards : {-1.0f, 1.0f}) {
    World world(jet_against(upright_sheet(8, MeshInside::one_sided, towards), 10, {track("fluid")}));
    const TriangleMesh mesh = *world.setup().colliders[0].shape->triangles();
    const bool faces_jet = (mesh.corner(0, 1) - mesh.corner(0, 0)).cross(mesh.corner(0, 2) - mesh.corner(0, 0)).x() < 0;
    run_until(world, 0.15);
    for (const Vec3& x : world.particles()[columns::position]) {
      if (faces_jet && std::abs(x.y()) < 2 && std::abs(x.z()) < 2) {
        EXPECT_LT(x.x(), 1);
      }
      if (!faces_jet) {
        EXPECT_GT(x.x(), 1.3f);
      }
    }
  }
}

TEST(Collisions, AHitTakesWhatRoughnessAndBounceSay) {
  // A plane that rises with 1 m/s along its normal and moves with 0.5 m/s along x.
  ColliderSetup plane = solid("plane", make_plane(Vec3::Zero(), Vec3(0, 0, 1)));
  plane.motion.position =
      Keyable<Vec3>(Curve<Vec3>({0, 1}, {Vec3::Zero(), Vec3(0.5f, 0, 1)}, Interpolation::linear), "time");
  for (const float bounce : {0.0f, 0.5f, 1.0f})
    for (const float roughness : {0.0f, 0.3f, 1.0f}) {
      plane.bounce = bounce;
      plane.roughness = roughness;
      const Bodies colliders = only(plane, 0.1f);
      const Vec3 before(3, -1, -4);
      Vec3 x = Vec3(0, 0, 0.02f) + 0.01f * before, v = before;
      const Bodies::Interval interval = colliders.interval(0, 0.01);
      colliders.guard(colliders.all(interval), Vec3(0, 0, 0.02f), x, v);
      // Relative to the plane it came with (2.5, -1, -5).
      EXPECT_NEAR(v.x(), 0.5f + (1 - roughness) * 2.5f, 1e-3f);
      EXPECT_NEAR(v.y(), -(1 - roughness), 1e-3f);
      EXPECT_NEAR(v.z(), 1 + bounce * 5, 1e-3f);
    }
}

/// A slab of fluid that touches the ceiling z = 0 from below, or in the plane y = 0.
WorldSetup under_a_ceiling(int dimension, float dx, float thickness, float stickiness, std::vector<Track> tracks) {
  WorldSetup setup = world_setup(dimension, dx);
  const float wide = 10 * dx;
  const ShapePtr slab = dimension == 3 ? make_box(Vec3(-wide, -wide, -thickness), Vec3(wide, wide, 0))
                                       : rectangle(-wide, -thickness, wide, 0);
  setup.objects.push_back(object("slab", slab, dx, std::move(tracks)));
  setup.colliders.push_back(
      solid("ceiling", make_plane(Vec3::Zero(), dimension == 3 ? Vec3(0, 0, -1) : Vec3(0, -1, 0))));
  setup.colliders.back().stickiness = stickiness;
  setup.domain = Box{Vec3::Constant(-30 * dx), Vec3::Constant(30 * dx)};
  return setup;
}

TEST(Collisions, AStickyWallPullsWithItsStickinessAUnitArea) {
  constexpr float dx = 0.02f, stickiness = 300;
  for (const int dimension : {2, 3})
    for (const float ratio : {2.0f, 2.5f, 3.0f}) {
      WorldSetup setup = under_a_ceiling(dimension, dx, 0.1f, stickiness, {track("fluid")});
      setup.support_ratio = ratio;
      World sticky(setup);
      setup.colliders[0].stickiness = 0;
      World clean(setup);
      sticky.evaluate();
      clean.evaluate();
      const int up = dimension - 1;
      const auto pull = [&](World& world) {
        double sum = 0;
        for (Index i = 0; i != world.particles().size(); ++i)
          sum += double{world.particles()[columns::mass][i]} * world.particles()[columns::acceleration][i][up];
        return sum;
      };
      // The slab is 20 particles wide; the plane's boundary particles reach beyond it.
      const double area = std::pow(20 * dx, up), measured = (pull(sticky) - pull(clean)) / area;
      EXPECT_NEAR(measured, stickiness, 0.05 * stickiness) << dimension << "-d, ratio " << ratio;
      // What the wall feels is the same, turned round.
      const double felt = (clean.force_on(0) - sticky.force_on(0))[up] / area;
      EXPECT_NEAR(felt, measured, 0.01 * stickiness);
    }
}

TEST(Collisions, ALayerHangsIfTheCeilingPullsMoreThanItsWeight) {
  // One row of particles, so that nothing but the ceiling holds it.
  constexpr float dx = 0.02f;
  for (const float part : {0.3f, 3.0f}) {
    World world(under_a_ceiling(2, dx, dx, part * 1000 * 9.81f * dx,
                                {track("gravity"), track("fluid"), track("artificial_viscosity")}));
    run_until(world, 0.25);
    float highest = -infinity, lowest = infinity;
    for (const Vec3& x : world.particles()[columns::position])
      highest = std::max(highest, x.y()), lowest = std::min(lowest, x.y());
    if (part > 1) {
      EXPECT_GT(lowest, -1.5f * dx) << "fell";
    } else {
      // Free fall for 0.25 s would be 0.3 m.
      EXPECT_LT(highest, -0.1f) << "hangs";
    }
  }
}

/// A sheet across a box that bends into it and back, five times a second.
ShapePtr beating_membrane() {
  const int n = 10;
  std::vector<std::vector<Vec3>> moments;
  TriangleMesh mesh;
  for (int moment = 0; moment != 11; ++moment) {
    mesh.vertices.clear();
    const float swing = 0.4f * (moment % 2 == 0 ? 0.0f : 1.0f);
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        const float y = 1.2f * float(i) / float(n) - 0.1f, z = 1.2f * float(j) / float(n) - 0.1f;
        mesh.vertices.emplace_back(0.1f + swing * std::sin(3.14159f * y) * std::sin(3.14159f * z), y, z);
      }
    moments.push_back(mesh.vertices);
  }
  const auto at = [&](int i, int j) { return static_cast<Index>(i * (n + 1) + j); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) add_polygon(mesh, {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  return make_mesh_sequence(std::make_shared<MeshSequence>(mesh.triangles, moments, 10, 0.0, MeshInside::sheet));
}

/// Whether a point is on the water's side of the membrane, seen along x.
bool beyond(const TriangleMesh& mesh, const Vec3& x) {
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    TriangleMesh seen{{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, {{0, 1, 2}}};
    const Vec3 at(seen.vertices[0].x(), seen.vertices[1].x(), seen.vertices[2].x());
    for (Vec3& corner : seen.vertices) corner.x() = 0;
    const Vec3 weights = anchor_at(seen, 0, Vec3(0, x.y(), x.z())).weights;
    if (weights.minCoeff() >= 0) return x.x() > weights.dot(at);
  }
  return true;
}

TEST(Collisions, NothingPassesAMembraneThatBeats) {
  constexpr float dx = 0.1f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("water", make_box(Vec3(0.2f, 0, 0), Vec3(1, 1, 0.5f)), dx,
                                 {track("gravity"), track("fluid"), track("artificial_viscosity")}));
  setup.colliders.push_back(container("tank", make_box(Vec3(0, 0, 0), Vec3(1.2f, 1, 1.5f))));
  setup.colliders.push_back(solid("membrane", beating_membrane()));
  World world(setup);
  const auto sequence = setup.colliders[1].shape->sequence();
  EXPECT_GE(world.expected_speed(), 4);
  float furthest = 0;
  for (int k = 1; k <= 20; ++k) {
    run_until(world, 0.025 * k);
    const TriangleMesh mesh = sequence->mesh(world.time());
    for (const Vec3& x : world.particles()[columns::position]) {
      ASSERT_TRUE(x.z() > 1.1f || beyond(mesh, x)) << "t = " << world.time() << ", x = " << x.transpose();
      furthest = std::max(furthest, x.z());
    }
    // Boundary particles go with it.
    for (Index b = 0; b != world.bodies().walls().size(); ++b)
      if (world.bodies().walls().collider[b] == 1) {
        ASSERT_LT(make_mesh(mesh, MeshInside::sheet)->distance(world.bodies().walls().position[b]), 1e-3f);
        break;
      }
  }
  EXPECT_GT(furthest, 0.6f) << "it stirs nothing";
}

TEST(Collisions, WhatStartsInsideAColliderOrIsRunOverStaysCalm) {
  constexpr float dx = 0.05f;
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(
      object("water", rectangle(0, 0, 1, 0.3f), dx, {track("gravity"), track("fluid"), track("artificial_viscosity")}));
  setup.colliders.push_back(container("tank", rectangle(0, 0, 1, 2)));
  setup.colliders.push_back(solid("ball", make_sphere(Vec3(0.5f, 0.6f, 0), 0.15f)));
  setup.colliders[1].motion.position =
      Keyable<Vec3>(Curve<Vec3>({0.2, 0.6}, {Vec3::Zero(), Vec3(0, -0.4f, 0)}, Interpolation::smooth), "time");
  World world(setup);
  // One is put into the middle of the ball, one under the floor.
  world.particles()[columns::position][0] = Vec3(0.5f, 0.6f, 0);
  world.particles()[columns::position][1] = Vec3(0.3f, -0.1f, 0);
  float fastest = 0;
  for (int k = 1; k <= 40; ++k) {
    run_until(world, 0.02 * k);
    for (const Vec3& v : world.particles()[columns::velocity]) fastest = std::max(fastest, v.norm());
  }
  // Squeezed out between ball and floor, but slower than sound (ten times the expected speed), and soon at rest again.
  // Walls give back what pressing fluid against them took, so it comes out faster than from walls that keep a part.
  EXPECT_LT(fastest, 0.8f * 10 * world.expected_speed());
  double energy = 0;
  for (const Vec3& v : world.particles()[columns::velocity]) energy += v.squaredNorm();
  EXPECT_LT(std::sqrt(energy / world.particles().size()), std::sqrt(2 * 9.81 * 0.3)) << "faster than the ball's height";
  const Pose pose = pose_at(setup.colliders[1].motion, world.time());
  int inside = 0;
  for (const Vec3& x : world.particles()[columns::position])
    inside += setup.colliders[1].shape->distance(pose.to_local(x)) < 0;
  EXPECT_LE(inside, 1) << "only the one that was put there";
}

}  // namespace
}  // namespace fondue::test_collisions
