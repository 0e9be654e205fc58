// Elastic bodies that are advanced by implicit steps (world/stiff_step.h), against the same in substeps and against
// laws.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <numbers>

#include "behaviours/drag.h"
#include "behaviours/gravity.h"
#include "core/random.h"
#include "shapes/combine.h"
#include "support/bodies.h"
#include "support/resumed.h"
#include "support/rigid.h"

namespace fondue::test_stiff_bodies {
namespace {

using namespace testing_support;

constexpr int automatic = 0, substeps = 1, implicit = 2;

Track elastic_by(int scheme, double E, double nu = 0.3, double damping = 0) {
  Track result = elastic(E, nu, damping);
  result.values.set(Elastic::scheme, static_cast<float>(scheme));
  return result;
}

double energy(const World& world) {
  double sum = kinetic_energy(world) + statistic(world, "elastic energy");
  for (const Statistic& of : world.behaviour_statistics())
    if (std::string(of.name) == "potential energy") sum += statistic(world, "potential energy");
  return sum;
}

struct Momenta {
  Vec3d linear = Vec3d::Zero(), angular = Vec3d::Zero();
  double size = 0;
};
template <class Chosen>
Momenta momenta(const World& world, Chosen&& chosen) {
  Momenta sum;
  const Particles& particles = world.particles();
  for (Index i = 0; i != particles.size(); ++i) {
    if (!chosen(i)) continue;
    const Vec3d p = static_cast<double>(particles[columns::mass][i]) * particles[columns::velocity][i].cast<double>();
    sum.linear += p;
    sum.angular += particles[columns::position][i].cast<double>().cross(p);
    sum.size += p.norm();
  }
  return sum;
}
Momenta momenta(const World& world) {
  return momenta(world, [](Index) { return true; });
}

class StiffBodiesIn : public testing::TestWithParam<int> {
 protected:
  WorldSetup floating(double E, int scheme) const {
    WorldSetup setup = world_setup(GetParam(), 0.1f);
    setup.objects.push_back(object("body", block(GetParam(), 0.1f, 8, 6, 5), 0.1f, {elastic_by(scheme, E)}));
    return setup;
  }
  Vec3 in_plane(Vec3 v) const {
    if (GetParam() == 2) v.z() = 0;
    return v;
  }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, StiffBodiesIn, testing::Values(2, 3), testing::PrintToStringParamName());

/// What asks for implicit steps always is told where it takes substeps in their place.
TEST_P(StiffBodiesIn, SayWhereNoImplicitStepIsTaken) {
  const auto notes = [](const WorldSetup& setup) {
    std::string all;
    const World world(setup);
    for (const std::string& note : world.notes()) all += note + "\n";
    return all;
  };
  WorldSetup periodic = floating(1e9, implicit);
  periodic.domain = Box{in_plane(Vec3::Constant(-3)), in_plane(Vec3::Constant(3))};
  periodic.periodic = {true, true, GetParam() == 3};
  EXPECT_NE(notes(periodic).find("object 'body' asks for implicit steps always, but takes substeps because the domain "
                                 "is periodic"),
            std::string::npos)
      << notes(periodic);
  WorldSetup beside = floating(1e9, implicit);
  beside.colliders.push_back(rigid("ball", make_sphere(in_plane(Vec3::Constant(3)), 0.3f), 500));
  EXPECT_NE(notes(beside).find("takes substeps while it is near a free rigid body"), std::string::npos)
      << notes(beside);
  EXPECT_EQ(notes(floating(1e9, implicit)), "");
  beside.objects.front().tracks = {elastic_by(automatic, 1e9)};
  EXPECT_EQ(notes(beside), "");
}

/// Thrown into disorder: what is faster than the step dies, momenta stay however early the iterations end.
TEST_P(StiffBodiesIn, KeepTheirMomentaAndGainNoEnergy) {
  World world(floating(1e9, implicit));
  change_particles(world, [&, i = 0u](Vec3& x, Vec3& v) mutable {
    x += in_plane(0.002f * (random_point(5, i) - Vec3::Constant(0.5f)));
    v = in_plane(2 * random_point(6, i) - Vec3(0.5f, 1, 1) + Vec3(-x.y(), x.x(), 0));
    ++i;
  });
  const Momenta before = momenta(world);
  double last = energy(world);
  const double start = last;
  for (int k = 0; k != 100; ++k) {
    world.step(1e9);
    ASSERT_GT(world.most_iterations(), 0u);
    const double now = energy(world);
    EXPECT_LT(now, last + 1e-3 * start) << "step " << k;
    last = now;
  }
  const Momenta after = momenta(world);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-5 * before.size);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-5 * before.size) << "lengths are about 1 m";
}

