// Matter that follows controls: shapes that attract it until they are full and carry it along.

#include <gtest/gtest.h>

#include "behaviours/control.h"
#include "behaviours/viscosity.h"
#include "shapes/filling.h"
#include "shapes/mesh_sequence.h"
#include "support/cloth.h"

namespace fondue::test_control {
namespace {

using namespace testing_support;

constexpr float dx = 0.02f, radius = 0.08f;

RegionSetup control(ShapePtr shape, Motion motion = {}) {
  RegionSetup result;
  result.name = "control";
  result.behaviour = Control::description.name;
  result.shape = std::move(shape);
  result.motion = std::move(motion);
  result.values.set(Control::region_radius, Keyable<float>(radius));
  return result;
}

/// Moves by this velocity for a second.
Motion gliding(const Vec3& velocity) {
  Motion motion;
  motion.position = Keyable<Vec3>(Curve<Vec3>({0, 1}, {Vec3::Zero(), velocity}, Interpolation::linear), "time");
  return motion;
}

Track controlled(double attraction, double matching) {
  return track("control", {{Control::attraction, attraction}, {Control::matching, matching}});
}

TEST(Control, MatterThatFillsTheShapeIsNotAttracted) {
  for (const int dimension : {2, 3}) {
    WorldSetup setup = world_setup(dimension, dx);
    const float half = 0.2f;
    const ShapePtr block =
        dimension == 2 ? rectangle(-half, -half, half, half) : make_box(Vec3::Constant(-half), Vec3::Constant(half));
    setup.objects.push_back(object("block", block, dx, {controlled(1, 0)}));
    setup.regions.push_back(control(make_sphere(Vec3::Zero(), 0.1f)));
    World world(setup);
    const auto x = world.particles()[columns::position], a = world.particles()[columns::acceleration];
    // A lattice sums to one within a few thousandths, so that is what is left of the attraction.
    for (std::size_t i = 0; i != x.size(); ++i) ASSERT_LT(a[i].norm(), 0.01f) << x[i].transpose();
  }
}

TEST(Control, AnEmptyShapeAttractsTowardsItsInsideAndNothingFarAway) {
  WorldSetup setup = world_setup(3, dx);
  // One particle at the surface of the ball, one beyond its reach.
  setup.objects.push_back(object("near", make_box(Vec3(0.19f, -dx / 2, -dx / 2), Vec3(0.19f + dx, dx / 2, dx / 2)), dx,
                                 {controlled(10, 0)}));
  setup.objects.push_back(
      object("far", make_box(Vec3(0.4f, -dx / 2, -dx / 2), Vec3(0.4f + dx, dx / 2, dx / 2)), dx, {controlled(10, 0)}));
  setup.regions.push_back(control(make_sphere(Vec3::Zero(), 0.2f)));
  World world(setup);
  const auto a = world.particles()[columns::acceleration];
  const auto object = world.particles()[columns::object];
  ASSERT_EQ(a.size(), 2u);
  for (std::size_t i = 0; i != 2; ++i) {
    if (object[i] == 1) {
      EXPECT_EQ(a[i].norm(), 0) << "the kernel ends at its radius";
      continue;
    }
    EXPECT_LT(a[i].x(), -1) << "a plane filled to one side pulls with 3/8 of the whole";
    EXPECT_LT(std::abs(a[i].y()) + std::abs(a[i].z()), 0.05f * -a[i].x());
  }
}

TEST(Control, TheMeanVelocityFollowsAndDetailSurvives) {
  const Vec3 glide(0.5f, 0.2f, 0);
  WorldSetup setup = world_setup(2, dx);
  setup.objects.push_back(object("block", rectangle(-0.3f, -0.3f, 0.3f, 0.3f), dx, {controlled(0, 10)}));
  setup.regions.push_back(control(rectangle(-0.2f, -0.2f, 0.2f, 0.2f), gliding(glide)));
  World world(setup);
  Particles& particles = world.particles();
  const auto x = particles[columns::position];
  const auto v = particles[columns::velocity];
  // Neighbouring columns move against each other.
  for (std::size_t i = 0; i != x.size(); ++i)
    v[i] = Vec3(0, static_cast<int>(std::floor(x[i].x() / dx)) % 2 ? 1.0f : -1.0f, 0);
  world.evaluate();
  const auto a = particles[columns::acceleration];
  int inside = 0;
  for (std::size_t i = 0; i != x.size(); ++i) {
    if (x[i].cwiseAbs().maxCoeff() > 0.2f - 1.5f * radius) continue;
    ++inside;
    EXPECT_LT((a[i] - 10 * glide).norm(), 0.05f * 10 * glide.norm()) << "the same for both columns";
  }
  EXPECT_GT(inside, 50);
}

TEST(Control, WaterTakesTheShapeAndGoesWithIt) {
  // As much water as the disc holds, all of it in its reach.
  WorldSetup setup = world_setup(2, dx);
  const float r = 0.25f, side = std::sqrt(std::numbers::pi_v<float>) * r, left = -0.1f;
  setup.objects.push_back(object("water", rectangle(left, -side / 2, left + side, side / 2), dx,
                                 {track("fluid"), track("artificial_viscosity"), controlled(20, 10)}));
  Motion motion;
  motion.position =
      Keyable<Vec3>(Curve<Vec3>({1.5, 2.5}, {Vec3::Zero(), Vec3(0, 0.5f, 0)}, Interpolation::smooth), "time");
  setup.regions.push_back(control(make_sphere(Vec3::Zero(), r), motion));
  setup.regions[0].values.set(Control::region_radius, Keyable<float>(0.2f));
  World world(setup);
  const auto share_inside = [&](const Vec3& centre) {
    const auto x = world.particles()[columns::position];
    double inside = 0;
    for (const Vec3& at : x) inside += (at - centre).norm() < r + dx;
    return inside / static_cast<double>(x.size());
  };
  EXPECT_LT(share_inside(Vec3::Zero()), 0.85);
  run_until(world, 1.5);
  // At its rim a shape counts as covered before it is full: a few particles stay outside.
  EXPECT_GT(share_inside(Vec3::Zero()), 0.9);
  run_until(world, 3.5);
  EXPECT_GT(share_inside(Vec3(0, 0.5f, 0)), 0.9);
}

/// A bar along x whose keys follow each other every 0.1 s: each vertex moved by move(x, key).
template <class Move>
ShapePtr bending_bar(int keys, Move&& move, Playback playback = {}) {
  TriangleMesh mesh;
  constexpr int n = 8;
  for (int k = 0; k <= n; ++k)
    for (int c = 0; c != 4; ++c)
      mesh.vertices.push_back(Vec3(-0.4f + 0.1f * k, c == 0 || c == 3 ? -0.1f : 0.1f, c < 2 ? -0.1f : 0.1f));
  const auto square = [&](Index a, Index b, Index c, Index d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (Index k = 0; k != n; ++k)
    for (Index c = 0; c != 4; ++c) square(4 * k + c, 4 * k + (c + 1) % 4, 4 * k + 4 + (c + 1) % 4, 4 * k + 4 + c);
  square(3, 2, 1, 0);
  square(4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3);
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  std::vector<std::vector<Vec3>> moments;
  for (int key = 0; key != keys; ++key) {
    moments.emplace_back();
    for (const Vec3& x : mesh.vertices) moments.back().push_back(move(x, key));
  }
  return make_mesh_sequence(
      std::make_shared<MeshSequence>(mesh.triangles, moments, 10, 0.0, MeshInside::solid, playback));
}

TEST(Control, ADeformingMeshMovesItsMatterAsEachPartOfItMoves) {
  // Its ends rise by 5 cm per second and 10 cm of distance from the middle, which stays.
  const auto bent = [](const Vec3& x, int key) { return Vec3(x + Vec3(0, 0, 0.05f * key * std::abs(x.x()))); };
  for (const bool backwards : {false, true}) {
    WorldSetup setup = world_setup(3, dx);
    setup.objects.push_back(
        object("block", make_box(Vec3(-0.5f, -0.2f, -0.2f), Vec3(0.5f, 0.2f, 0.2f)), dx, {controlled(0, 10)}));
    setup.regions.push_back(control(bending_bar(3, bent, {.repeat = false, .backwards = backwards})));
    World world(setup);
    const auto x = world.particles()[columns::position], a = world.particles()[columns::acceleration];
    int inside = 0;
    for (std::size_t i = 0; i != x.size(); ++i) {
      // Its middle is a bend, finer than the influence radius.
      if (std::abs(std::abs(x[i].x()) - 0.17f) > 0.08f || std::abs(x[i].y()) > 0.02f || std::abs(x[i].z()) > 0.02f)
        continue;
      ++inside;
      const float rise = (backwards ? -0.5f : 0.5f) * std::abs(x[i].x());
      // The mean over the influence radius; at the sides a part of the shape is missing.
      EXPECT_NEAR(a[i].z(), 10 * rise, 0.25f) << x[i].transpose();
    }
    EXPECT_GT(inside, 20);
  }
}

TEST(Control, AnotherObjectCarriesMatterAndIsNotControlledItself) {
  // A cloth that rises, with a slab of matter on it that control only acts on.
  WorldSetup setup = world_setup(3, dx);
  const Vec3 rise(0.1f, 0, 0.5f);
  ObjectSetup carrier = sheet("cloth", make_rectangle(Vec3::Zero(), 0.6f, 0.6f), dx, {cloth(), controlled(5, 10)});
  carrier.velocity = rise;
  setup.objects.push_back(carrier);
  setup.objects.push_back(
      object("slab", make_box(Vec3(-0.3f, -0.3f, 0.02f), Vec3(0.3f, 0.3f, 0.06f)), dx, {controlled(0, 10)}));
  RegionSetup by_cloth = control(nullptr);
  by_cloth.values.set(Control::region_object, Keyable<float>(0.0f));
  setup.regions.push_back(by_cloth);
  World world(setup);
  const auto x = world.particles()[columns::position], a = world.particles()[columns::acceleration];
  const auto of = world.particles()[columns::object];
  const auto reach = world.particles()[columns::controlled];
  int on_it = 0;
  for (std::size_t i = 0; i != x.size(); ++i) {
    if (of[i] == 0) {
      EXPECT_EQ(a[i].norm(), 0);
      EXPECT_EQ(reach[i], 0);
      continue;
    }
    if (x[i].head<2>().cwiseAbs().maxCoeff() > 0.3f - 2 * radius) continue;
    ++on_it;
    // As much as it is in the reach of the cloth.
    EXPECT_LT((a[i] - 10 * reach[i] * rise).norm(), 0.02f * 10 * rise.norm());
    EXPECT_GT(reach[i], 0.05f) << x[i].transpose();
  }
  EXPECT_GT(on_it, 50);
}

TEST(Control, WaterFollowsABendingShapeCloserThanHoney) {
  // L09 fig. 7.7: the same motion and the same control. How far parts of the shape are from matter, in the mean: water
  // 16.4 mm, honey 17.4 mm. (Sand, 15.6 mm: what nothing presses together has no friction.)
  const auto waved = [](const Vec3& x, int key) {
    constexpr float amplitude[] = {0, 0.085f, 0.12f, 0.085f, 0, -0.085f, -0.12f, -0.085f, 0};
    return Vec3(x + Vec3(0, 0, amplitude[key] * std::sin(8 * x.x())));
  };
  const ShapePtr shape = bending_bar(9, waved, {.repeat = true, .backwards = false});
  constexpr float coarse = 0.03f;
  const auto mean_distance = [&](std::vector<Track> tracks) {
    WorldSetup setup = world_setup(3, coarse);
    tracks.push_back(controlled(40, 20));
    setup.objects.push_back(
        object("matter", make_box(Vec3(-0.4f, -0.1f, -0.1f), Vec3(0.4f, 0.1f, 0.1f)), coarse, tracks));
    setup.regions.push_back(control(shape));
    setup.regions[0].values.set(Control::region_radius, Keyable<float>(0.12f));
    World world(setup);
    const std::vector<Vec3> points = fill_lattice(*shape, 0.05f, 3);
    const CarriedPoints carried(*shape->sequence(), points);
    double sum = 0, count = 0;
    for (int k = 1; k <= 8; ++k) {
      run_until(world, 0.1 * k);
      std::vector<Vec3> p, v;
      carried.at(world.time(), p, v);
      for (const Vec3& point : p) {
        float nearest = infinity;
        for (const Vec3& x : world.particles()[columns::position]) nearest = std::min(nearest, (x - point).norm());
        sum += nearest;
        ++count;
      }
    }
    return sum / count;
  };
  const double water = mean_distance({track("fluid"), track("artificial_viscosity")});
  const double honey = mean_distance({track("fluid"), track("viscosity", {{Viscosity::dynamic_viscosity, 2000}})});
  EXPECT_LT(1.03 * water, honey);
}

TEST(Control, UnderItsWeightWaterKeepsUpWithAGlidingShapeAndSandAndHoneyDoNot) {
  // A shape glides over a floor. Sand is held back by friction mu g, which matching overcomes with a lag of mu g over
  // matching; honey by the floor it sticks to; water by nothing. Without weight nothing presses grains together, and
  // sand follows as water does.
  const auto lag = [](std::vector<Track> tracks) {
    WorldSetup setup = world_setup(2, dx);
    tracks.push_back(track("gravity"));
    tracks.push_back(controlled(10, 20));
    setup.objects.push_back(object("matter", rectangle(0, 0, 0.4f, 0.16f), dx, tracks));
    setup.colliders.push_back(container("channel", rectangle(-1, 0, 2, 1)));
    const ShapePtr shape = rectangle(0, 0, 0.4f, 0.16f);
    setup.regions.push_back(control(shape, gliding(Vec3(0.6f, 0, 0))));
    World world(setup);
    const auto middle = [&] {
      double sum = 0;
      for (const Vec3& x : world.particles()[columns::position]) sum += static_cast<double>(x.x());
      return sum / static_cast<double>(world.particles().size());
    };
    const double before = middle();
    run_until(world, 0.6);
    return 0.36 - (middle() - before);
  };
  const double water = lag({track("fluid"), track("artificial_viscosity")});
  const double honey = lag({track("fluid"), track("viscosity", {{Viscosity::dynamic_viscosity, 200}})});
  const double sand = lag({track("fluid"), track("artificial_viscosity"), track("sand")});
  EXPECT_LT(2 * water, honey);
  EXPECT_LT(2 * water, sand);
}

}  // namespace
}  // namespace fondue::test_control