/// Two pieces of one object do not feel each other.
TEST_P(StiffBodiesIn, PiecesKeepTheirOwnMomenta) {
  WorldSetup setup = floating(1e9, implicit);
  const Vec3 away = in_plane(Vec3(0.3f, 0.9f, 0));
  const ShapePtr other =
      GetParam() == 2 ? rectangle(0.3f, 0.9f, 0.9f, 1.4f) : make_box(away, away + Vec3::Constant(0.5f));
  setup.objects[0].shape = make_union({setup.objects[0].shape, other});
  World world(setup);
  change_particles(world, [&, i = 0u](Vec3& x, Vec3& v) mutable {
    v = in_plane(random_point(6, i++)) + (x.y() > 0.7f ? Vec3(1, 0, 0) : Vec3(-1, 0, 0));
  });
  const auto upper = [&](Index i) { return world.particles()[columns::position][i].y() > 0.7f; };
  const Momenta before = momenta(world, upper);
  for (int k = 0; k != 20; ++k) world.step(1e9);
  ASSERT_GT(world.most_iterations(), 0u);
  const Momenta after = momenta(world, upper);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-5 * before.size);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-5 * before.size);
}

/// A spinning body turns as it should: its spin and its shape stay, and after a turn it is back.
TEST_P(StiffBodiesIn, SpinFreely) {
  WorldSetup setup = floating(1e10, automatic);
  setup.objects[0].angular_velocity = Vec3(0, 0, 2 * std::numbers::pi_v<float>);
  World world(setup);
  const std::vector<Vec3> start = positions(world);
  const double before = energy(world), spin = momenta(world).angular.z();
  int implicit_steps = 0, steps = 0;
  while (world.time() < 1) {
    world.step(1);
    implicit_steps += world.most_iterations() != 0;
    ++steps;
  }
  EXPECT_EQ(implicit_steps, steps) << "nothing that could be seen is lost";
  EXPECT_NEAR(momenta(world).angular.z() / spin, 1, 1e-4);
  EXPECT_NEAR(energy(world) / before, 1, 2e-3);
  const std::vector<Vec3> now = positions(world);
  const Vec3 arm_before = start.back() - start.front(), arm = now.back() - now.front();
  EXPECT_NEAR(arm.norm() / arm_before.norm(), 1, 1e-3);
  EXPECT_LT((arm - arm_before).norm() / arm_before.norm(), 0.02);
}

/// A clamped beam, released where it is straight, swings as in substeps if steps are short for its motion.
TEST(StiffBodies, AgreeWithSubstepsWhereMotionIsResolved) {
  const auto tips = [](int scheme) {
    const float dx = 0.025f;
    WorldSetup setup = world_setup(2, dx);
    setup.objects.push_back(
        object("beam", rectangle(-3 * dx, 0, 0.5f, 0.1f), dx,
               {elastic_by(scheme, 1e6), track("gravity", {{Gravity::acceleration, Vec3(0, 0, -1)}})}));
    setup.pins.push_back(pin("wall", rectangle(-1, -1, 0, 1)));
    // The slowest oscillation has 13.5/s.
    setup.largest_step = 4e-4f;
    World world(setup);
    std::vector<double> result;
    for (int k = 1; k != 9; ++k) {
      run_until(world, 0.03 * k);
      result.push_back(mean_of(
          world, [&](Index i) { return world.particles()[columns::position][i].x() > 0.475f; },
          [&](Index i) { return world.particles()[columns::position][i].y() - 0.05f; }));
    }
    EXPECT_EQ(world.most_iterations() > 0, scheme == implicit);
    return result;
  };
  const std::vector<double> by_substeps = tips(substeps), implicitly = tips(implicit);
  const double amplitude = -std::ranges::min(by_substeps);
  ASSERT_GT(amplitude, 0.005);
  // Implicit Euler loses half of omega dt in a radian: 1 % of the amplitude in half an oscillation.
  for (std::size_t k = 0; k != by_substeps.size(); ++k)
    EXPECT_NEAR(implicitly[k], by_substeps[k], 0.02 * amplitude) << "at " << 0.03 * static_cast<double>(k + 1) << " s";
}

/// A cantilever at rest under its weight has the same deflection, however long the steps were.
TEST(StiffBodies, SagAsInSubsteps) {
  const auto tip = [](int scheme) {
    const float dx = 0.025f;
    WorldSetup setup = world_setup(2, dx);
    setup.objects.push_back(
        object("beam", rectangle(-3 * dx, 0, 0.5f, 0.1f), dx,
               {elastic_by(scheme, 1e7, 0.3, 1), track("drag", {{Drag::linear, 40.0}}), track("gravity")}));
    setup.pins.push_back(pin("wall", rectangle(-1, -1, 0, 1)));
    World world(setup);
    run_until(world, 0.6);
    return mean_of(
        world, [&](Index i) { return world.particles()[columns::position][i].x() > 0.475f; },
        [&](Index i) { return world.particles()[columns::position][i].y() - 0.05f; });
  };
  const double by_substeps = tip(substeps);
  ASSERT_LT(by_substeps, -0.005);
  EXPECT_NEAR(tip(implicit) / by_substeps, 1, 0.005);
}

struct Bounce {
  double height = 0, most_energy = 0, implicit_part = 0;
};
/// A cube dropped from 0.1 m: how high its centre rises again over how far it fell, and its energy.
Bounce bounce(int scheme, double E) {
  WorldSetup setup = world_setup(3, 0.025f);
  setup.objects.push_back(object("cube", make_box(Vec3(0, 0, 0.1f), Vec3(0.2f, 0.2f, 0.3f)), 0.025f,
                                 {elastic_by(scheme, E), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  World world(setup);
  const auto height = [&] {
    return mean_of(
        world, [](Index) { return true; }, [&](Index i) { return world.particles()[columns::position][i].z(); });
  };
  const double from = height(), start = energy(world), floor = 0.1;
  Bounce result;
  bool met = false;
  int steps = 0, implicit_steps = 0;
  while (world.time() < 0.35) {
    world.step(0.35);
    met |= height() < floor + 0.005;
    if (met) result.height = std::max(result.height, (height() - floor) / (from - floor));
    result.most_energy = std::max(result.most_energy, energy(world) / start);
    implicit_steps += world.most_iterations() != 0;
    ++steps;
  }
  result.implicit_part = static_cast<double>(implicit_steps) / steps;
  return result;
}

/// It bounces as in substeps, because the bounce itself is taken in substeps; most of the rest is not.
TEST(StiffBodies, BounceAsInSubsteps) {
  const Bounce by_substeps = bounce(substeps, 1e9), automatically = bounce(automatic, 1e9);
  EXPECT_GT(by_substeps.height, 0.3);
  EXPECT_NEAR(automatically.height, by_substeps.height, 0.1 * by_substeps.height);
  EXPECT_LT(automatically.most_energy, 1.01);
  EXPECT_GT(automatically.implicit_part, 0.5);
}

TEST(StiffBodies, GainNoEnergyInABounceThatIsImplicitToo) { EXPECT_LT(bounce(implicit, 1e9).most_energy, 1.01); }

/// On the floor it lies still where it should, and its weight is what the floor feels.
TEST(StiffBodies, LieStillOnTheFloor) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.objects.push_back(object("cube", make_box(Vec3(0, 0, 0.001f), Vec3(0.3f, 0.3f, 0.301f)), 0.05f,
                                 {elastic_by(automatic, 1e9, 0.3, 0.1), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  setup.colliders[0].roughness = 1;
  World world(setup);
  run_until(world, 0.3);
  double load = 0;
  int steps = 0;
  while (world.time() < 0.5) {
    world.step(0.5);
    EXPECT_GT(world.most_iterations(), 0u);
    load += static_cast<double>(world.force_on(0).z());
    ++steps;
  }
  const Momenta now = momenta(world);
  double mass = 0;
  for (const float m : world.particles()[columns::mass]) mass += static_cast<double>(m);
  EXPECT_LT(now.size / mass, 1e-3) << "slower than 1 mm/s";
  EXPECT_NEAR(load / steps / (-9.81 * mass), 1, 0.01);
  for (const Vec3& x : world.particles()[columns::position]) EXPECT_GT(x.z(), 0.0249f);
}

/// A pin carries the weight of what hangs on it.
TEST(StiffBodies, HangOnTheirPins) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.objects.push_back(object("bar", make_box(Vec3::Zero(), Vec3(0.2f, 0.2f, 0.6f)), 0.05f,
                                 {elastic_by(implicit, 1e8, 0.3, 1), track("gravity")}));
  setup.pins.push_back(pin("ceiling", make_box(Vec3(-1, -1, 0.5f), Vec3(1, 1, 1))));
  World world(setup);
  run_until(world, 0.3);
  double weight = 0;
  for (const float m : world.particles()[columns::mass]) weight += 9.81 * static_cast<double>(m);
  // A sixth of it is pinned itself.
  EXPECT_NEAR(static_cast<double>(world.force_on_pin(0).z()) / (-weight * 5 / 6), 1, 0.02);
}

WorldSetup falling_bodies() {
  WorldSetup setup = world_setup(3, 0.05f);
  for (int k = 0; k != 3; ++k) {
    const Vec3 at(0.4f * static_cast<float>(k), 0, 0.01f + 0.02f * static_cast<float>(k));
    setup.objects.push_back(object("cube " + std::to_string(k), make_box(at, at + Vec3::Constant(0.3f)), 0.05f,
                                   {elastic_by(k == 2 ? implicit : automatic, 1e9, 0.3, 0.1), track("gravity")}));
  }
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0.05f, 0, 1).normalized())));
  return setup;
}

TEST(StiffBodies, GoOnWithTheSameBitsWhenResumed) { expect_resumed_the_same(falling_bodies(), 0.03, 0.08); }

TEST(StiffBodies, MoveTheSameForAnyNumberOfThreads) {
  World many(falling_bodies()), alone(falling_bodies());
  run_until(many, 0.08);
  {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    run_until(alone, 0.08);
  }
  expect_same_bits(many, alone);
}

}  // namespace
}  // namespace fondue::test_stiff_bodies
